#include "transfer/incoming_files.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace wccl::transfer {
namespace {

// What a crash may cost.
constexpr Duration kSavePeriod = std::chrono::seconds(1);
constexpr std::uint64_t kMostUnsavedBytes = std::uint64_t{16} << 20U;
// The link verifies what it brings: a file that comes wrong was changed under the sender's hands.
constexpr int kMostWrong = 2;

}  // namespace

IncomingFiles::IncomingFiles(const Destination& destination, Manifest manifest)
    : destination_(destination),
      manifest_(std::move(manifest)),
      states_(manifest_.entries().size(), State::kUnknown),
      wrong_(manifest_.entries().size(), 0) {}

IncomingFiles::~IncomingFiles() {
  if (store_ && !complete_ && store_->held().empty()) {
    store_->remove();
    return;
  }
  // Less is kept when the disk is full; what was saved last is there.
  static_cast<void>(save());
}

bool IncomingFiles::has_work() const {
  return !complete_ && (!store_ || !whole_.empty() || n_in_place_ == states_.size());
}

Status IncomingFiles::work(Instant now) {
  if (complete_) {
    return {};
  }
  if (n_looked_at_ < states_.size()) {
    return look_at_next();
  }
  if (!store_) {
    return open_store();
  }
  if (store_->unsaved_bytes() > kMostUnsavedBytes ||
      (store_->unsaved_bytes() > 0 && now - saved_at_ >= kSavePeriod)) {
    saved_at_ = now;
    if (auto status = store_->save(); !status) {
      return status;
    }
  }
  if (!whole_.empty()) {
    return verify_next();
  }
  return n_in_place_ == states_.size() ? finish() : Status{};
}

Status IncomingFiles::look_at_next() {
  const std::size_t i = n_looked_at_;
  const Entry& entry = manifest_.entries()[i];
  if (!hash_) {
    auto place = destination_.look_at(entry);
    if (!place) {
      return tl::make_unexpected(place.error());
    }
    if (!place->file.is_open()) {
      return note_looked(entry.kind == EntryKind::kFolder ? State::kInPlace : State::kMissing);
    }
    hash_.emplace(std::move(place->file), entry.n_bytes);
  }
  const SlicedHash::State state = hash_->step();
  if (state == SlicedHash::State::kGoesOn) {
    return {};
  }
  SlicedHash hash = *std::exchange(hash_, std::nullopt);
  if (state == SlicedHash::State::kDone && hash.finish() == entry.sha256) {
    ++n_there_before_;
    return note_looked(State::kInPlace);
  }
  if (!destination_.replaces()) {
    return destination_.taken(entry);
  }
  return note_looked(State::kMissing);
}

Status IncomingFiles::note_looked(State state) {
  states_[n_looked_at_] = state;
  if (state == State::kInPlace) {
    ++n_in_place_;
    hold(manifest_.pieces_of(n_looked_at_));
  }
  ++n_looked_at_;
  return {};
}

Status IncomingFiles::open_store() {
  auto store = PartialStore::open(destination_, manifest_);
  if (!store) {
    return tl::make_unexpected(store.error());
  }
  store_.emplace(*std::move(store));
  for (const PieceRange& range : store_->held().ranges()) {
    hold(range);
  }
  for (std::size_t entry = 0; entry < states_.size(); ++entry) {
    if (states_[entry] == State::kMissing && held_.covers(manifest_.pieces_of(entry))) {
      whole_.push_back(entry);
    }
  }
  return check_room();
}

/// A disk that is too small is better known before an hour's work.
Status IncomingFiles::check_room() const {
  const auto room = destination_.free_bytes();
  const std::uint64_t needed = manifest_.n_bytes() - bytes_held_;
  if (!room || needed <= *room) {
    return {};
  }
  return fail(ErrorCode::kIo,
              fmt::format("the disk of {} is full: {} are to come and it has room for {}; make "
                          "room and start again",
                          destination_.shown(""), bytes_text(needed), bytes_text(*room)));
}

void IncomingFiles::hold(PieceRange pieces) {
  const PieceSet fresh = held_.missing(pieces);
  bytes_held_ += manifest_.bytes_in(fresh);
  held_.add(pieces);
}

Result<std::uint64_t> IncomingFiles::write(PieceRange pieces, std::span<const std::byte> bytes) {
  const std::uint64_t before = bytes_held_;
  if (held_.covers(pieces)) {
    return 0;
  }
  std::uint32_t begin = pieces.begin;
  for (const auto& segment : manifest_.segments(pieces)) {
    const auto part = bytes.first(segment.n_bytes);
    bytes = bytes.subspan(segment.n_bytes);
    const PieceRange all = manifest_.pieces_of(segment.entry);
    const PieceRange run{begin, std::min(pieces.end, all.end)};
    begin = run.end;
    if (held_.covers(run)) {
      continue;
    }
    if (auto status = store_->write(segment.entry, segment.offset, part); !status) {
      return tl::make_unexpected(status.error());
    }
    store_->note(run);
    hold(run);
    if (held_.covers(all)) {
      whole_.push_back(segment.entry);
    }
  }
  return bytes_held_ - before;
}

Status IncomingFiles::save() {
  return store_ && !complete_ ? store_->save() : Status{};
}

Status IncomingFiles::verify_next() {
  const std::size_t entry = whole_.front();
  if (!hash_) {
    auto file = store_->open_file_of(entry);
    if (!file) {
      return tl::make_unexpected(file.error());
    }
    hash_.emplace(*std::move(file), manifest_.entries()[entry].n_bytes);
  }
  const SlicedHash::State state = hash_->step();
  if (state == SlicedHash::State::kGoesOn) {
    return {};
  }
  SlicedHash hash = *std::exchange(hash_, std::nullopt);
  whole_.erase(whole_.begin());
  return judge(entry,
               state == SlicedHash::State::kDone ? std::optional(hash.finish()) : std::nullopt);
}

Status IncomingFiles::judge(std::size_t entry, const std::optional<Sha256>& hash) {
  if (hash == manifest_.entries()[entry].sha256) {
    states_[entry] = State::kInPlace;
    ++n_in_place_;
    return store_->move_out(entry);
  }
  const PieceRange pieces = manifest_.pieces_of(entry);
  if (++wrong_[entry] == kMostWrong || pieces.begin == pieces.end) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("{} does not come as it was announced: was it changed while it was "
                            "sent?",
                            manifest_.entries()[entry].local_path));
  }
  ++losses_;
  bytes_held_ -= manifest_.entries()[entry].n_bytes;
  held_.remove(pieces);
  store_->forget(entry);
  return {};
}

Status IncomingFiles::finish() {
  for (const Entry& entry : manifest_.entries()) {
    if (entry.kind != EntryKind::kFolder) {
      continue;
    }
    if (auto status = destination_.make_folder(entry); !status) {
      return status;
    }
  }
  store_->remove();
  complete_ = true;
  return {};
}

}  // namespace wccl::transfer
