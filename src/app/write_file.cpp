#include "app/write_file.h"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>

#include "base/io_reason.h"

namespace wccl::app {

Status write_file(const std::filesystem::path& path, std::span<const std::byte> content) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot write {}: {}", path.string(), io_reason(errno)));
  }
  int reason = std::fwrite(content.data(), 1, content.size(), file) == content.size() ? 0 : errno;
  // The disk can be full as late as here.
  if (std::fclose(file) != 0 && reason == 0) {
    reason = errno;
  }
  if (reason == 0) {
    return {};
  }
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return fail(ErrorCode::kIo, fmt::format("cannot write {}: {}", path.string(), io_reason(reason)));
}

}  // namespace wccl::app
