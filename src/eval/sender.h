#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/image.h"
#include "base/rng.h"
#include "phy/layout.h"
#include "phy/transmitter.h"

namespace wccl::eval {

/// A screen that shows one frame of random payloads after another.
class Sender {
 public:
  static constexpr std::uint8_t kNode = 0;

  struct Frame {
    std::int64_t number = 0;
    std::vector<std::vector<std::byte>> payloads;
    std::shared_ptr<const RgbImage> picture;
  };

  Sender(std::shared_ptr<const phy::Layout> layout, std::uint64_t seed);

  /// Frame `number`, counted from 0; they are the same in whatever order they are asked for.
  [[nodiscard]] const Frame& frame(std::int64_t number);
  /// Frames before this one will not be asked for again.
  void forget_before(std::int64_t number);
  [[nodiscard]] const std::vector<phy::BlockSlot>& slots() const { return slots_; }

 private:
  [[nodiscard]] Frame make(std::int64_t number) const;

  std::shared_ptr<const phy::Layout> layout_;
  Rng rng_;
  phy::Transmitter transmitter_;
  std::vector<phy::BlockSlot> slots_;
  std::deque<Frame> frames_;  ///< In the order in which they were first asked for.
};

}  // namespace wccl::eval
