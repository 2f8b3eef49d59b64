#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace wccl::link {

/// Fills the blocks of a frame with packets, first to last.
class BlockPacker {
 public:
  /// @param reserve  Bytes of the first block that are kept for `put_reserved`.
  BlockPacker(std::span<const std::size_t> sizes, std::size_t reserve)
      : sizes_(sizes), reserve_(reserve) {}

  [[nodiscard]] std::size_t n_blocks() const { return sizes_.size(); }
  /// Blocks that bear something; the first one always does.
  [[nodiscard]] std::size_t n_used() const { return std::max<std::size_t>(blocks_.size(), 1); }

  /// Bytes free in a block.
  [[nodiscard]] std::size_t room(std::size_t block) const {
    const std::size_t used = block < blocks_.size() ? blocks_[block].size() : 0;
    return sizes_[block] - used - (block == 0 ? reserve_ : 0);
  }
  void put(std::size_t block, std::span<const std::byte> packet) {
    if (blocks_.size() <= block) {
      blocks_.resize(block + 1);
    }
    blocks_[block].insert(blocks_[block].end(), packet.begin(), packet.end());
  }
  /// Into the first block from `from` on that has room. @return which one that is.
  std::optional<std::size_t> put_first_fit(std::size_t from, std::span<const std::byte> packet) {
    for (std::size_t block = from; block < n_blocks(); ++block) {
      if (room(block) < packet.size()) {
        continue;
      }
      put(block, packet);
      return block;
    }
    return std::nullopt;
  }
  void put_reserved(std::span<const std::byte> packet) {
    reserve_ = 0;
    put(0, packet);
  }
  /// The used blocks, each zero padded to its size.
  [[nodiscard]] std::vector<std::vector<std::byte>> take() {
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      blocks_[block].resize(sizes_[block]);
    }
    return std::move(blocks_);
  }

 private:
  std::span<const std::size_t> sizes_;
  std::size_t reserve_;
  std::vector<std::vector<std::byte>> blocks_;
};

}  // namespace wccl::link
