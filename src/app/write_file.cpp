#include "app/write_file.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

#include "base/io_reason.h"

namespace wccl::app {
namespace {

namespace fs = std::filesystem;

/// @return 0, or errno when it could not be written; nothing is left of it then.
int put(const fs::path& path, std::span<const std::byte> content) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    return errno;
  }
  // An empty span may have no place at all, which fwrite() may not be given.
  const bool is_in =
      content.empty() || std::fwrite(content.data(), 1, content.size(), file) == content.size();
  int reason = is_in ? 0 : errno;
  // The disk can be full as late as here.
  if (std::fclose(file) != 0 && reason == 0) {
    reason = errno;
  }
  if (reason != 0) {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  return reason;
}

Status written(const fs::path& path, int reason) {
  if (reason == 0) {
    return {};
  }
  return fail(ErrorCode::kIo, fmt::format("cannot write {}: {}", path.string(), io_reason(reason)));
}

}  // namespace

Status write_file(const fs::path& path, std::span<const std::byte> content) {
  return written(path, put(path, content));
}

Status write_whole_file(const fs::path& path, std::span<const std::byte> content) {
  fs::path part = path;
  part += ".part";
  if (const int reason = put(part, content); reason != 0) {
    return written(path, reason);
  }
  std::error_code error;
  fs::rename(part, path, error);
  if (error) {
    std::error_code ignored;
    fs::remove(part, ignored);
  }
  return written(path, error.value());
}

}  // namespace wccl::app
