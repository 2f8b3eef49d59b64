#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/clock.h"

namespace wccl::link {

/// What a mode has to spare in one capture to deliver: by hold, since frames that stay longer are
/// seen more often, and how far the prediction is off for single modes.
///
/// The outer loop of link adaptation, as in LTE: the share of blocks that decoded teaches it.
class NeedModel {
 public:
  explicit NeedModel(std::size_t n_rungs);

  /// Of a hold of so many refreshes.
  [[nodiscard]] double need_db(int hold) const { return need_db_[index_of(hold)]; }
  /// Before anything was learned.
  [[nodiscard]] static double first_need_db(int hold);
  /// What a mode is better than predicted; below 0 after failures.
  [[nodiscard]] double bias_db(std::size_t rung) const { return bias_db_[rung]; }

  /// Frames of the mode in use have shown what it has to spare.
  /// @param margin_db  Predicted, its bias and mixed frames taken in.
  /// @param success    Share of its blocks that decoded.
  void learn(int hold, double margin_db, double success);
  /// The same from a probe.
  /// @param proven_db    What the mode in use has to spare.
  /// @param proven_hold  Its hold.
  void learn_from_probe(std::size_t rung,
                        int hold,
                        double margin_db,
                        double success,
                        double proven_db,
                        int proven_hold);
  /// A mode failed, whatever was predicted, and so would all that need more.
  /// @param bias_db      That explains it.
  /// @param needs_more   [rungs] whether a mode needs as much as the one that failed, or more.
  void distrust(double bias_db, const std::vector<bool>& needs_more);
  /// In another scene nothing holds that failures taught.
  void on_new_scene();
  /// Time makes a mode that failed worth another try.
  /// @param hold  In use.
  void forget(int hold, Instant now);

 private:
  static constexpr std::size_t kHolds = 5;
  [[nodiscard]] static std::size_t index_of(int hold);
  [[nodiscard]] bool learn_success(std::size_t hold, double margin_db, double success);
  void keep_holds_alike(std::size_t hold);

  std::array<double, kHolds> need_db_{};
  std::array<double, kHolds> patience_{};  ///< By hold: how slowly a need is forgotten.
  std::vector<double> bias_db_;            ///< By rung.
  int distrusts_ = 0;                      ///< Since the scene changed.
  Instant now_{};
};

/// The share of blocks that decode, against what a mode has to spare over what it needs.
[[nodiscard]] double share_of_blocks(double spare_db);

}  // namespace wccl::link
