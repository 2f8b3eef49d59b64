#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "phy/block_codec.h"
#include "phy/frame_header.h"
#include "phy/interleaver.h"
#include "phy/layout.h"
#include "phy/receiver.h"

namespace wccl::phy {

/// Collects the soft bits of a screen's frames over captures and decodes their blocks. Each block
/// is given out once; a frame ends when one that is two later is seen.
class FrameAssembler {
 public:
  FrameAssembler(std::shared_ptr<const Layout> layout, std::uint8_t node, int max_iterations);

  [[nodiscard]] const Layout& layout() const { return *layout_; }

  /// A header that was read: its frame may now be given out.
  void add_header(const FrameHeader& header);
  /// Whether soft bits of this frame are of any use.
  [[nodiscard]] bool wants(std::uint16_t sequence) const;
  /// Adds soft bits.
  /// @param first  Place of llrs[0] among the channel's bits.
  void add(std::uint16_t sequence, int channel, std::size_t first, std::span<const Llr> llrs);

  /// Decodes what has become decodable, and closes frames that have passed.
  struct Result {
    std::vector<FrameReception> frames;
    int blocks_bad = 0;
  };
  [[nodiscard]] Result collect();

 private:
  struct Frame;
  [[nodiscard]] Frame* find(std::uint16_t sequence) const;
  Frame& open(std::uint16_t sequence);
  void decode(Frame& frame, FrameReception& reception);
  void gather(const Frame& frame, int channel, std::size_t block, std::span<Llr> llrs) const;
  [[nodiscard]] int count_bad(const Frame& frame) const;
  [[nodiscard]] bool is_filler(std::span<const Llr> llrs, CodeRate rate) const;

  struct Slot {
    int channel;
    std::size_t block;
    CodeRate rate;
  };

  std::shared_ptr<const Layout> layout_;
  std::uint8_t node_;
  std::vector<Slot> slots_;  ///< As block_slots() numbers them.
  std::array<std::vector<std::uint32_t>, 3>
      places_;                                  ///< [block][coded bit]: its place in the channel.
  std::array<BitVector, 6> fillers_;            ///< For each code rate that is used.
  std::vector<std::unique_ptr<Frame>> frames_;  ///< Oldest first.
  std::optional<std::uint16_t> closed_;         ///< Newest frame that has ended.
  std::vector<Llr> scratch_;
  LdpcDecoder decoder_;

 public:
  ~FrameAssembler();
  FrameAssembler(FrameAssembler&&) noexcept;
  FrameAssembler& operator=(FrameAssembler&&) noexcept;
};

}  // namespace wccl::phy
