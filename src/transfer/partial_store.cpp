#include "transfer/partial_store.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "phy/crc.h"

namespace wccl::transfer {
namespace {

constexpr std::uint8_t kJournalVersion = 1;
constexpr const char* kJournal = "journal";
constexpr const char* kNewJournal = "journal.new";
// Runs of pieces, each of which wants a gap: far more than a transfer ever has.
constexpr std::size_t kMostJournalBytes = std::size_t{16} << 20U;

Bytes encode_journal(const PieceSet& held) {
  ByteWriter writer;
  writer.put(kJournalVersion);
  for (const PieceRange& range : held.ranges()) {
    writer.put(range.begin);
    writer.put(range.end);
  }
  Bytes journal = writer.take();
  ByteWriter tail;
  tail.put(phy::crc32(journal));
  const Bytes crc = tail.take();
  journal.insert(journal.end(), crc.begin(), crc.end());
  return journal;
}

/// @return nothing held for a journal that cannot be read.
PieceSet parse_journal(std::span<const std::byte> journal, std::uint32_t n_pieces) {
  constexpr std::size_t kCrcBytes = 4;
  if (journal.size() < kCrcBytes) {
    return {};
  }
  const auto body = journal.first(journal.size() - kCrcBytes);
  ByteReader reader(body);
  if (ByteReader(journal.last(kCrcBytes)).get<std::uint32_t>() != phy::crc32(body) ||
      reader.get<std::uint8_t>() != kJournalVersion) {
    return {};
  }
  PieceSet held;
  while (true) {
    const auto begin = reader.get<std::uint32_t>();
    const auto end = reader.get<std::uint32_t>();
    if (!end) {
      return held;
    }
    if (*end > n_pieces) {
      return {};
    }
    held.add({*begin, *end});
  }
}

mode_t mode_of(const Entry& entry) {
  return entry.kind == EntryKind::kProgram ? 0777 : 0666;
}

}  // namespace

Result<PartialStore> PartialStore::open(const Destination& destination, const Manifest& manifest) {
  PartialStore store(destination, manifest);
  const std::string parent(kPartialFolder);
  const std::string name = to_hex(manifest.id());
  auto opened = destination.open_folder_in(destination.handle(), parent, parent);
  if (opened) {
    store.parent_ = *std::move(opened);
    opened = destination.open_folder_in(store.parent_, name, parent + "/" + name);
  }
  if (!opened) {
    return tl::make_unexpected(opened.error());
  }
  store.folder_ = *std::move(opened);
  if (auto status = store.lock(); !status) {
    return tl::make_unexpected(status.error());
  }
  store.read_journal();
  if (auto status = store.check_files(); !status) {
    return tl::make_unexpected(status.error());
  }
  return store;
}

std::string PartialStore::shown() const {
  return destination_->shown(std::string(kPartialFolder));
}

std::string PartialStore::path_of(const std::string& name) const {
  return fmt::format("{}/{}/{}", kPartialFolder, to_hex(manifest_->id()), name);
}

Status PartialStore::lock() {
  if (::flock(folder_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return fail(ErrorCode::kIo, fmt::format("another program receives the same files into {}",
                                            destination_->shown("")));
  }
  return {};
}

void PartialStore::read_journal() {
  const FileHandle file(
      ::openat(folder_.get(), kJournal, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status{};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::uint64_t>(status.st_size) > kMostJournalBytes) {
    return;
  }
  Bytes journal(static_cast<std::size_t>(status.st_size));
  if (file.read_at(0, journal) == static_cast<std::int64_t>(journal.size())) {
    held_ = parse_journal(journal, manifest_->n_pieces());
  }
}

Status PartialStore::check_files() {
  for (std::size_t entry = 0; entry < manifest_->entries().size(); ++entry) {
    const std::string name = fmt::to_string(entry);
    const std::uint64_t n_bytes = manifest_->entries()[entry].n_bytes;
    // Nobody would verify what is behind the end.
    if (auto status = destination_->clear_unless_kept(folder_, name, n_bytes, path_of(name));
        !status) {
      return status;
    }
    struct stat status{};
    PieceRange lacking = manifest_->pieces_of(entry);
    if (::fstatat(folder_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
      const auto there = static_cast<std::uint64_t>(status.st_size);
      lacking.begin += there == n_bytes ? lacking.end - lacking.begin
                                        : static_cast<std::uint32_t>(there / kPieceBytes);
    }
    held_.remove(lacking);
  }
  return {};
}

Status PartialStore::write(std::size_t entry,
                           std::uint64_t offset,
                           std::span<const std::byte> bytes) {
  if (auto status = switch_to(entry); !status) {
    return status;
  }
  if (!open_file_.write_at(offset, bytes)) {
    return io_error("write into", shown());
  }
  unsaved_bytes_ += bytes.size();
  return {};
}

void PartialStore::forget(std::size_t entry) {
  held_.remove(manifest_->pieces_of(entry));
}

Result<FileHandle> PartialStore::open_file_of(std::size_t entry) const {
  FileHandle file(::openat(folder_.get(), fmt::to_string(entry).c_str(),
                           O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
                           mode_of(manifest_->entries()[entry])));
  if (!file.is_open()) {
    return io_error("write into", shown());
  }
  return file;
}

Status PartialStore::switch_to(std::size_t entry) {
  if (open_file_.is_open() && open_entry_ == entry) {
    return {};
  }
  // The journal may only speak of what is on disk, and only the open file is synchronised later.
  if (open_file_.is_open() && unsaved_bytes_ > 0 && ::fsync(open_file_.get()) != 0) {
    return io_error("write into", shown());
  }
  auto file = open_file_of(entry);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  open_file_ = *std::move(file);
  open_entry_ = entry;
  return {};
}

Status PartialStore::save() {
  if (open_file_.is_open() && ::fsync(open_file_.get()) != 0) {
    return io_error("write into", shown());
  }
  ::unlinkat(folder_.get(), kNewJournal, 0);
  const FileHandle journal(
      ::openat(folder_.get(), kNewJournal, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!journal.is_open() || !journal.write_at(0, encode_journal(held_)) ||
      ::fsync(journal.get()) != 0 ||
      ::renameat(folder_.get(), kNewJournal, folder_.get(), kJournal) != 0) {
    return io_error("write into", shown());
  }
  unsaved_bytes_ = 0;
  return {};
}

Status PartialStore::move_out(std::size_t entry) {
  if (auto status = switch_to(entry); !status) {
    return status;
  }
  if (::fsync(open_file_.get()) != 0) {
    return io_error("write into", shown());
  }
  if (open_file_.n_bytes() != manifest_->entries()[entry].n_bytes) {
    return fail(ErrorCode::kIo, fmt::format("another program has written into {}; start again",
                                            destination_->shown(path_of(fmt::to_string(entry)))));
  }
  open_file_ = {};
  return destination_->move_in(folder_, fmt::to_string(entry), manifest_->entries()[entry]);
}

void PartialStore::remove() {
  open_file_ = {};
  ::unlinkat(folder_.get(), kJournal, 0);
  ::unlinkat(folder_.get(), kNewJournal, 0);
  for (std::size_t entry = 0; entry < manifest_->entries().size(); ++entry) {
    ::unlinkat(folder_.get(), fmt::to_string(entry).c_str(), 0);
  }
  ::unlinkat(parent_.get(), to_hex(manifest_->id()).c_str(), AT_REMOVEDIR);
  // Stays while another transfer waits in it.
  ::unlinkat(destination_->handle().get(), std::string(kPartialFolder).c_str(), AT_REMOVEDIR);
}

}  // namespace wccl::transfer
