#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "eval/link_run.h"

namespace wccl::eval {

/// A sender that does not choose.
struct FixedChoice {
  phy::ModeId mode = 0;
  int hold = 2;
};

struct ScriptRequest {
  room::Script script;
  std::uint64_t seed = 1;
  std::vector<FixedChoice> fixed;  ///< To compare with.
  int jobs = 1;                    ///< Runs at a time.
  std::function<bool()> is_cancelled = {};
  std::function<void(std::size_t n_done)> on_run = {};  ///< From any thread, one at a time.
};

/// What became of a stretch of the script in which nothing changes.
struct SegmentFigures {
  std::string label;
  double from_s = 0;
  double to_s = 0;
  double goodput_bps = 0;  ///< From kSettledS after its beginning on.
  std::optional<FixedChoice> best;
  double best_bps = 0;  ///< Of the best fixed choice, likewise.
  /// From the beginning until half a second brought 90% of the best fixed choice's goodput.
  std::optional<double> reached_s;
};
inline constexpr double kSettledS = 2;

struct ScriptResult {
  std::string name;
  std::uint64_t seed = 1;
  LinkTrace trace;
  std::vector<FixedChoice> fixed;
  std::vector<LinkTrace> fixed_traces;
  std::vector<SegmentFigures> segments;
};

/// Runs a script with senders that choose, and once with each fixed choice.
/// @return kCancelled.
[[nodiscard]] Result<ScriptResult> run_script(const ScriptRequest& request);

[[nodiscard]] std::string name_of(const FixedChoice& choice);
/// One line a row of the trace, with a head.
[[nodiscard]] std::string trace_csv(const ScriptResult& result);
[[nodiscard]] std::string trace_json(const ScriptResult& result);
/// Goodput over time beside the best fixed choice's: a picture that needs no page.
[[nodiscard]] std::string trace_svg(const ScriptResult& result);
[[nodiscard]] std::string script_report(const ScriptResult& result);

}  // namespace wccl::eval
