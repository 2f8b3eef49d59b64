#include "link/receiver_views.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

// A channel that changes by this much at once is another one.
constexpr double kJumpDb = 1.5;
constexpr double kLumaJumpDb = 4;  // Its curve is a rough one.
constexpr double kUsualMemory = 0.95;
constexpr double kStirDb = 1.0;  // A view that changes by so much is not averaged with the last.
constexpr double kViewMemory = 0.5;
// The first captures' figures are too good: they are not believed to be better than usual by more.
constexpr int kSettledReports = 20;
constexpr double kMostFirstDb = 0.65;
// So long a sight of colours is remembered where frames are of luma now.
constexpr Duration kColourLife = 10s;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool is_luma(const phy::Mode& mode) {
  return mode.colouring == phy::Colouring::kLuma;
}

}  // namespace

void ReceiverViews::set_needed(std::uint8_t peers, std::uint8_t others, Instant now) {
  now_ = now;
  for (std::size_t rank = 0; rank < peers_.size(); ++rank) {
    Peer& peer = peers_[rank];
    const bool needed = ((peers >> rank) & 1U) != 0;
    if (needed && !peer.needed) {
      peer.readable_at = now;
    }
    if (!needed && ((others >> rank) & 1U) == 0) {
      peer.quality.reset();
      peer.view.reset();
      peer.colour.reset();
      peer.colour_reports = 0;
    }
    peer.needed = needed;
  }
}

bool ReceiverViews::on_ack(Rank rank, const AckPacket& ack, Instant now) {
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  peer.readable_at = now;
  if (!take_view(peer, ack, now)) {
    return false;
  }
  return is_jump(peer);
}

/// @return whether the acknowledgement had one.
bool ReceiverViews::take_view(Peer& peer, const AckPacket& ack, Instant now) const {
  if (ack.quality_mode >= ladder_.size() || ack.cell_px == 0) {
    return false;
  }
  const phy::Mode& mode = ladder_[ack.quality_mode];
  ViewQuality view{ack.quality_mode, {}, ack.cell_px / 8.0};
  for (std::size_t i = 0; i < view.snr_db.size(); ++i) {
    view.snr_db[i] = ack.snr[i] / 4.0 + kLeastSnrDb;
  }
  const std::size_t judged = is_luma(mode) ? 0 : 1;
  if (peer.quality && peer.quality->mode == view.mode &&
      std::abs(view.snr_db[judged] - peer.quality->snr_db[judged]) < kStirDb) {
    for (std::size_t i = 0; i < view.snr_db.size(); ++i) {
      view.snr_db[i] += kViewMemory * (peer.quality->snr_db[i] - view.snr_db[i]);
    }
  }
  peer.quality = view;
  peer.view = sight_of(view, mode);
  if (!is_luma(mode)) {
    peer.colour = peer.view;
    peer.colour_at = now;
    ++peer.colour_reports;
  }
  return true;
}

/// Views of luma and of colour are compared among themselves.
bool ReceiverViews::is_jump(Peer& peer) {
  const bool luma = peer.view->colouring == phy::Colouring::kLuma;
  const double db = peer.view->better_db;
  std::optional<double>& usual_db = luma ? peer.usual_luma_db : peer.usual_colour_db;
  // The first figures of colours are no measure of what is usual.
  if (!usual_db || (!luma && peer.colour_reports < kSettledReports)) {
    usual_db = db;
    return false;
  }
  if (std::abs(db - *usual_db) < (luma ? kLumaJumpDb : kJumpDb)) {
    *usual_db = kUsualMemory * *usual_db + (1 - kUsualMemory) * db;
    return false;
  }
  usual_db = db;
  if (luma) {
    peer.colour.reset();
    peer.mirrored_colour.reset();
  }
  return true;
}

