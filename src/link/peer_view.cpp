#include "link/peer_view.h"

#include <algorithm>
#include <cmath>

namespace wccl::link {
namespace {

// Captures with measured colours until a peer counts as found: one could be a reflection's flash.
constexpr int kCapturesToFind = 3;
// Mean luma of bright above dark cells, of 255: less is no screen that shows frames.
constexpr double kMinContrast = 8;
constexpr std::size_t kMaxPastEpochs = 8;
constexpr std::size_t kMaxOpenFrames = 8;
// Weight of the past when a frame's blocks are added: about five frames count.
constexpr double kModeMemory = 0.8;
// After so long without frames of a mode, what was known of it is forgotten when one comes.
constexpr Duration kModeMemoryGap = std::chrono::seconds(1);
constexpr Duration kModeReportLife = std::chrono::milliseconds(2500);
// Modes of frames that passed within this time are in use.
constexpr Duration kLatestModes = std::chrono::milliseconds(300);
// Blocks that a mode's first frame is taken to have borne when its status could not be read.
constexpr double kAssumedBlocks = 8;

std::uint8_t to_fixed(double value, double scale) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value * scale, 0.0, 255.0)));
}

bool colours_measured(const phy::ScreenQuality& quality) {
  return quality.levels[1][0] - quality.levels[0][0] >= kMinContrast;
}

}  // namespace

PeerView::FrameVerdict PeerView::on_frame(const phy::FrameReception& frame, Instant now) {
  const FrameVerdict verdict = judge_epoch(frame);
  if (verdict == FrameVerdict::kDropped) {
    return verdict;
  }
  accepted_in_capture_ = true;
  const std::uint16_t sequence = frame.header.sequence;
  // After long absence the counter may have gone round: distances mean nothing.
  if (unseen_for_long(now)) {
    forget_frames();
  }
  if (!newest_ || sequence_distance(*newest_, sequence) > 0) {
    newest_ = sequence;
    ++frames_;
    feedback_ = frame.header.feedback;
    mode_ = frame.header.mode;
  }
  count_blocks(frame);
  return verdict;
}

PeerView::FrameVerdict PeerView::judge_epoch(const phy::FrameReception& frame) {
  const phy::FrameHeader& header = frame.header;
  if (epoch_ == header.epoch) {
    return FrameVerdict::kAccepted;
  }
  if (std::ranges::find(past_epochs_, header.epoch) != past_epochs_.end()) {
    return FrameVerdict::kDropped;
  }
  // A header's CRC has 16 bits: before it may void a session, a block or a second frame confirms
  // it.
  const bool confirmed =
      !frame.blocks.empty() || (unconfirmed_ && unconfirmed_->epoch == header.epoch &&
                                unconfirmed_->sequence != header.sequence);
  if (!confirmed) {
    unconfirmed_ = header;
    return FrameVerdict::kDropped;
  }
  const bool restarted = epoch_.has_value();
  start_epoch(header.epoch);
  return restarted ? FrameVerdict::kRestarted : FrameVerdict::kAccepted;
}

void PeerView::start_epoch(std::uint16_t epoch) {
  if (epoch_) {
    past_epochs_.push_back(*epoch_);
  }
  if (past_epochs_.size() > kMaxPastEpochs) {
    past_epochs_.pop_front();
  }
  epoch_ = epoch;
  unconfirmed_.reset();
  forget_frames();
  modes_.clear();
}

void PeerView::forget_frames() {
  newest_.reset();
  newest_before_.reset();
  settled_.reset();
  open_frames_.clear();
  last_closed_.reset();
}

void PeerView::count_blocks(const phy::FrameReception& frame) {
  const std::uint16_t sequence = frame.header.sequence;
  if (settled_ && sequence_distance(*settled_, sequence) <= 0) {
    return;
  }
  auto it = std::ranges::find(open_frames_, sequence, &FrameTally::sequence);
  if (it == open_frames_.end()) {
    open_frames_.push_back({sequence, frame.header.mode, 0, std::nullopt});
    if (open_frames_.size() > kMaxOpenFrames) {
      open_frames_.pop_front();
    }
    it = open_frames_.end() - 1;
  }
  it->blocks_ok += static_cast<int>(frame.blocks.size());
}

