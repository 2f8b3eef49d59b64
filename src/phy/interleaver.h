#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wccl::phy {

/// Spreads the coded bits of one channel's blocks over the frame (docs/frame_format.md,
/// "Interleaving").
///
/// Places, in scan order, form as many groups of n_blocks as a block has coded bits; every group
/// holds one bit of every block. So whatever is lost between two lines of the picture is lost in
/// equal shares by all blocks. A rotation that differs from group to group keeps a block from
/// standing in one column of the picture, and bits that are neighbours in the code are far from
/// each other.
class Interleaver {
 public:
  /// @param n_blocks  Blocks of this channel in a frame, at least 1.
  /// @param n_coded_bits  Of each block, at least 2.
  Interleaver(std::size_t n_blocks, std::size_t n_coded_bits);

  struct CodedBit {
    std::size_t block = 0;
    std::size_t bit = 0;
  };

  [[nodiscard]] std::size_t n_blocks() const { return n_blocks_; }
  /// Places used: n_blocks * n_coded_bits.
  [[nodiscard]] std::size_t n_places() const;
  [[nodiscard]] std::size_t place_of(CodedBit coded) const;
  [[nodiscard]] CodedBit coded_bit_at(std::size_t place) const;

 private:
  std::size_t n_blocks_;
  std::vector<std::uint32_t> rotation_;  ///< Of each group, below n_blocks.
  std::vector<std::uint32_t> bit_of_;    ///< The bit that a group holds of each block.
  std::vector<std::uint32_t> group_of_;  ///< The group of a bit.
};

}  // namespace wccl::phy
