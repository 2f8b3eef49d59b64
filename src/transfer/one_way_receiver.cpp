#include "transfer/one_way_receiver.h"

#include <algorithm>
#include <utility>

#include "transfer/one_way_object.h"

namespace wccl::transfer {
namespace {

// What being killed may cost.
constexpr Duration kSavePeriod = std::chrono::seconds(1);
constexpr std::uint32_t kWritePieces = 256;
// Whatever the air claims.
constexpr std::size_t kMostLogs = 8;

/// Content that is all there at once, into its files.
/// @return whether all is in place; false when it is not what the manifest says.
Result<bool> write_all(IncomingFiles& files, std::span<const std::byte> content, Instant now) {
  while (!files.takes_content()) {
    if (auto status = files.work(now); !status) {
      return tl::make_unexpected(status.error());
    }
  }
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
  note(log->read(sink));
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
  return false;
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
  const link::FileObjectId id = link::object_of(object.id);
  const auto kept = std::ranges::find(logs_, id, &KeptObject::id);
  if (kept != logs_.end()) {
    kept->log.remove();
    logs_.erase(kept);
  }
  if (!done || !*done) {
    ++progress_.n_corrupt;
    return false;
  }
  return true;
}

Result<bool> OneWayReceiver::store(const link::FileReceiver::Object& object, Instant now) {
  auto parsed = parse_one_way_object(object.bytes);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  IncomingFiles files(destination_, parsed->manifest);
  auto done = write_all(files, parsed->content, now);
  if (done && *done) {
    n_there_before_ = files.n_there_before();
    manifest_ = std::move(parsed->manifest);
  }
  return done;
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
