#include "transfer/source_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

namespace wccl::transfer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReadBytes = std::size_t{1} << 20U;

FileHandle open_for_reading(const fs::path& path) {
  // Nobody at the other end of a pipe must not keep us waiting.
  return FileHandle(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

tl::unexpected<Error> changed(const fs::path& path) {
  return fail(ErrorCode::kIo,
              fmt::format("{} was changed while it was being sent; send it again", path.string()));
}

/// What a path is called, "." and "dir/" too.
std::string name_of(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  const std::string name = (normal.has_filename() ? normal : normal.parent_path()).filename();
  if (name.empty() || name == "." || name == "..") {
    std::error_code ignored;
    return fs::canonical(path, ignored).filename();
  }
  return name;
}

}  // namespace

/// Collects entries, folder by folder.
class SourceFiles::Scan {
 public:
  explicit Scan(const std::function<bool()>& is_cancelled) : is_cancelled_(is_cancelled) {}

  Status add_root(const fs::path& path) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status)) {
      return fail(ErrorCode::kNotFound,
                  fmt::format("cannot read {}: {}", path.string(),
                              error ? error.message() : std::strerror(ENOENT)));
    }
    const std::string name = name_of(path);
    if (name.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} has no name of its own: send what is in it", path.string()));
    }
    if (!roots_.insert(name).second) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("two of the paths are called {}: send one after the other", name));
    }
    if (fs::is_directory(status)) {
      return add_folder(path, name);
    }
    if (fs::is_regular_file(status)) {
      return add_file(path, name);
    }
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is neither a file nor a folder", path.string()));
  }

  std::vector<Found> found;
  std::vector<std::string> left_out;

 private:
  Status add_folder(const fs::path& folder, const std::string& name) {
    std::error_code error;
    std::vector<fs::directory_entry> children;
    for (auto it = fs::directory_iterator(folder, error); !error && it != fs::directory_iterator();
         it.increment(error)) {
      children.push_back(*it);
    }
    if (error) {
      return fail(ErrorCode::kIo,
                  fmt::format("cannot read {}: {}", folder.string(), error.message()));
    }
    if (children.empty()) {
      found.push_back({folder, {EntryKind::kFolder, name}, {}});
      return {};
    }
    std::ranges::sort(children);
    for (const auto& child : children) {
      if (auto status = add_child(child, name + "/" + child.path().filename().string()); !status) {
        return status;
      }
    }
    return {};
  }

  Status add_child(const fs::directory_entry& child, const std::string& name) {
    if (is_partial_folder(child.path().filename().string())) {
      left_out.push_back(child.path().string() + ": files that wccl has not received whole");
      return {};
    }
    std::error_code error;
    const auto status = child.symlink_status(error);
    if (error) {
      return fail(ErrorCode::kIo,
                  fmt::format("cannot read {}: {}", child.path().string(), error.message()));
    }
    if (fs::is_directory(status)) {
      return add_folder(child.path(), name);
    }
    if (fs::is_regular_file(status)) {
      return add_file(child.path(), name);
    }
    left_out.push_back(child.path().string() + ": a link, or no file");
    return {};
  }

  Status add_file(const fs::path& path, const std::string& name) {
    const FileHandle file = open_for_reading(path);
    struct stat status{};
    if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
      return io_error("read", path.string());
    }
    const auto stamp = *stamp_of(file);
    const bool runs = (status.st_mode & S_IXUSR) != 0;
    Entry entry{runs ? EntryKind::kProgram : EntryKind::kFile, name, stamp.n_bytes};
    auto hash = hash_of(file, path, stamp.n_bytes);
    if (!hash) {
      return tl::make_unexpected(hash.error());
    }
    if (stamp_of(file) != stamp) {
      return changed(path);
    }
    if (!*hash) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} is longer or shorter than the system says: send a copy of it",
                              path.string()));
    }
    entry.sha256 = **hash;
    found.push_back({path, std::move(entry), stamp});
    return {};
  }

  /// @return nothing for a file of another size, as some are that the system makes up (/proc).
  Result<std::optional<Sha256>> hash_of(const FileHandle& file,
                                        const fs::path& path,
                                        std::uint64_t n_bytes) {
    Hasher hasher;
    buffer_.resize(kReadBytes);
    std::uint64_t at = 0;
    // Until nothing more comes, and not until all has come.
    for (std::int64_t n = 1; n > 0 && at <= n_bytes; at += static_cast<std::uint64_t>(n)) {
      if (is_cancelled_ && is_cancelled_()) {
        return fail(ErrorCode::kCancelled, "interrupted");
      }
      n = file.read_at(at, buffer_);
      if (n < 0) {
        return io_error("read", path.string());
      }
      hasher.add(std::span(buffer_).first(static_cast<std::size_t>(n)));
    }
    return at == n_bytes ? std::optional(hasher.finish()) : std::nullopt;
  }

  const std::function<bool()>& is_cancelled_;
  std::set<std::string> roots_;
  std::vector<std::byte> buffer_;
};

Result<SourceFiles> SourceFiles::open(std::span<const fs::path> paths,
                                      const std::function<bool()>& is_cancelled) {
  Scan scan(is_cancelled);
  for (const auto& path : paths) {
    if (auto status = scan.add_root(path); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  if (scan.found.empty()) {
    return fail(ErrorCode::kInvalidArgument, "nothing to send: there are no files in it");
  }
  std::vector<Entry> entries;
  for (const Found& each : scan.found) {
    entries.push_back(each.entry);
  }
  auto manifest = Manifest::of(entries);
  if (!manifest) {
    return tl::make_unexpected(manifest.error());
  }
  SourceFiles files(*std::move(manifest));
  files.found_ = std::move(scan.found);
  files.left_out_ = std::move(scan.left_out);
  return files;
}

std::optional<SourceFiles::Stamp> SourceFiles::stamp_of(const FileHandle& file) {
  struct stat status{};
  if (::fstat(file.get(), &status) != 0) {
    return std::nullopt;
  }
#ifdef __APPLE__
  const timespec modified = status.st_mtimespec;
#else
  const timespec modified = status.st_mtim;
#endif
  return Stamp{static_cast<std::uint64_t>(status.st_size),
               static_cast<std::int64_t>(modified.tv_sec) * 1'000'000'000 + modified.tv_nsec,
               static_cast<std::uint64_t>(status.st_ino)};
}

Result<Bytes> SourceFiles::read(PieceRange pieces) {
  Bytes bytes(manifest_.bytes_in(pieces));
  std::span<std::byte> rest(bytes);
  for (const auto& segment : manifest_.segments(pieces)) {
    if (auto status = read_segment(segment, rest.first(segment.n_bytes)); !status) {
      return tl::make_unexpected(status.error());
    }
    rest = rest.subspan(segment.n_bytes);
  }
  return bytes;
}

Status SourceFiles::read_segment(const Manifest::Segment& segment, std::span<std::byte> bytes) {
  const Found& source = found_[segment.entry];
  if (!open_file_.is_open() || open_entry_ != segment.entry) {
    open_file_ = open_for_reading(source.path);
    open_entry_ = segment.entry;
    if (!open_file_.is_open()) {
      return io_error("read", source.path.string());
    }
  }
  const auto n = open_file_.read_at(segment.offset, bytes);
  if (n < 0) {
    return io_error("read", source.path.string());
  }
  if (static_cast<std::size_t>(n) != bytes.size() || stamp_of(open_file_) != source.stamp) {
    return changed(source.path);
  }
  return {};
}

}  // namespace wccl::transfer
