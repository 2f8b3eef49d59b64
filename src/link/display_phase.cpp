#include "link/display_phase.h"

#include <algorithm>

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

// Mixed shares of the two phases add up to about this: half a frame apart, with the ramp that an
// exposure of 15 to 20 ms and a panel's settling give. It only chooses what is worth a try.
constexpr double kSumOfPhases = 0.42;
// A shift has to promise this much, in sum over receivers.
constexpr double kWorthAShift = 0.08;
// Knowledge of a phase that is older has drifted away.
constexpr Duration kKnowledgeLife = 8s;
// What the other phase brought this short a time ago is no guess.
constexpr Duration kSightLife = 1s;
constexpr Duration kFirstPause = 3s;
constexpr int kMaxDoublings = 4;
constexpr double kUnknownMixed = 0.1;

double after_shift(double mixed) {
  return std::clamp(kSumOfPhases - mixed, 0.0, 0.5);
}

}  // namespace

void DisplayPhase::note(int parity, std::span<const double> mixed, Instant now) {
  if (mixed.empty()) {
    return;
  }
  Sighting sighting{0, 0, now};
  double after = 0;
  for (const double share : mixed) {
    sighting.sum += share;
    sighting.worst = std::max(sighting.worst, share);
    after += after_shift(share);
  }
  seen_[static_cast<std::size_t>(parity)] = sighting;
  if (parity != parity_) {
    if (!knows(parity_) && after - sighting.sum > kWorthAShift) {
      shift();
    }
    return;
  }
  const auto& there = seen_[static_cast<std::size_t>(1 - parity)];
  if (there && now - there->at < kSightLife) {
    after = there->sum;
  }
  const double promised = sighting.sum - after;
  if (sum_before_) {
    const double gained = *sum_before_ - sighting.sum;
    sum_before_.reset();
    if (gained < kWorthAShift / 2) {
      not_before_ = now + kFirstPause * (1 << std::min(failures_, kMaxDoublings));
      ++failures_;
      if (gained < 0) {
        shift();
      }
      return;
    }
    failures_ = 0;
  }
  if (promised > kWorthAShift && now >= not_before_) {
    sum_before_ = sighting.sum;
    shift();
  }
}

void DisplayPhase::shift() {
  parity_ = 1 - parity_;
  ++shifts_;
}

double DisplayPhase::expected_mixed(Instant now) const {
  const auto& here = seen_[static_cast<std::size_t>(parity_)];
  const auto& there = seen_[static_cast<std::size_t>(1 - parity_)];
  // What was seen here before a shift to and fro is older than what was seen there meanwhile.
  const bool is_latest = here && (!there || here->at + kSightLife >= there->at);
  if (is_latest && now - here->at < kKnowledgeLife) {
    return here->worst;
  }
  if (there && now - there->at < kKnowledgeLife) {
    return after_shift(there->worst);
  }
  return kUnknownMixed;
}

}  // namespace wccl::link
