#include "transfer/destination.h"

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace wccl::transfer {
namespace {

namespace fs = std::filesystem;

constexpr int kFolderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

FileHandle duplicate(const FileHandle& handle) {
  return FileHandle(::fcntl(handle.get(), F_DUPFD_CLOEXEC, 0));
}

}  // namespace

Result<Destination> Destination::open(const fs::path& folder, bool replace) {
  MadeFolders made(folder);
  FileHandle handle(::open(folder.c_str(), kFolderFlags));
  if (!handle.is_open() || ::faccessat(handle.get(), ".", W_OK | X_OK, 0) != 0) {
    return io_error("write into", folder.string());
  }
  return Destination(folder, std::move(made), std::move(handle), replace);
}

Result<FileHandle> Destination::open_folder_in(const FileHandle& parent,
                                               const std::string& name,
                                               const std::string& local_path) const {
  if (::mkdirat(parent.get(), name.c_str(), 0777) != 0 && errno != EEXIST) {
    return no_folder(local_path);
  }
  FileHandle folder(::openat(parent.get(), name.c_str(), kFolderFlags | O_NOFOLLOW));
  if (!folder.is_open()) {
    return no_folder(local_path);
  }
  return folder;
}

Status Destination::clear_unless_kept(const FileHandle& folder,
                                      const std::string& name,
                                      std::uint64_t most_bytes,
                                      const std::string& local_path) const {
  struct stat status{};
  if (::fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return {};
  }
  if (S_ISREG(status.st_mode) && status.st_nlink <= 1 &&
      static_cast<std::uint64_t>(status.st_size) <= most_bytes) {
    return {};
  }
  if (::unlinkat(folder.get(), name.c_str(), S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0) != 0) {
    return fail(ErrorCode::kIo, fmt::format("{} is in the way: remove it, or choose another folder",
                                            shown(local_path)));
  }
  return {};
}

std::string Destination::shown(const std::string& local_path) const {
  return (folder_ / local_path).string();
}

std::optional<std::uint64_t> Destination::free_bytes() const {
  struct statvfs disk{};
  if (::fstatvfs(handle_.get(), &disk) != 0) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize;
}

tl::unexpected<Error> Destination::taken(const Entry& entry) const {
  return fail(ErrorCode::kIo,
              fmt::format("{} is there already with another content; --force on the receiving side "
                          "replaces it, another folder avoids it",
                          shown(entry.local_path)));
}

tl::unexpected<Error> Destination::no_folder(const std::string& local_path) const {
  if (errno != ELOOP && errno != ENOTDIR) {
    return io_error("write into", shown(local_path));
  }
  return fail(ErrorCode::kIo,
              fmt::format("{} is in the way: a folder is to be there, and links are not followed; "
                          "move it, or choose another folder",
                          shown(local_path)));
}

Result<Destination::Parent> Destination::parent_of(const Entry& entry, bool make) const {
  FileHandle folder = duplicate(handle_);
  std::size_t begin = 0;
  while (true) {
    const std::size_t slash = entry.local_path.find('/', begin);
    const std::string name = entry.local_path.substr(begin, slash - begin);
    if (slash == std::string::npos) {
      return Parent{std::move(folder), name};
    }
    const std::string path = entry.local_path.substr(0, slash);
    if (make) {
      auto child = open_folder_in(folder, name, path);
      if (!child) {
        return tl::make_unexpected(child.error());
      }
      folder = *std::move(child);
    } else {
      FileHandle child(::openat(folder.get(), name.c_str(), kFolderFlags | O_NOFOLLOW));
      if (!child.is_open()) {
        return errno == ENOENT ? Result<Parent>(Parent{{}, name}) : no_folder(path);
      }
      folder = std::move(child);
    }
    begin = slash + 1;
  }
}

Result<Destination::Place> Destination::look_at(const Entry& entry) const {
  const auto parent = parent_of(entry, false);
  if (!parent) {
    return tl::make_unexpected(parent.error());
  }
  struct stat status{};
  if (!parent->folder.is_open() ||
      ::fstatat(parent->folder.get(), parent->name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return Place{};
  }
  const bool is_folder = S_ISDIR(status.st_mode);
  if (entry.kind == EntryKind::kFolder || is_folder) {
    if (entry.kind == EntryKind::kFolder && is_folder) {
      return Place{true, {}};
    }
    return fail(ErrorCode::kIo,
                fmt::format("{} is there already, and one is a folder and the other is not; move "
                            "it, or choose another folder",
                            shown(entry.local_path)));
  }
  Place place{true, {}};
  if (S_ISREG(status.st_mode) && static_cast<std::uint64_t>(status.st_size) == entry.n_bytes) {
    place.file = FileHandle(
        ::openat(parent->folder.get(), parent->name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  }
  if (!place.file.is_open() && !replace_) {
    return taken(entry);
  }
  return place;
}

Status Destination::make_folder(const Entry& entry) const {
  const auto parent = parent_of(entry, true);
  if (!parent) {
    return tl::make_unexpected(parent.error());
  }
  const auto folder = open_folder_in(parent->folder, parent->name, entry.local_path);
  return folder ? Status{} : tl::make_unexpected(folder.error());
}

Status Destination::move_in(const FileHandle& from,
                            const std::string& name,
                            const Entry& entry) const {
  const auto parent = parent_of(entry, true);
  if (!parent) {
    return tl::make_unexpected(parent.error());
  }
  const int to = parent->folder.get();
  if (!replace_) {
    // A link, other than a rename, never takes another file's place.
    if (::linkat(from.get(), name.c_str(), to, parent->name.c_str(), 0) == 0) {
      ::unlinkat(from.get(), name.c_str(), 0);
      return {};
    }
    if (errno == EEXIST) {
      return taken(entry);
    }
    // File systems without hard links: nobody else writes here, or they race with us knowingly.
    struct stat status{};
    if (::fstatat(to, parent->name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
      return taken(entry);
    }
  }
  if (::renameat(from.get(), name.c_str(), to, parent->name.c_str()) != 0) {
    return io_error("write", shown(entry.local_path));
  }
  return {};
}

}  // namespace wccl::transfer
