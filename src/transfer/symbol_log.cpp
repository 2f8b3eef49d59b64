#include "transfer/symbol_log.h"

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <limits>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/bytes.h"
#include "phy/block_codec.h"
#include "phy/crc.h"
#include "transfer/manifest.h"

namespace wccl::transfer {
namespace {

constexpr std::byte kVersion{1};
// Generation, index, symbol, CRC-32 of these.
constexpr std::size_t kRecordBytes = 4 + 4 + phy::kBlockPayloadBytes + 4;
constexpr std::size_t kReadRecords = 1024;
constexpr std::size_t kMostUnwritten = 256 * kRecordBytes;
// Of a log: what is in it is checked record by record.
constexpr std::uint64_t kMostBytes = std::numeric_limits<std::uint64_t>::max();

struct Record {
  link::SymbolId id;
  std::span<const std::byte> symbol;
};

/// @param bytes  [kRecordBytes]. @return nothing for a torn one.
std::optional<Record> parse_record(std::span<const std::byte> bytes) {
  const auto body = bytes.first(kRecordBytes - 4);
  if (ByteReader(bytes.last(4)).get<std::uint32_t>() != phy::crc32(body)) {
    return std::nullopt;
  }
  ByteReader reader(body);
  const auto generation = *reader.get<std::uint32_t>();
  const auto index = *reader.get<std::uint32_t>();
  return Record{{generation, index}, reader.rest()};
}

}  // namespace

Result<SymbolLog> SymbolLog::open(const Destination& destination, const link::FileObjectId& id) {
  SymbolLog log(destination, fmt::format("one-way-{:04x}-{}", id.epoch, id.bytes));
  const std::string parent(kPartialFolder);
  auto folder = destination.open_folder_in(destination.handle(), parent, parent);
  if (!folder) {
    return tl::make_unexpected(folder.error());
  }
  log.parent_ = *std::move(folder);
  if (auto status = destination.clear_unless_kept(log.parent_, log.name_, kMostBytes,
                                                  parent + "/" + log.name_);
      !status) {
    return tl::make_unexpected(status.error());
  }
  log.file_ = FileHandle(::openat(log.parent_.get(), log.name_.c_str(),
                                  O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!log.file_.is_open()) {
    return log.io_failed();
  }
  if (::flock(log.file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return fail(ErrorCode::kIo, fmt::format("another program receives the same files into {}",
                                            destination.shown("")));
  }
  return log;
}

tl::unexpected<Error> SymbolLog::io_failed() const {
  return io_error("write into", destination_->shown(std::string(kPartialFolder)));
}

Status SymbolLog::read(const Sink& sink) {
  Bytes version(1);
  if (file_.read_at(0, version) != 1 || version[0] != kVersion) {
    version[0] = kVersion;
    if (::ftruncate(file_.get(), 0) != 0 || !file_.write_at(0, version)) {
      return io_failed();
    }
  }
  end_ = 1;
  Bytes chunk(kReadRecords * kRecordBytes);
  bool is_torn = false;
  for (std::int64_t n = 1; n > 0 && !is_torn;) {
    n = file_.read_at(end_, chunk);
    std::span<const std::byte> rest(chunk);
    rest = rest.first(static_cast<std::size_t>(std::max<std::int64_t>(n, 0)));
    is_torn = rest.size() % kRecordBytes != 0;
    for (; rest.size() >= kRecordBytes; rest = rest.subspan(kRecordBytes)) {
      const auto record = parse_record(rest.first(kRecordBytes));
      if (!record) {
        is_torn = true;
        break;
      }
      sink(record->id, record->symbol);
      end_ += kRecordBytes;
    }
  }
  return ::ftruncate(file_.get(), static_cast<off_t>(end_)) == 0 ? Status{} : Status(io_failed());
}

Status SymbolLog::append(link::SymbolId id, std::span<const std::byte> symbol) {
  assert(symbol.size() == phy::kBlockPayloadBytes);
  ByteWriter writer;
  writer.put(id.generation);
  writer.put(id.index);
  writer.put_bytes(symbol);
  Bytes record = writer.take();
  ByteWriter tail;
  tail.put(phy::crc32(record));
  const Bytes crc = tail.take();
  unwritten_.insert(unwritten_.end(), record.begin(), record.end());
  unwritten_.insert(unwritten_.end(), crc.begin(), crc.end());
  return unwritten_.size() >= kMostUnwritten ? flush() : Status{};
}

Status SymbolLog::flush() {
  if (unwritten_.empty()) {
    return {};
  }
  if (!file_.write_at(end_, unwritten_)) {
    return io_failed();
  }
  end_ += unwritten_.size();
  unwritten_.clear();
  return {};
}

void SymbolLog::remove() {
  unwritten_.clear();
  ::unlinkat(parent_.get(), name_.c_str(), 0);
  // Stays while another transfer waits in it.
  ::unlinkat(destination_->handle().get(), std::string(kPartialFolder).c_str(), AT_REMOVEDIR);
}

}  // namespace wccl::transfer
