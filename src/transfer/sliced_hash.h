#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "transfer/file_handle.h"
#include "transfer/hash.h"

namespace wccl::transfer {

/// Hashes a file a slice at a time, so that whoever does it still answers meanwhile. One of another
/// size is unreadable: of a longer one the hash would be of a part.
class SlicedHash {
 public:
  SlicedHash(FileHandle file, std::uint64_t n_bytes) : file_(std::move(file)), n_bytes_(n_bytes) {}

  enum class State : std::uint8_t { kGoesOn, kDone, kUnreadable };
  State step() {
    std::vector<std::byte> slice(
        static_cast<std::size_t>(std::min<std::uint64_t>(kSliceBytes, n_bytes_ - offset_)));
    const std::int64_t n = file_.read_at(offset_, slice);
    if (n != static_cast<std::int64_t>(slice.size())) {
      return State::kUnreadable;
    }
    hasher_.add(slice);
    offset_ += slice.size();
    if (offset_ < n_bytes_) {
      return State::kGoesOn;
    }
    return file_.n_bytes() == n_bytes_ ? State::kDone : State::kUnreadable;
  }
  /// Once, when step() has said kDone.
  [[nodiscard]] Sha256 finish() { return hasher_.finish(); }

 private:
  // Some 10 ms.
  static constexpr std::uint64_t kSliceBytes = std::uint64_t{4} << 20U;
  FileHandle file_;
  std::uint64_t n_bytes_;
  std::uint64_t offset_ = 0;
  Hasher hasher_;
};

}  // namespace wccl::transfer
