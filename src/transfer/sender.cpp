#include "transfer/sender.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "link/outbox.h"
#include "link/packet.h"

namespace wccl::transfer {
namespace {

// The link always has some frames in hand: it must never idle, and probes faster modes only while
// there is enough to fill its frames.
constexpr std::size_t kFramesAhead = 6;
// What waits in the link goes out a second time when a receiver starts anew, so it is not much.
constexpr std::size_t kLeastAheadBytes = std::size_t{64} << 10U;
constexpr std::size_t kMostAheadBytes = std::size_t{1} << 20U;
// Whole messages are what a receiver keeps; with these the link's two windows fill alike.
constexpr std::uint32_t kMostPiecesPerMessage =
    link::kSendWindowBytes / link::kMessageWindow / kPieceBytes;
// Peers are looked after this often when nothing comes.
constexpr Duration kLookAround = std::chrono::seconds(1);
// Messages that the link can have under way, and some that wait in it.
constexpr std::size_t kMostHanded = link::kMessageWindow + 64;

std::size_t ahead_bytes(const Channel::Load& load) {
  return std::clamp(kFramesAhead * load.frame_bytes, kLeastAheadBytes, kMostAheadBytes);
}

/// About a frame's worth, so that slow links show progress and fast ones waste no heads.
std::uint32_t pieces_per_message(const Channel::Load& load) {
  const auto pieces = static_cast<std::uint32_t>(load.frame_bytes / kPieceBytes);
  return std::clamp<std::uint32_t>(pieces, 1, kMostPiecesPerMessage);
}

}  // namespace

Sender::Sender(Channel& channel, SourceFiles& files, EndOptions options)
    : channel_(channel),
      files_(files),
      options_(options),
      everyone_(channel.transport().peers()),
      arrived_(channel) {
  for (const Rank rank : everyone_) {
    Peer peer(options_.timeout);
    peer.planned = files_.manifest().n_pieces();
    peer.pending.add({0, peer.planned});
    peers_.emplace(rank, std::move(peer));
  }
}

bool Sender::ready() {
  if (note_departures() || arrived_.collect() || !begun_) {
    return true;
  }
  const Channel::Load load = channel_.load();
  return has_pending() && load.backlog_bytes < ahead_bytes(load);
}

Result<bool> Sender::step(Instant now) {
  static_cast<void>(ready());
  if (auto status = begin(); !status) {
    return tl::make_unexpected(status.error());
  }
  if (auto status =
          arrived_.take([this](Rank from, const Control& message) { return take(from, message); });
      !status) {
    return tl::make_unexpected(status.error());
  }
  if (auto status = send_content(); !status) {
    return tl::make_unexpected(status.error());
  }
  return judge(now);
}

Status Sender::begin() {
  if (begun_) {
    return {};
  }
  begun_ = true;
  const Hello hello{Role::kSender, options_.incarnation, 0};
  if (auto status = channel_.transport().send(everyone_, kControlTag, encode_control(hello));
      !status) {
    return status;
  }
  return offer_to(everyone_);
}

Status Sender::offer_to(std::span<const Rank> to) {
  return channel_.transport().send(to, kControlTag,
                                   encode_control(Offer{files_.manifest().bytes()}));
}

Status Sender::take(Rank from, const Control& message) {
  if (const auto* hello = std::get_if<Hello>(&message)) {
    return on_hello(from, *hello);
  }
  if (const auto* report = std::get_if<Report>(&message)) {
    on_report(from, *report);
  }
  return {};
}

Status Sender::on_hello(Rank from, const Hello& hello) {
  if (hello.role == Role::kSender) {
    return fail(ErrorCode::kUnsupported,
                fmt::format("rank {} sends, too: start `wccl receive` on one of the two", from));
  }
  Peer& peer = peers_.at(from);
  const bool is_new = peer.incarnation && peer.incarnation != hello.incarnation;
  // The first offer is on its way to whoever says hello for the first time.
  return is_new || hello.repeats > 0 ? offer_to(std::array{from}) : Status{};
}

void Sender::on_report(Rank from, const Report& report) {
  Peer& peer = peers_.at(from);
  if (report.transfer != files_.manifest().id()) {
    return;
  }
  const bool is_first = !peer.incarnation;
  const bool has_lost =
      !is_first && (peer.incarnation != report.incarnation || peer.losses != report.losses);
  if (!is_first && !has_lost && report.count <= peer.reports) {
    return;
  }
  if (!is_first && peer.incarnation != report.incarnation) {
    peer.bytes_came_before += peer.bytes_came;
  }
  peer.incarnation = report.incarnation;
  peer.reports = report.count;
  peer.losses = report.losses;
  peer.bytes_had = std::min(report.bytes_had, files_.manifest().n_bytes());
  peer.bytes_came = report.bytes_came;
  peer.complete = report.complete;
  peer.departure.reset();
  // What the link has delivered, and still is not there, was lost by a receiver that has started
  // anew.
  const bool is_stuck = peer.pending.empty() && channel_.load().all_acknowledged;
  if (peer.complete || has_lost || is_stuck) {
    peer.pending.clear();
    peer.planned = 0;
  }
  if (!peer.complete) {
    peer.pending.remove(report.held);
    extend_plan(from, peer, report);
  }
}

void Sender::extend_plan(Rank from, Peer& peer, const Report& report) {
  const std::uint32_t described = std::min(report.described, files_.manifest().n_pieces());
  if (described <= peer.planned) {
    return;
  }
  PieceSet lacking = report.held.missing({peer.planned, described});
  if (!channel_.load().all_acknowledged) {
    // The link brings these to a receiver that has started anew as well.
    for (const Handed& each : handed_) {
      if (((each.to >> from) & 1U) != 0) {
        lacking.remove(each.pieces);
      }
    }
  }
  peer.pending.add(lacking);
  peer.planned = described;
}

bool Sender::has_pending() const {
  return std::ranges::any_of(peers_,
                             [](const auto& entry) { return !entry.second.pending.empty(); });
}

Status Sender::send_content() {
  while (has_pending()) {
    const Channel::Load load = channel_.load();
    if (load.backlog_bytes >= ahead_bytes(load)) {
      return {};
    }
    if (auto status = hand_over(*next_run(pieces_per_message(load))); !status) {
      return status;
    }
  }
  return {};
}

/// The first pieces that somebody lacks, as far as the same receivers lack them: a screen is a
/// broadcast.
std::optional<Sender::Handed> Sender::next_run(std::uint32_t most_pieces) const {
  std::optional<Handed> run;
  for (const auto& [rank, peer] : peers_) {
    if (peer.pending.empty()) {
      continue;
    }
    const PieceRange first = peer.pending.ranges().front();
    const auto bit = static_cast<std::uint8_t>(1U << rank);
    if (!run || first.begin < run->pieces.begin) {
      const std::uint32_t end_before = run ? run->pieces.begin : first.end;
      run = Handed{{first.begin, std::min(first.end, end_before)}, bit};
    } else if (first.begin == run->pieces.begin) {
      run->pieces.end = std::min(run->pieces.end, first.end);
      run->to |= bit;
    } else {
      run->pieces.end = std::min(run->pieces.end, first.begin);
    }
  }
  if (run) {
    run->pieces.end = std::min(run->pieces.end, run->pieces.begin + most_pieces);
  }
  return run;
}

Status Sender::hand_over(const Handed& run) {
  auto bytes = files_.read(run.pieces);
  if (!bytes) {
    return tl::make_unexpected(bytes.error());
  }
  std::vector<Rank> to;
  for (auto& [rank, peer] : peers_) {
    if (((run.to >> rank) & 1U) != 0) {
      to.push_back(rank);
      peer.pending.remove(run.pieces);
    }
  }
  bytes_handed_ += bytes->size();
  handed_.push_back(run);
  if (handed_.size() > kMostHanded) {
    handed_.pop_front();
  }
  return channel_.transport().send(
      to, kContentTag, encode_content({files_.manifest().id(), run.pieces.begin, *bytes}));
}

bool Sender::note_departures() {
  bool any = false;
  for (auto& [rank, peer] : peers_) {
    if (!peer.wants_more()) {
      continue;
    }
    peer.departure = channel_.departure(rank);
    if (peer.departure) {
      // What waits for it would hold up the others.
      channel_.drop_queued(rank);
      peer.pending.clear();
      any = true;
    }
  }
  return any;
}

/// Whether it is over, for whatever reason.
Result<bool> Sender::judge(Instant now) {
  due_ = now + kLookAround;
  bool any_active = false;
  std::string departures;
  for (auto& [rank, peer] : peers_) {
    if (peer.departure) {
      departures += (departures.empty() ? "" : "; ") + *peer.departure;
    }
    if (!peer.wants_more()) {
      continue;
    }
    any_active = true;
    if (auto status = peer.patience.check(channel_, rank, now); !status) {
      return tl::make_unexpected(status.error());
    }
    due_ = std::min(due_, peer.patience.end());
  }
  if (any_active) {
    return false;
  }
  if (!departures.empty()) {
    return fail(ErrorCode::kPeerLost, departures);
  }
  return true;
}

Sender::Progress Sender::progress() const {
  Progress progress;
  progress.n_bytes = files_.manifest().n_bytes();
  progress.bytes_had = progress.n_bytes;
  for (const auto& [rank, peer] : peers_) {
    progress.bytes_had = std::min(progress.bytes_had, peer.bytes_had);
    progress.bytes_came = std::max(progress.bytes_came, peer.bytes_came_before + peer.bytes_came);
    progress.started |= peer.incarnation.has_value();
  }
  progress.bytes_handed = bytes_handed_;
  return progress;
}

}  // namespace wccl::transfer
