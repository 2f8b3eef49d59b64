#pragma once

#include <cstdint>
#include <memory>

#include "base/rng.h"
#include "phy/mode.h"
#include "phy/transmitter.h"
#include "room/world.h"

namespace wccl::app {

/// A laptop that shows frames of random bytes and reads nothing: for pictures of the room.
class Poster final : public Occupant {
 public:
  Poster(std::uint8_t node, phy::PanelSize panel, phy::ModeId mode, std::uint64_t seed);

  Painting next_frame(Instant now) override;
  std::function<void(Instant)> decode(const Capture& capture) override;

  /// What is on the screen; null before the first refresh.
  [[nodiscard]] std::shared_ptr<const RgbImage> shown() const { return shown_; }

 private:
  [[nodiscard]] RgbImage next_picture(Instant now);

  phy::Transmitter transmitter_;
  phy::FrameHeader header_;
  Rng bytes_;
  int refreshes_ = 0;
  std::shared_ptr<const RgbImage> shown_;
};

}  // namespace wccl::app
