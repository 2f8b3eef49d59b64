#include "app/received_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/folder.h"
#include "base/io_reason.h"
#include "device/picture.h"

namespace wccl::app {
namespace {

namespace fs = std::filesystem;

/// A new file with a name that nobody has; gone again unless it is kept.
class PartFile {
 public:
  explicit PartFile(const fs::path& folder) : name_((folder / ".wccl-XXXXXX").string()) {
    descriptor_ = mkstemp(name_.data());
  }
  ~PartFile() {
    if (descriptor_ >= 0) {
      ::close(descriptor_);
    }
    if (!kept_ && descriptor_ != kNever) {
      ::unlink(name_.c_str());
    }
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  [[nodiscard]] bool write(std::span<const std::byte> bytes) {
    if (descriptor_ < 0) {
      return false;
    }
    while (!bytes.empty()) {
      const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) {
        continue;
      }
      if (n <= 0) {
        return false;
      }
      bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    // mkstemp's files are ours alone; this one gets the rights of any new file.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return ::fchmod(descriptor_, 0666 & ~mask) == 0 && ::fsync(descriptor_) == 0;
  }
  /// @return false with errno when it cannot be put there. Without `replace`, EEXIST when the place
  /// is taken.
  [[nodiscard]] bool move_to(const fs::path& path, bool replace) {
    if (replace) {
      kept_ = ::rename(name_.c_str(), path.c_str()) == 0;
      return kept_;
    }
    return ::link(name_.c_str(), path.c_str()) ==
           0;  // and the destructor takes the first name away
  }

 private:
  static constexpr int kNever = -1;
  std::string name_;
  int descriptor_ = kNever;
  bool kept_ = false;
};

bool holds(const fs::path& path, std::span<const std::byte> content) {
  const auto there = device::read_file(path, content.size());
  return there && std::ranges::equal(*there, content);
}

Status cannot(const fs::path& path) {
  return fail(ErrorCode::kIo, fmt::format("cannot write {}: {}", path.string(), io_reason(errno)));
}

}  // namespace

Status store_received_file(const fs::path& folder,
                           const std::string& name,
                           std::span<const std::byte> content,
                           bool force) {
  const fs::path path = folder / name;
  std::error_code error;
  const auto there = fs::symlink_status(path, error);
  if (fs::exists(there)) {
    if (fs::is_regular_file(there) && holds(path, content)) {
      return {};
    }
    if (!force) {
      return fail(
          ErrorCode::kIo,
          fmt::format("{} is there already with another content; --force replaces it, --out "
                      "names another folder",
                      path.string()));
    }
  }
  PartFile part(folder);
  if (!part.write(content)) {
    return cannot(path);
  }
  if (part.move_to(path, force)) {
    return {};
  }
  // File systems without hard links: nobody else writes here, or they race with us knowingly.
  if (!force && errno != EEXIST && part.move_to(path, true)) {
    return {};
  }
  return cannot(path);
}

Status prepare_receive_folder(const fs::path& folder) {
  if (auto status = make_folder(folder); !status) {
    return status;
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    return cannot(folder);
  }
  return {};
}

}  // namespace wccl::app
