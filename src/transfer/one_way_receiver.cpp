#include "transfer/one_way_receiver.h"

#include <algorithm>
#include <utility>

#include "transfer/one_way_object.h"

namespace wccl::transfer {
namespace {

// What being killed may cost.
constexpr Duration kSavePeriod = std::chrono::seconds(1);
constexpr std::uint32_t kWritePieces = 256;
// Steps of work on files a capture, of some 10 ms at most.
constexpr int kStepsAhead = 16;
// Whatever the air claims.
constexpr std::size_t kMostLogs = 8;

/// Content that is all there at once, into files that take content.
/// @return whether all is in place; false when it is not what the manifest says.
Result<bool> write_all(IncomingFiles& files, std::span<const std::byte> content, Instant now) {
  const Manifest& manifest = files.manifest();
  for (std::uint32_t begin = 0; begin < manifest.n_pieces();) {
    const PieceRange run{begin, begin + std::min(kWritePieces, manifest.n_pieces() - begin)};
    const auto n_bytes = static_cast<std::size_t>(manifest.bytes_in(run));
    if (auto written = files.write(run, content.first(n_bytes)); !written) {
      return tl::make_unexpected(written.error());
    }
    content = content.subspan(n_bytes);
    begin = run.end;
    if (auto status = files.work(now); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  while (files.has_work() && files.losses() == 0) {
    if (auto status = files.work(now); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  return files.complete();
}

}  // namespace

OneWayReceiver::OneWayReceiver(const Destination& destination)
    : destination_(destination),
      symbols_({[this](const auto& id, const auto& sink) { recall(id, sink); },
                [this](const auto& id, auto symbol, auto bytes) { keep(id, symbol, bytes); }}) {}

OneWayReceiver::~OneWayReceiver() {
  // Less is kept when the disk is full.
  for (KeptObject& kept : logs_) {
    static_cast<void>(kept.log.flush());
  }
}

void OneWayReceiver::note(Status status) {
  if (disk_ && !status) {
    disk_ = std::move(status);
  }
}

void OneWayReceiver::recall(const link::FileObjectId& id,
                            const link::FileReceiver::SymbolSink& sink) {
  forget(id);
  auto log = SymbolLog::open(destination_, id);
  if (!log) {
    return note(tl::make_unexpected(log.error()));
  }
  note(log->read([this, &sink](link::SymbolId symbol, std::span<const std::byte> bytes) {
    ++n_recalled_;
    sink(symbol, bytes);
  }));
  if (logs_.size() == kMostLogs) {
    static_cast<void>(logs_.front().log.flush());
    logs_.erase(logs_.begin());
  }
  logs_.push_back({id, *std::move(log)});
}

void OneWayReceiver::keep(const link::FileObjectId& id,
                          link::SymbolId symbol,
                          std::span<const std::byte> bytes) {
  progress_.first_symbol = progress_.first_symbol.value_or(now_);
  progress_.last_symbol = now_;
  ++progress_.n_symbols;
  const auto kept = std::ranges::find(logs_, id, &KeptObject::id);
  if (kept != logs_.end()) {
    note(kept->log.append(symbol, bytes));
  }
}

/// Closes its log.
void OneWayReceiver::forget(const link::FileObjectId& id) {
  std::erase_if(logs_, [&id](KeptObject& kept) {
    return kept.id == id && (static_cast<void>(kept.log.flush()), true);
  });
}

Status OneWayReceiver::save(Instant now) {
  if (now - saved_at_ < kSavePeriod) {
    return disk_;
  }
  saved_at_ = now;
  for (KeptObject& kept : logs_) {
    note(kept.log.flush());
  }
  return disk_;
}

Result<bool> OneWayReceiver::take(const phy::CaptureReception& reception, Instant now) {
  now_ = now;
  for (const auto& screen : reception.screens) {
    for (const auto& frame : screen.frames) {
      progress_.sees_two_way |= !link::file_stream_of(frame.header).has_value();
      const auto object = symbols_.take(frame);
      if (auto status = save(now); !status) {
        return tl::make_unexpected(status.error());
      }
      if (!object) {
        continue;
      }
      const auto done = finish(*object, now);
      if (!done || *done) {
        return done;
      }
    }
  }
  return look_ahead(now);
}

/// @return nothing while it has not come.
std::optional<Result<Manifest>> OneWayReceiver::early_manifest(const link::FileObjectId& id) const {
  const auto start = symbols_.prefix(id, kObjectStartBytes);
  const auto n_head = start ? bytes_before_content(*start) : std::nullopt;
  const auto head = n_head ? symbols_.prefix(id, *n_head) : std::nullopt;
  return head ? std::optional(parse_object_head(*head)) : std::nullopt;
}

/// A file in the way, a full disk, or that all is there already is better known before all of it
/// has come.
/// @return whether all is there already.
Result<bool> OneWayReceiver::look_ahead(Instant now) {
  if (!target_) {
    const auto best = symbols_.best();
    const auto manifest = best ? early_manifest(link::object_of(best->id)) : std::nullopt;
    if (!manifest) {
      return false;
    }
    if (!*manifest) {
      const bool is_corrupt = manifest->error().code == ErrorCode::kCorrupt;
      return is_corrupt ? Result<bool>(false) : tl::make_unexpected(manifest->error());
    }
    target_ = Target{link::object_of(best->id),
                     std::make_unique<IncomingFiles>(destination_, **manifest)};
  }
  IncomingFiles& files = *target_->files;
  for (int step = 0; step < kStepsAhead && files.has_work(); ++step) {
    if (auto status = files.work(now); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  if (!files.complete()) {
    return false;
  }
  manifest_ = files.manifest();
  bytes_before_ = manifest_->n_bytes();
  end(target_->id);
  return true;
}

Result<bool> OneWayReceiver::finish(const link::FileReceiver::Object& object, Instant now) {
  progress_.mode = object.id.mode;
  progress_.n_bytes = object.id.object_bytes;
  progress_.bytes_had = progress_.n_bytes;
  auto done = store(object, now);
  // A file in the way: once it is moved, what came is still there.
  if (!done && done.error().code != ErrorCode::kCorrupt) {
    return done;
  }
  end(link::object_of(object.id));
  if (!done || !*done) {
    ++progress_.n_corrupt;
    return false;
  }
  return true;
}

/// Nothing of the object is needed any more.
void OneWayReceiver::end(const link::FileObjectId& id) {
  if (target_ && target_->id == id) {
    target_.reset();
  }
  const auto kept = std::ranges::find(logs_, id, &KeptObject::id);
  if (kept != logs_.end()) {
    kept->log.remove();
    logs_.erase(kept);
  }
}

Result<bool> OneWayReceiver::store(const link::FileReceiver::Object& object, Instant now) {
  auto parsed = parse_one_way_object(object.bytes);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  std::unique_ptr<IncomingFiles> files;
  if (target_ && target_->id == link::object_of(object.id)) {
    files = std::move(target_->files);
    target_.reset();
  } else {
    files = std::make_unique<IncomingFiles>(destination_, parsed->manifest);
  }
  while (!files->takes_content()) {
    if (auto status = files->work(now); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  bytes_before_ = files->bytes_held();
  auto done = write_all(*files, parsed->content, now);
  if (done && *done) {
    manifest_ = std::move(parsed->manifest);
  }
  return done;
}

std::uint64_t OneWayReceiver::bytes_came() const {
  const std::uint64_t lacked = manifest_->n_bytes() - bytes_before_;
  const std::uint64_t n_symbols = progress_.n_symbols + n_recalled_;
  return n_symbols == 0 ? 0 : lacked * progress_.n_symbols / n_symbols;
}

OneWayReceiver::Progress OneWayReceiver::progress() const {
  Progress progress = progress_;
  if (const auto best = symbols_.best(); best && !manifest_) {
    progress.mode = best->id.mode;
    progress.n_bytes = best->id.object_bytes;
    progress.bytes_had = best->symbols_held * progress.n_bytes / best->symbols_needed;
  }
  return progress;
}

}  // namespace wccl::transfer
