#include "train/whole_file.h"

#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace wccl::train {
namespace {

bool write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n_written = write(descriptor, bytes.data(), bytes.size());
    if (n_written <= 0) {
      return false;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(n_written));
  }
  return true;
}

/// @return whether all of it is on the disk.
bool write_and_flush(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  constexpr int kReadableByAll = 0644;
  const int descriptor =
      open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kReadableByAll);
  if (descriptor < 0) {
    return false;
  }
  const bool written = write_all(descriptor, bytes) && fsync(descriptor) == 0;
  return close(descriptor) == 0 && written;
}

}  // namespace

Status write_whole_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  std::filesystem::path unfinished = path;
  unfinished += ".part";
  std::error_code error;
  const bool written = write_and_flush(unfinished, bytes);
  if (written) {
    std::filesystem::rename(unfinished, path, error);
  }
  if (!written || error) {
    return fail(ErrorCode::kIo,
                fmt::format("{} cannot be written; check space and permissions", path.string()));
  }
  flush_folder(path.parent_path());
  return {};
}

void flush_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) {
    fsync(descriptor);
    close(descriptor);
  }
}

}  // namespace wccl::train
