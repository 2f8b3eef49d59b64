#include "app/room_transfer.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/interrupt.h"
#include "app/progress_line.h"
#include "app/rank_channel.h"
#include "app/transfer_progress.h"
#include "base/rng.h"
#include "session/room_session.h"
#include "transfer/receiver.h"
#include "transfer/run.h"
#include "transfer/sender.h"

namespace wccl::app {
namespace {

constexpr std::uint64_t kIncarnations = 0x7472616e73;  // A stream of the seed of its own.

class RoomTransferRun {
 public:
  RoomTransferRun(const RoomTransfer& options, const Room& room, transfer::SourceFiles& files)
      : options_(options),
        files_(files),
        session_(session_options(room)),
        errors_(static_cast<std::size_t>(session_.n_laptops())),
        received_(static_cast<std::size_t>(session_.n_laptops())) {}

  Status run() {
    if (auto status = open_destinations(); !status) {
      return status;
    }
    const Status status = session_.run(
        [this](session::RankContext& self) {
          auto result = self.rank() == 0 ? send(self) : receive(self);
          errors_[static_cast<std::size_t>(self.rank())] = result;
          return result;
        },
        [this](Rank) { calibrated_ = session_.air_time(); });
    return status ? status : first_cause().value_or(status);
  }

  [[nodiscard]] TransferSummary summary() const {
    TransferSummary summary = link_;
    const auto& manifest = files_.manifest();
    summary.what = transfer::describe(manifest);
    summary.files = manifest.n_files();
    summary.bytes = manifest.n_bytes();
    summary.renamed = transfer::describe_renamed(manifest);
    summary.receivers = session_.n_laptops() - 1;
    summary.calibrated = calibrated_;
    summary.end = end_;
    // The slowest receiver counts.
    for (Rank rank = 1; rank < session_.n_laptops(); ++rank) {
      const auto& progress = received_[static_cast<std::size_t>(rank)];
      summary.bytes_came = std::max(summary.bytes_came, progress.bytes_came);
      if (progress.first_content) {
        summary.first_byte =
            std::max(summary.first_byte, progress.first_content->time_since_epoch());
        summary.last_byte = std::max(summary.last_byte, progress.last_content->time_since_epoch());
      }
    }
    return summary;
  }

 private:
  session::RoomSessionOptions session_options(const Room& room) const {
    session::RoomSessionOptions options;
    options.scene = room.scene;
    options.mode = options_.mode;
    options.seed = options_.seed;
    options.timeout = options_.timeout;
    options.abort = interrupted;
    return options;
  }

  Status open_destinations() {
    for (Rank rank = 1; rank < session_.n_laptops(); ++rank) {
      const bool alone = session_.n_laptops() == 2;
      auto destination = transfer::Destination::open(
          alone ? options_.out : options_.out / fmt::format("laptop-{}", rank), options_.replace);
      if (!destination) {
        return tl::make_unexpected(destination.error());
      }
      destinations_.push_back(*std::move(destination));
    }
    return {};
  }

  [[nodiscard]] transfer::EndOptions end_options(Rank rank) const {
    return {options_.timeout,
            Rng(options_.seed).split(kIncarnations + static_cast<std::uint64_t>(rank)).next()};
  }

  Status send(session::RankContext& self) {
    RankChannel channel(self);
    transfer::Sender sender(channel, files_, end_options(0));
    ProgressLine line(stderr);
    TransferProgress progress;
    auto status = transfer::run(sender, self, [&] {
      const auto now = sender.progress();
      progress.note(now.bytes_had, now.n_bytes, self.now());
      line.show([&] { return progress.text(); });
    });
    end_ = self.now().time_since_epoch();
    const Instant now = self.now();
    self.visit([&](link::Node& node) { note_link(link_, node, now); });
    return status;
  }

  Status receive(session::RankContext& self) {
    RankChannel channel(self);
    transfer::Receiver receiver(channel, destinations_[static_cast<std::size_t>(self.rank() - 1)],
                                end_options(self.rank()));
    auto status = transfer::run(receiver, self);
    received_[static_cast<std::size_t>(self.rank())] = receiver.progress();
    return status;
  }

  /// Of several errors the one that others only heard of.
  [[nodiscard]] std::optional<Status> first_cause() const {
    for (const ErrorCode hearsay : {ErrorCode::kPeerLost, ErrorCode::kCancelled}) {
      for (const Status& status : errors_) {
        if (!status && status.error().code != hearsay) {
          return status;
        }
      }
    }
    return std::nullopt;
  }

  const RoomTransfer& options_;
  transfer::SourceFiles& files_;
  std::vector<transfer::Destination> destinations_;  ///< Of ranks 1 and on.
  session::RoomSession session_;
  std::vector<Status> errors_;                          ///< By rank.
  std::vector<transfer::Receiver::Progress> received_;  ///< By rank.
  Duration calibrated_{};
  Duration end_{};
  TransferSummary link_;  ///< Only how the sender's node has sent.
};

}  // namespace

Result<TransferSummary> transfer_in_room(const RoomTransfer& options,
                                         const Room& room,
                                         transfer::SourceFiles& files) {
  RoomTransferRun run(options, room, files);
  if (auto status = run.run(); !status) {
    return tl::make_unexpected(status.error());
  }
  return run.summary();
}

}  // namespace wccl::app
