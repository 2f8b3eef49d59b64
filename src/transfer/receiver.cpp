#include "transfer/receiver.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace wccl::transfer {
namespace {

// Keeps the sender's picture fresh; cheap, as receivers have nothing else to say.
constexpr Duration kReportPeriod = std::chrono::milliseconds(500);
// A hello that nobody answered: its first one may have gone to a program that is no more.
constexpr Duration kHelloPeriod = std::chrono::seconds(2);
constexpr std::uint8_t kMostHellos = 255;

}  // namespace

Receiver::Receiver(Channel& channel, const Destination& destination, EndOptions options)
    : channel_(channel),
      destination_(destination),
      options_(options),
      everyone_(channel.transport().peers()),
      arrived_(channel) {
  for (const Rank rank : everyone_) {
    patience_.emplace(rank, Patience(options_.timeout));
  }
}

bool Receiver::ready() {
  const bool takes_content = files_ && files_->takes_content();
  const bool any_arrived = arrived_.collect();
  for (const Rank rank : everyone_) {
    while (takes_content) {
      auto message = channel_.transport().try_receive(rank, kContentTag);
      if (!message) {
        break;
      }
      contents_.emplace_back(rank, std::move(*message));
    }
  }
  return !hello_at_ || any_arrived || !contents_.empty() || (files_ && files_->has_work()) ||
         departure();
}

Result<bool> Receiver::step(Instant now) {
  static_cast<void>(ready());
  due_ = now + kReportPeriod;
  if (auto status = say_hello(now); !status) {
    return tl::make_unexpected(status.error());
  }
  if (auto status =
          arrived_.take([this](Rank from, const Control& message) { return take(from, message); });
      !status) {
    return tl::make_unexpected(status.error());
  }
  if (auto status = take_content(now); !status) {
    return tl::make_unexpected(status.error());
  }
  if (files_) {
    if (auto status = files_->work(now); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  if (auto status = report(now); !status) {
    return tl::make_unexpected(status.error());
  }
  if (files_ && files_->complete()) {
    return true;
  }
  // What has all come needs nobody any more.
  const bool has_all = files_ && files_->bytes_held() == files_->manifest().n_bytes();
  if (const auto left = departure(); left && !(has_all && files_->has_work())) {
    return fail(ErrorCode::kPeerLost, *left);
  }
  if (auto status = watch_sender(now); !status) {
    return tl::make_unexpected(status.error());
  }
  return false;
}

Status Receiver::say_hello(Instant now) {
  const bool is_due = !hello_at_ || (!files_ && now - *hello_at_ >= kHelloPeriod &&
                                     channel_.load().all_acknowledged);
  if (!is_due || hellos_ == kMostHellos) {
    return {};
  }
  hello_at_ = now;
  return channel_.transport().send(
      everyone_, kControlTag,
      encode_control(Hello{Role::kReceiver, options_.incarnation, hellos_++}));
}

Status Receiver::take(Rank from, const Control& message) {
  if (const auto* offer = std::get_if<Offer>(&message)) {
    report_is_due_ = true;
    return on_offer(from, *offer);
  }
  const auto* hello = std::get_if<Hello>(&message);
  if (hello != nullptr && hello->role == Role::kReceiver) {
    other_receivers_.insert(from);
    if (other_receivers_.size() == everyone_.size()) {
      return fail(ErrorCode::kUnsupported,
                  "all receive and nobody sends: start `wccl send` on one of them");
    }
  }
  return {};
}

Status Receiver::on_offer(Rank from, const Offer& offer) {
  auto manifest = Manifest::parse(offer.manifest);
  if (!manifest) {
    return fail(manifest.error().code, fmt::format("rank {} offers what cannot be taken: {}", from,
                                                   manifest.error().message));
  }
  other_receivers_.erase(from);
  sender_ = from;
  if (files_ && files_->manifest().id() == manifest->id()) {
    return {};
  }
  if (files_) {
    // A sender that was started again with something else; what came of this stays on disk.
    if (auto status = files_->save(); !status) {
      return status;
    }
  }
  files_ = std::make_unique<IncomingFiles>(destination_, *std::move(manifest));
  progress_ = {};
  return {};
}

Status Receiver::take_content(Instant now) {
  // With another offer, what has come may be the new one's, and has to wait.
  if (!files_ || !files_->takes_content()) {
    return {};
  }
  for (const auto& [from, bytes] : std::exchange(contents_, {})) {
    const auto content = parse_content(bytes);
    if (!content) {
      return fail(content.error().code, fmt::format("rank {} {}", from, content.error().message));
    }
    // What an earlier sender had on its way.
    if (content->transfer != files_->manifest().id()) {
      continue;
    }
    const auto run = files_->manifest().run_of(content->first_piece, content->bytes.size());
    if (!run) {
      return fail(ErrorCode::kCorrupt, fmt::format("rank {} sent content of no file", from));
    }
    const std::uint64_t before = files_->bytes_held();
    const auto fresh = files_->write(*run, content->bytes);
    if (!fresh) {
      return tl::make_unexpected(fresh.error());
    }
    if (*fresh == 0) {
      continue;
    }
    if (!progress_.first_content) {
      progress_.first_content = now;
      progress_.bytes_before = before;
    }
    progress_.last_content = now;
    progress_.bytes_came += *fresh;
  }
  return {};
}

Status Receiver::report(Instant now) {
  if (!files_) {
    return {};
  }
  const bool is_periodic = now - reported_at_ >= kReportPeriod && channel_.load().all_acknowledged;
  if (!report_is_due_ && !is_periodic && !files_->complete()) {
    return {};
  }
  report_is_due_ = false;
  reported_at_ = now;
  Report report;
  report.transfer = files_->manifest().id();
  report.incarnation = options_.incarnation;
  report.count = ++reports_;
  report.losses = files_->losses();
  report.complete = files_->complete();
  report.bytes_had = files_->bytes_held();
  report.bytes_came = progress_.bytes_came;
  // Before it is known what is here, nothing is asked for.
  if (files_->takes_content()) {
    describe_held(report, files_->held(), files_->manifest().n_pieces());
  }
  return channel_.transport().send(std::array{sender_}, kControlTag, encode_control(report));
}

/// Before there is an offer any peer may become the sender.
bool Receiver::may_send(Rank rank) const {
  return files_ ? rank == sender_ : !other_receivers_.contains(rank);
}

std::optional<std::string> Receiver::departure() {
  std::optional<std::string> why;
  for (const Rank rank : everyone_) {
    if (!may_send(rank)) {
      continue;
    }
    auto left = channel_.departure(rank);
    if (!left) {
      return std::nullopt;
    }
    why = why ? why : std::move(left);
  }
  return why;
}

Status Receiver::watch_sender(Instant now) {
  Status silence;
  for (auto& [rank, patience] : patience_) {
    auto status = patience.check(channel_, rank, now);
    if (may_send(rank)) {
      silence = status ? silence : status;
    }
    due_ = std::min(due_, patience.end());
  }
  return silence;
}

Receiver::Progress Receiver::progress() const {
  Progress progress = progress_;
  if (files_) {
    progress.n_bytes = files_->manifest().n_bytes();
    progress.bytes_had = files_->bytes_held();
  }
  return progress;
}

}  // namespace wccl::transfer
