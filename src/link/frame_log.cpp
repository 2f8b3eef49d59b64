#include "link/frame_log.h"

#include <algorithm>
#include <limits>

#include "link/pacing.h"

namespace wccl::link {

void FrameLog::add(SentFrame frame) {
  frame.counts = frame.regular && !frames_.empty() && frames_.back().rung == frame.rung;
  frames_.push_back(frame);
  if (frames_.size() > kMost) {
    frames_.pop_front();
  }
}

SentFrame* FrameLog::find(std::uint64_t sequence) {
  if (frames_.empty() || sequence < frames_.front().sequence ||
      sequence > frames_.back().sequence) {
    return nullptr;
  }
  return &frames_[static_cast<std::size_t>(sequence - frames_.front().sequence)];
}

bool FrameLog::is_reported(std::uint64_t sequence, std::uint8_t peers) const {
  const auto frame = std::ranges::find(frames_, sequence, &SentFrame::sequence);
  if (frame == frames_.end()) {
    return false;
  }
  for (std::size_t rank = 0; rank < phy::kMaxNodes; ++rank) {
    if (((peers >> rank) & 1U) != 0 && !frame->outcomes[rank]) {
      return false;
    }
  }
  return true;
}

bool FrameLog::is_on_its_way(int parity) const {
  const auto said = std::find_if(frames_.rbegin(), frames_.rend(), [](const SentFrame& frame) {
    return std::ranges::any_of(frame.outcomes, &std::optional<FrameOutcome>::has_value);
  });
  return std::any_of(frames_.rbegin(), said, [parity](const SentFrame& frame) {
    return frame.regular && Pacing::has_phase(frame.hold) && frame.parity == parity;
  });
}

std::optional<Measured> FrameLog::measure(const FrameQuery& query, std::uint8_t peers) const {
  std::optional<Measured> worst;
  for (std::size_t rank = 0; rank < phy::kMaxNodes; ++rank) {
    if (((peers >> rank) & 1U) == 0) {
      continue;
    }
    Measured sum{0, 0, 0};
    double ok = 0;
    for (auto it = frames_.rbegin(); it != frames_.rend(); ++it) {
      if (it->sequence < query.from || sum.frames == static_cast<int>(query.most)) {
        break;
      }
      const auto& outcome = it->outcomes[rank];
      if (it->sequence > query.to || !it->counts || it->rung != query.rung ||
          it->hold != query.hold || !outcome || it->parity != query.parity.value_or(it->parity)) {
        continue;
      }
      ok += std::min(outcome->blocks_ok, it->blocks);
      sum.blocks += it->blocks;
      ++sum.frames;
    }
    if (sum.frames == 0) {
      return std::nullopt;
    }
    sum.success = ok / std::max(sum.blocks, 1);
    if (!worst || sum.success < worst->success) {
      worst = sum;
    }
  }
  return worst;
}

MixedShares FrameLog::mixed_shares(int parity,
                                   std::uint64_t from,
                                   std::size_t most,
                                   std::uint8_t peers) const {
  MixedShares mixed;
  mixed.frames = std::numeric_limits<std::size_t>::max();
  for (std::size_t rank = 0; rank < phy::kMaxNodes; ++rank) {
    if (((peers >> rank) & 1U) == 0) {
      continue;
    }
    double sum = 0;
    std::size_t n = 0;
    for (auto it = frames_.rbegin(); it != frames_.rend() && it->sequence >= from && n < most;
         ++it) {
      const auto& outcome = it->outcomes[rank];
      if (it->regular && Pacing::has_phase(it->hold) && it->parity == parity && outcome &&
          outcome->purity > 0) {
        sum += 1 - outcome->purity;
        ++n;
        mixed.latest = std::max(mixed.latest, it->sequence);
      }
    }
    mixed.shares.push_back(n > 0 ? sum / static_cast<double>(n) : 0);
    mixed.frames = std::min(mixed.frames, n);
  }
  return mixed;
}

}  // namespace wccl::link