void ReceiverViews::on_view(Rank rank, const ViewQuality& view, Instant now) {
  if (view.mode >= ladder_.size() || !(view.cell_px > 0)) {
    return;
  }
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  peer.mirrored = sight_of(view, ladder_[view.mode]);
  if (!is_luma(ladder_[view.mode])) {
    peer.mirrored_colour = peer.mirrored;
    peer.mirrored_colour_at = now;
  }
}

void ReceiverViews::on_feedback(Rank rank, unsigned success_class, Instant now) {
  Peer& peer = peers_[static_cast<std::size_t>(rank)];
  if (success_class >= 2) {
    peer.readable_at = now;
    peer.failing_since = Instant::max();
  } else {
    peer.failing_since = std::min(peer.failing_since, now);
  }
}

bool ReceiverViews::all_report() const {
  return std::ranges::all_of(
      peers_, [](const Peer& peer) { return !peer.needed || peer.view.has_value(); });
}

bool ReceiverViews::all_report_colours() const {
  return std::ranges::all_of(
      peers_, [](const Peer& peer) { return !peer.needed || peer.colour.has_value(); });
}

bool ReceiverViews::all_known() const {
  return std::ranges::any_of(peers_, &Peer::needed) &&
         std::ranges::all_of(
             peers_, [](const Peer& peer) { return !peer.needed || peer.view || peer.mirrored; });
}

bool ReceiverViews::is_guess() const {
  return std::ranges::any_of(peers_, [this](const Peer& peer) {
    const auto seen = sight(peer, phy::Colouring::kRgb);
    return peer.needed && (!seen || seen->colouring == phy::Colouring::kLuma);
  });
}

bool ReceiverViews::any_silent_for(Duration duration, Instant now) const {
  return std::ranges::any_of(
      peers_, [&](const Peer& peer) { return peer.needed && now - peer.readable_at > duration; });
}

bool ReceiverViews::any_failing_for(Duration duration, Instant now) const {
  return std::ranges::any_of(peers_, [&](const Peer& peer) {
    return peer.needed && now > peer.failing_since && now - peer.failing_since > duration;
  });
}

/// The best that is known of how a peer sees cells of this colouring.
std::optional<Sight> ReceiverViews::sight(const Peer& peer, phy::Colouring colouring) const {
  auto told = peer.view ? peer.view : peer.mirrored;
  const bool is_settled = peer.colour_reports >= kSettledReports;
  if (told && told->colouring == phy::Colouring::kRgb && !is_settled) {
    told->better_db = std::min(told->better_db, kMostFirstDb);
  }
  if (!told || told->colouring == phy::Colouring::kRgb || colouring == phy::Colouring::kLuma) {
    return told;
  }
  const bool is_fresh = peer.colour && now_ - peer.colour_at < kColourLife;
  const bool is_mirrored = peer.mirrored_colour && now_ - peer.mirrored_colour_at < kColourLife;
  Sight guess = *told;
  if (is_fresh || is_mirrored) {
    const double seen_db = is_fresh ? peer.colour->better_db : peer.mirrored_colour->better_db;
    guess.better_db = is_settled ? seen_db : std::min(seen_db, kMostFirstDb);
    guess.colouring = phy::Colouring::kRgb;
  }
  return guess;
}

Margin ReceiverViews::margin(const phy::Mode& mode) const {
  Margin worst{kInfinity, 0};
  for (const Peer& peer : peers_) {
    if (!peer.needed) {
      continue;
    }
    const auto seen = sight(peer, mode.colouring);
    const Margin here = seen ? predict_margin(*seen, mode) : Margin{-kInfinity, 0};
    if (here.db < worst.db) {
      worst = here;
    }
  }
  return worst;
}

double ReceiverViews::mirrored_margin_db(const phy::Mode& mode) const {
  double worst = kInfinity;
  for (const Peer& peer : peers_) {
    if (peer.needed) {
      worst = std::min(worst, peer.mirrored ? predict_margin(*peer.mirrored, mode).db : -kInfinity);
    }
  }
  return worst;
}

}  // namespace wccl::link
