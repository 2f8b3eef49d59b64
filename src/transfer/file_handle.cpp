#include "transfer/file_handle.h"

#include <cerrno>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io_reason.h"

namespace wccl::transfer {

FileHandle::~FileHandle() {
  if (is_open()) {
    ::close(descriptor_);
  }
}

std::optional<std::uint64_t> FileHandle::n_bytes() const {
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(status.st_size);
}

bool FileHandle::write_at(std::uint64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return true;
}

std::int64_t FileHandle::read_at(std::uint64_t offset, std::span<std::byte> bytes) const {
  std::int64_t total = 0;
  while (!bytes.empty()) {
    const ssize_t n = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n < 0) {
      return -1;
    }
    if (n == 0) {
      break;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
    total += n;
  }
  return total;
}

tl::unexpected<Error> io_error(std::string_view verb, const std::string& path) {
  return fail(ErrorCode::kIo, fmt::format("cannot {} {}: {}", verb, path, io_reason(errno)));
}

}  // namespace wccl::transfer
