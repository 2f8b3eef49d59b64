#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "phy/llr.h"

namespace wccl::phy {

/// A keystream over the places of a frame's channel: whatever the data, half of the cells are
/// bright, frames of the same data look different, and so do two screens. Undone by applying it
/// again.
class Scrambler {
 public:
  /// @param node      Of the sender, as in the header.
  /// @param sequence  Of the frame, as in the header.
  /// @param channel   0 R or luma, 1 G, 2 B.
  Scrambler(std::uint8_t node, std::uint16_t sequence, int channel);

  /// The keystream's bit at a place, 0 or 1: places in any order.
  [[nodiscard]] std::uint8_t bit(std::size_t place) const;
  /// @param bits  Of places 0, 1, 2, ...: flipped where the keystream is 1.
  void apply(std::span<std::uint8_t> bits) const;
  /// The same for what the receiver thinks of those bits.
  void apply(std::span<Llr> llrs) const;

 private:
  std::uint64_t first_index_;
};

}  // namespace wccl::phy