void PeerView::on_blocks_used(std::uint16_t sequence, int blocks_used) {
  const auto it = std::ranges::find(open_frames_, sequence, &FrameTally::sequence);
  if (it != open_frames_.end()) {
    it->blocks_used = blocks_used;
  }
}

void PeerView::on_screen(const phy::ScreenReception& screen, Instant now) {
  if (!accepted_in_capture_) {
    return;
  }
  accepted_in_capture_ = false;
  if (unseen_for_long(now)) {
    good_captures_ = 0;
  }
  last_seen_ = now;
  if (colours_measured(screen.quality)) {
    quality_ = screen.quality;
    quality_mode_ = screen.frames.back().header.mode;
    if (!found_ && ++good_captures_ >= kCapturesToFind) {
      found_ = true;
      if (was_found_) {
        ++relocks_;
      }
      was_found_ = true;
    }
  }
  settle(now);
}

/// A frame can be spread over captures, and rows of its successor come first: it is done when the
/// successor has been seen in a second capture, or the one after that in a first.
void PeerView::settle(Instant now) {
  const bool seen_before = newest_before_ == newest_;
  const auto done = static_cast<std::uint16_t>(*newest_ - (seen_before ? 1 : 2));
  newest_before_ = newest_;
  if (settled_ && sequence_distance(*settled_, done) <= 0) {
    return;
  }
  settled_ = done;
  std::erase_if(open_frames_, [&](const FrameTally& tally) {
    if (sequence_distance(tally.sequence, done) < 0) {
      return false;
    }
    close(tally, now);
    return true;
  });
}

void PeerView::close(const FrameTally& tally, Instant now) {
  // A change of mode costs receivers a frame, which says nothing of either mode.
  const bool mode_changed = last_closed_ && last_closed_->mode != tally.mode;
  last_closed_ = tally;
  if (mode_changed) {
    return;
  }
  auto it = std::ranges::find(modes_, tally.mode, &ModeTally::mode);
  if (it == modes_.end()) {
    it = modes_.insert(modes_.end(), {tally.mode, 0, 0, now});
  }
  if (now - it->last > kModeMemoryGap) {
    *it = {tally.mode, 0, 0, now};
  }
  // Of a frame whose status is lost: what frames of this mode bore on average.
  const double assumed = it->used > 0 ? (1 - kModeMemory) * it->used : kAssumedBlocks;
  const double used =
      std::max<double>(tally.blocks_used ? *tally.blocks_used : assumed, tally.blocks_ok);
  it->ok = kModeMemory * it->ok + tally.blocks_ok;
  it->used = kModeMemory * it->used + used;
  it->last = now;
  std::rotate(modes_.begin(), it, it + 1);
}

void PeerView::update(Instant now) {
  if (found_ && unseen_for_long(now)) {
    found_ = false;
    good_captures_ = 0;
  }
}

bool PeerView::unseen_for_long(Instant now) const {
  return last_seen_ && now - *last_seen_ > timeout_;
}

void PeerView::describe(AckPacket& ack, Instant now) const {
  ack.epoch = epoch_.value_or(0);
  ack.settled = settled_;
  ack.quality_mode = quality_mode_;
  for (std::size_t i = 0; i < ack.snr.size(); ++i) {
    ack.snr[i] = to_fixed(quality_.snr_db[i], 4);
  }
  ack.cell_px = to_fixed(quality_.cell_px, 8);
  ack.modes.clear();
  for (const ModeTally& tally : modes_) {
    if (now - tally.last > kModeReportLife || ack.modes.size() == kMaxModeReports) {
      continue;
    }
    ack.modes.push_back(
        {tally.mode, to_fixed(tally.ok / std::max(tally.used, 1.0), 255), to_fixed(tally.used, 1)});
  }
}

unsigned PeerView::success_class(Instant now) const {
  // A failing probe beside a mode that works is no failure.
  double success = 0;
  for (const ModeTally& tally : modes_) {
    if (now - tally.last > kLatestModes) {
      continue;
    }
    success = std::max(success, tally.ok / std::max(tally.used, 1.0));
  }
  if (success <= 0) {
    return 0;
  }
  return success < 0.5 ? 1 : success < 0.9 ? 2 : 3;
}

}  // namespace wccl::link
