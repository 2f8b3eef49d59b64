#include "app/device_transfer.h"

#include <functional>
#include <memory>
#include <random>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/calibration_line.h"
#include "app/device_options.h"
#include "app/interrupt.h"
#include "app/print.h"
#include "app/progress_line.h"
#include "app/rank_channel.h"
#include "app/transfer_progress.h"
#include "app/world_check.h"
#include "link/identity_words.h"
#include "session/device_session.h"
#include "transfer/receiver.h"
#include "transfer/run.h"
#include "transfer/sender.h"

namespace wccl::app {
namespace {

enum class Role : std::uint8_t { kSender, kReceiver };

std::uint64_t draw_incarnation() {
  std::random_device random;
  return (std::uint64_t{random()} << 32U) | random();
}

/// What sending and receiving have in common.
class DeviceTransferRun {
 public:
  DeviceTransferRun(const TransferOptions& options, Role role)
      : options_(options), role_(role), command_(role == Role::kSender ? "send" : "receive") {}

  /// @param program  Fills in its part of the summary.
  Result<TransferSummary> run(
      const std::function<Status(session::RankContext&, TransferSummary&)>& program) {
    if (options_.rank) {
      if (auto possible = check_world(options_.nodes, options_.rank); !possible) {
        return tl::make_unexpected(possible.error());
      }
    }
    auto session_options = app::session_options(command_, options_.devices);
    session_options.activity = link::Activity::kTransfer;
    session_options.world_size = options_.nodes;
    session_options.rank = options_.rank;
    session_options.first = role_ == Role::kSender;
    session_options.timeout = from_seconds(options_.timeout_s);
    CalibrationLine calibration(command_, session_options.identity, options_.nodes);
    session_options.on_search = [&] { calibration.show(*session_); };
    session_options.abort = interrupted;
    session_options.hurry = interrupted_twice;
    app::print(stderr, "wccl {}: this laptop is {}\n", command_,
               link::words_of(session_options.identity));
    auto opened = session::DeviceSession::open(std::move(session_options));
    if (!opened) {
      return tl::make_unexpected(opened.error());
    }
    session_ = std::move(*opened);
    for (const auto& warning : session_->camera().warnings()) {
      app::print(stderr, "wccl {}: {}: {}\n", command_, session_->camera().name(), warning);
    }
    const auto status = session_->run(
        [&](session::RankContext& self) {
          auto result = program(self, summary_);
          summary_.end = session_->air_time();
          done_ = result.has_value();
          return result;
        },
        [&](Rank) {
          calibration.end();
          summary_.start = summary_.calibrated = session_->air_time();
        });
    summary_.stages = session_->use();
    summary_.captures_dropped = session_->camera().counts().dropped;
    // Once all is in place nobody has to hear of it any more.
    if (!status && !done_) {
      return tl::make_unexpected(status.error());
    }
    return summary_;
  }

  [[nodiscard]] transfer::EndOptions end_options() const {
    return {from_seconds(options_.timeout_s), draw_incarnation()};
  }
  void show(std::uint64_t bytes_had, std::uint64_t n_bytes, Instant now) {
    if (n_bytes == 0) {
      return;
    }
    progress_.note(bytes_had, n_bytes, now);
    line_.show([this] { return progress_.text(); });
  }

 private:
  const TransferOptions& options_;
  Role role_;
  std::string_view command_;
  std::unique_ptr<session::DeviceSession> session_;
  TransferSummary summary_;
  bool done_ = false;
  ProgressLine line_{stderr};
  TransferProgress progress_;
};

void describe_files(TransferSummary& summary, const transfer::Manifest& manifest) {
  summary.what = transfer::describe(manifest);
  summary.files = manifest.n_files();
  summary.bytes = manifest.n_bytes();
}

}  // namespace

Result<TransferSummary> send_on_devices(const TransferOptions& options,
                                        transfer::SourceFiles& files) {
  DeviceTransferRun run(options, Role::kSender);
  return run.run([&](session::RankContext& self, TransferSummary& summary) {
    describe_files(summary, files.manifest());
    summary.receivers = self.world_size() - 1;
    summary.first_byte = self.now().time_since_epoch();
    RankChannel channel(self);
    transfer::Sender sender(channel, files, run.end_options());
    auto status = transfer::run(sender, self, [&] {
      const auto now = sender.progress();
      run.show(now.bytes_had, now.n_bytes, self.now());
    });
    summary.bytes_came = sender.progress().bytes_came;
    summary.last_byte = self.now().time_since_epoch();
    const Instant now = self.now();
    self.visit([&](link::Node& node) { note_link(summary, node, now); });
    return status;
  });
}

Result<TransferSummary> receive_on_devices(const TransferOptions& options,
                                           const transfer::Destination& destination) {
  DeviceTransferRun run(options, Role::kReceiver);
  return run.run([&](session::RankContext& self, TransferSummary& summary) {
    RankChannel channel(self);
    transfer::Receiver receiver(channel, destination, run.end_options());
    auto status = transfer::run(receiver, self, [&] {
      const auto now = receiver.progress();
      run.show(now.bytes_had, now.n_bytes, self.now());
    });
    if (receiver.files() != nullptr) {
      describe_files(summary, receiver.files()->manifest());
      summary.renamed = transfer::describe_renamed(receiver.files()->manifest());
    }
    const auto progress = receiver.progress();
    summary.bytes_came = progress.bytes_came;
    if (progress.first_content) {
      summary.first_byte = progress.first_content->time_since_epoch();
      summary.last_byte = progress.last_content->time_since_epoch();
    }
    const Instant now = self.now();
    self.visit([&](link::Node& node) { note_link(summary, node, now); });
    return status;
  });
}

}  // namespace wccl::app
