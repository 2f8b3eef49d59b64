#include "eval/desk_meter.h"

#include <algorithm>

#include "phy/transmitter.h"

namespace wccl::eval {
namespace {

// A change of mode costs a receiver a frame or two, and blocks of the mode before come late.
constexpr Duration kSettling = std::chrono::milliseconds(200);
constexpr int kSettlingCaptures = 3;
// As docs/measurement.md defines mixed frames.
constexpr double kWholeShare = 0.8;

const phy::ScreenReception* find_screen(const phy::CaptureReception& reception, Rank peer) {
  const auto screen = std::ranges::find(reception.screens, peer, &phy::ScreenReception::node);
  return screen == reception.screens.end() ? nullptr : &*screen;
}

int distance(std::uint16_t from, std::uint16_t to) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(to - from));
}

}  // namespace

DeskMeter::DeskMeter(Rank peer, phy::ModeId mode, Duration length)
    : peer_(peer), mode_(mode), length_(length) {}

void DeskMeter::note(const phy::CaptureReception& reception) {
  const phy::ScreenReception* screen = find_screen(reception, peer_);
  if (!begin_) {
    await(reception, screen);
    return;
  }
  const bool within = reception.captured_at < *begin_ + length_;
  if (within) {
    ++captures_;
    last_ = reception.captured_at;
  }
  if (screen != nullptr) {
    take(*screen, within);
  }
}

void DeskMeter::await(const phy::CaptureReception& reception, const phy::ScreenReception* screen) {
  if (screen == nullptr || screen->frames.empty()) {
    return;
  }
  const phy::FrameHeader& newest = screen->frames.back().header;
  if (!is_ours(newest)) {
    return;
  }
  newest_before_ = newest.sequence;
  seen_at_ = seen_at_.value_or(reception.captured_at);
  ++n_seen_;
  if (n_seen_ >= kSettlingCaptures && reception.captured_at - *seen_at_ >= kSettling) {
    begin_ = last_ = reception.captured_at;
  }
}

void DeskMeter::take(const phy::ScreenReception& screen, bool within) {
  if (within && !screen.frames.empty() && is_ours(screen.frames.back().header)) {
    quality_.add(screen);
  }
  for (const phy::FrameReception& frame : screen.frames) {
    if (is_ours(frame.header)) {
      take(frame, within);
    }
  }
  for (const phy::FrameShare& seen : screen.shares) {
    if (Frame* frame = find(seen.sequence)) {
      frame->best_share = std::max(frame->best_share, seen.share);
    }
  }
}

void DeskMeter::take(const phy::FrameReception& received, bool within) {
  const phy::FrameHeader& header = received.header;
  if (within && (!newest_before_ || distance(*newest_before_, header.sequence) > 0)) {
    if (!first_) {
      first_ = header;
      for (const phy::BlockSlot& slot : phy::block_slots(header.panel, header.mode)) {
        channel_of_.push_back(static_cast<std::size_t>(slot.layer.channel));
      }
    }
    if (header.epoch == first_->epoch && header.panel == first_->panel &&
        distance(first_->sequence, header.sequence) >= 0) {
      frames_.try_emplace(distance(first_->sequence, header.sequence),
                          Frame{std::vector<bool>(channel_of_.size()), 0});
    }
  }
  if (Frame* frame = find(header.sequence)) {
    for (const phy::ReceivedBlock& block : received.blocks) {
      frame->has_block[static_cast<std::size_t>(block.index)] = true;
    }
  }
}

bool DeskMeter::is_ours(const phy::FrameHeader& header) const {
  return header.node == peer_ && header.mode == mode_;
}

DeskMeter::Frame* DeskMeter::find(std::uint16_t sequence) {
  if (!first_) {
    return nullptr;
  }
  const auto frame = frames_.find(distance(first_->sequence, sequence));
  return frame == frames_.end() ? nullptr : &frame->second;
}

DeskCount DeskMeter::count() const {
  Figures figures;
  figures.channels = channels_of(*phy::find_mode(mode_));
  quality_.fill(figures);
  DeskCount count;
  count.from = peer_;
  count.captures = captures_;
  count.located = figures.located;
  count.cell_px = figures.cell_px;
  count.width_share = figures.width_share;
  count.dark = figures.dark;
  count.bright = figures.bright;
  if (begin_) {
    count.seconds = to_seconds(std::min(length_, last_ - *begin_));
  }
  if (!frames_.empty()) {
    count.frames = frames_.rbegin()->first + 1;
    count.frames_read = static_cast<int>(frames_.size());
  }
  for (std::size_t i = 0; i < figures.channels.size(); ++i) {
    const auto blocks = static_cast<int>(std::ranges::count(channel_of_, i));
    DeskCount::Channel channel{blocks * count.frames, 0, figures.channels[i].snr_db};
    for (const auto& [age, frame] : frames_) {
      for (std::size_t block = 0; block < channel_of_.size(); ++block) {
        channel.blocks_ok += channel_of_[block] == i && frame.has_block[block] ? 1 : 0;
      }
    }
    count.channels.push_back(channel);
  }
  int n_known = 0;
  int n_mixed = 0;
  for (const auto& [age, frame] : frames_) {
    n_known += frame.best_share > 0 ? 1 : 0;
    n_mixed += frame.best_share > 0 && frame.best_share < kWholeShare ? 1 : 0;
  }
  count.mixed_share = n_known > 0 ? static_cast<double>(n_mixed) / n_known : 0;
  return count;
}

}  // namespace wccl::eval
