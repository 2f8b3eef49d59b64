#include "link/need_model.h"

#include <algorithm>
#include <cmath>

namespace wccl::link {
namespace {

// From face_1080p, side_view and dim.
constexpr std::array<double, 5> kFirstNeedDb{0.2, 0.2, 0.2, -0.3, -0.8};
// Blocks of one layer fail together, those of several one layer after the other.
constexpr double kShareAtNeed = 0.95;
constexpr double kSharePerDb = 0.55;
constexpr double kLeastExcessDb = -1.7;
constexpr double kAllDecoded = 0.97;
// Longer holds help by no more than this.
constexpr double kMostHoldGainDb = 2.5;
constexpr double kLearnSlowly = 0.15;
constexpr double kLearnFast = 0.6;
constexpr double kPoorSuccess = 0.75;
// Needs are forgotten by so much a second, at first.
constexpr double kForgetDbPerS = 0.12;
constexpr double kMostPatience = 15;
// So much too pessimistic the model may be.
constexpr double kMostDoubtDb = 6;
constexpr double kBiasLifeS = 10;
constexpr int kMostDoublings = 3;

/// What would have been needed for so many blocks to decode.
double implied_need_db(double margin_db, double success) {
  return margin_db - std::max((success - kShareAtNeed) / kSharePerDb, kLeastExcessDb);
}

}  // namespace

double share_of_blocks(double spare_db) {
  return std::clamp(kShareAtNeed + kSharePerDb * spare_db, 0.0, 0.99);
}

NeedModel::NeedModel(std::size_t n_rungs) : need_db_(kFirstNeedDb), bias_db_(n_rungs) {}

std::size_t NeedModel::index_of(int hold) {
  return static_cast<std::size_t>(std::clamp(hold, 0, static_cast<int>(kHolds) - 1));
}

double NeedModel::first_need_db(int hold) {
  return kFirstNeedDb[index_of(hold)];
}

bool NeedModel::learn_success(std::size_t hold, double margin_db, double success) {
  if (success < kAllDecoded) {
    return false;
  }
  for (; hold < kHolds; ++hold) {
    need_db_[hold] = std::min(need_db_[hold], margin_db);
  }
  return true;
}

void NeedModel::learn(int hold, double margin_db, double success) {
  const std::size_t h = index_of(hold);
  if (!std::isfinite(margin_db) || learn_success(h, margin_db, success)) {
    return;
  }
  const double weight = success < kPoorSuccess ? kLearnFast : kLearnSlowly;
  need_db_[h] += weight * (implied_need_db(margin_db, success) - need_db_[h]);
  keep_holds_alike(h);
}

void NeedModel::learn_from_probe(std::size_t rung,
                                 int hold,
                                 double margin_db,
                                 double success,
                                 double proven_db,
                                 int proven_hold) {
  const std::size_t h = index_of(hold);
  if (!std::isfinite(margin_db) || learn_success(h, margin_db, success)) {
    return;
  }
  const double implied = implied_need_db(margin_db, success);
  double& need = need_db_[h];
  if (implied > need) {
    // A mode that works proves what suffices: the rest is the model's error for this one.
    const double raised =
        proven_hold == hold ? std::max(need, std::min(implied, proven_db)) : implied;
    bias_db_[rung] -= implied - raised;
    need = raised;
    patience_[h] = std::min(2 * patience_[h] + 1, kMostPatience);
  }
  keep_holds_alike(h);
}

void NeedModel::keep_holds_alike(std::size_t hold) {
  for (std::size_t other = 0; other < kHolds; ++other) {
    const double gain_db = other > hold ? kMostHoldGainDb : 0;
    need_db_[other] = std::max(need_db_[other], need_db_[hold] - gain_db);
  }
}

void NeedModel::distrust(double bias_db, const std::vector<bool>& needs_more) {
  ++distrusts_;
  for (std::size_t rung = 0; rung < bias_db_.size(); ++rung) {
    if (needs_more[rung]) {
      bias_db_[rung] = std::min(bias_db_[rung], bias_db);
    }
  }
}

void NeedModel::on_new_scene() {
  patience_.fill(0);
  distrusts_ = 0;
  for (std::size_t hold = 0; hold < kHolds; ++hold) {
    need_db_[hold] = std::min(need_db_[hold], kFirstNeedDb[hold]);
  }
  std::ranges::fill(bias_db_, 0.0);
}

void NeedModel::forget(int hold, Instant now) {
  const double seconds = std::clamp(to_seconds(now) - to_seconds(now_), 0.0, 1.0);
  now_ = now;
  for (std::size_t other = 0; other < kHolds; ++other) {
    const double step = kForgetDbPerS / (1 + patience_[other]) * seconds;
    // Of holds that are not in use nobody would say that the doubt was wrong.
    const double least_db = other == index_of(hold)
                                ? kFirstNeedDb[other] - kMostDoubtDb
                                : std::min(need_db_[other], kFirstNeedDb[other]);
    need_db_[other] = std::max(need_db_[other] - step, least_db);
  }
  const double life_s = kBiasLifeS * (1 << std::clamp(distrusts_ - 1, 0, kMostDoublings));
  for (double& bias : bias_db_) {
    bias *= std::exp(-seconds / life_s);
  }
}

}  // namespace wccl::link
