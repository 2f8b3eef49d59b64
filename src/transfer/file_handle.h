#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "wccl/result.h"

namespace wccl::transfer {

/// An open file or folder; closes itself.
class FileHandle {
 public:
  FileHandle() = default;
  /// @param descriptor  Of open(2); -1: none.
  explicit FileHandle(int descriptor) : descriptor_(descriptor) {}
  ~FileHandle();
  FileHandle(FileHandle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileHandle& operator=(FileHandle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  [[nodiscard]] int get() const { return descriptor_; }

  // These leave the reason in errno.
  /// The file's size; nothing when it does not tell.
  [[nodiscard]] std::optional<std::uint64_t> n_bytes() const;
  [[nodiscard]] bool write_at(std::uint64_t offset, std::span<const std::byte> bytes) const;
  /// @return how many bytes were there before the end; -1 when it cannot be read.
  [[nodiscard]] std::int64_t read_at(std::uint64_t offset, std::span<std::byte> bytes) const;

 private:
  int descriptor_ = -1;
};

/// "cannot write X: ..." by errno; a full disk is said in words that tell what to do.
[[nodiscard]] tl::unexpected<Error> io_error(std::string_view verb, const std::string& path);

}  // namespace wccl::transfer
