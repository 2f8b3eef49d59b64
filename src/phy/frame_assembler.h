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
  /// Adds soft bits of a layer, or of both layers of a channel (kBothHalves).
  /// @param first  Place of llrs[0] among the channel's bits.
  /// @param llrs   Of cells one after the other; 0 for those of another layer.
  void add(std::uint16_t sequence, Layer layer, std::size_t first, std::span<const Llr> llrs);

  /// Whether a layer of a frame, whose header was read, still lacks blocks.
  [[nodiscard]] bool lacks(std::uint16_t sequence, Layer layer) const;
  /// Forgets the soft bits of a layer: better ones are about to be added.
  void reset(std::uint16_t sequence, Layer layer);

  /// Decodes what has become decodable.
  void decode();
  /// Share of a layer's blocks that were decoded: 1 for a layer that bears none.
  [[nodiscard]] double known_share(std::uint16_t sequence, Layer layer) const;
  /// Blocks of a channel that were decoded; grows.
  [[nodiscard]] std::size_t known_blocks(std::uint16_t sequence, int channel) const;
  /// Levels of the data cells that decoded blocks settle, -1 dark and 1 bright, 0 where nothing is
  /// known; empty for a frame that is not open, and for modes of more than two levels.
  [[nodiscard]] std::span<const std::int8_t> levels(std::uint16_t sequence, int channel) const;

  /// Decodes, gives out what is new, and closes frames that have passed.
  struct Result {
    std::vector<FrameReception> frames;
    int blocks_bad = 0;
  };
  [[nodiscard]] Result collect();

 private:
  struct Frame;
  struct Slot {
    Layer layer;
    std::vector<std::uint32_t> places;  ///< Of each coded bit, among the channel's bits.
  };
  [[nodiscard]] Frame* find(std::uint16_t sequence) const;
  [[nodiscard]] std::unique_ptr<Frame> make_frame(std::uint16_t sequence);
  Frame& open(std::uint16_t sequence);
  void decode(Frame& frame);
  [[nodiscard]] bool decode_slot(Frame& frame, std::size_t slot);
  void settle(Frame& frame, std::size_t slot, const BitVector& coded);
  void place_layer(Layer layer);
  /// Soft bits of a block into scratch_, from its bit `begin` to scratch_'s end.
  void gather(const Frame& frame, const Slot& slot, std::size_t begin);
  [[nodiscard]] bool is_promising(const Frame& frame, const Slot& slot);
  [[nodiscard]] int count_bad(const Frame& frame) const;
  [[nodiscard]] bool is_filler(std::size_t layer, std::int64_t deviations) const;

  std::shared_ptr<const Layout> layout_;
  std::uint8_t node_;
  std::vector<Slot> slots_;                                ///< As block_slots() numbers them.
  std::array<std::vector<std::uint32_t>, 3> idle_places_;  ///< Of each channel: taken by no block.
  std::array<BitVector, kMostLayers> fillers_;
  std::vector<std::unique_ptr<Frame>> frames_;  ///< Oldest first.
  std::vector<std::unique_ptr<Frame>> spare_;   ///< Memory of frames that have passed.
  std::optional<std::uint16_t> closed_;         ///< Newest frame that has ended.
  std::vector<Llr> scratch_;
  LdpcDecoder decoder_;

 public:
  ~FrameAssembler();
  FrameAssembler(FrameAssembler&&) noexcept;
  FrameAssembler& operator=(FrameAssembler&&) noexcept;
};

}  // namespace wccl::phy
