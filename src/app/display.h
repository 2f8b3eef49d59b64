#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/summary.h"
#include "train/trainer.h"

namespace wccl::app {

enum class Phase : std::uint8_t { kCalibrating, kTraining, kDone };

/// What a run looks like at one moment.
struct RunView {
  std::string title;  ///< Constant over the run: "2 laptops in face_1080p (pair), diloco, seed 1".
  Phase phase = Phase::kCalibrating;
  double air_time_s = 0;
  bool has_air = true;  ///< No room: time is time, and there are no links.
  double target_accuracy = 0;
  std::optional<train::Progress> progress;  ///< Of rank 0, after its last sync.
  std::vector<LinkSummary> links;
};

/// Lines of the block that a terminal shows; the first is the title. Pure, for tests.
[[nodiscard]] std::vector<std::string> block_lines(const RunView& view);
/// The one line that a log gets for a sync or a change of phase.
[[nodiscard]] std::string log_line(const RunView& view);

/// Shows a run while it goes: one calm block of lines, redrawn in place, on a terminal; plain
/// lines, one a sync, elsewhere. Thread-safe.
class Display {
 public:
  explicit Display(std::FILE* stream);

  /// The world has moved on. Cheap when it is too early for a redraw.
  void tick(const RunView& view);
  /// A new phase or sync.
  void event(const RunView& view);
  /// A line for people that stays, above the block.
  void say(const std::string& line);
  /// The run is over: the block shows its end. Lines say nothing, as the summary follows.
  void finish(const RunView& view);

 private:
  void redraw(const RunView& view);

  std::mutex mutex_;
  std::FILE* stream_;
  std::size_t lines_on_screen_ = 0;
  bool interrupted_ = false;  ///< The sign of Ctrl-C stands below the block.
  std::optional<std::chrono::steady_clock::time_point> last_redraw_;
};

}  // namespace wccl::app
