#include "app/folder.h"

#include <system_error>

#include <fmt/format.h>

namespace wccl::app {

namespace fs = std::filesystem;

Status make_folder(const fs::path& path, std::string_view what) {
  std::error_code error;
  fs::create_directories(path, error);
  // Some systems report an error for "it is there already"; what counts is what stands there now.
  if (std::error_code ignored; fs::is_directory(path, ignored)) {
    return {};
  }
  return fail(ErrorCode::kIo, fmt::format("cannot make the {} {}: {}", what, path.string(),
                                          error ? error.message() : "a file stands in its place"));
}

}  // namespace wccl::app
