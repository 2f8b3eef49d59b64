#include "eval/script_run.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <fmt/format.h>

namespace wccl::eval {
namespace {

constexpr double kWithin = 0.9;
constexpr double kReachWindowS = 0.5;

std::vector<SegmentFigures> segments_of(const room::Script& script) {
  std::vector<SegmentFigures> segments;
  double from_s = 0;
  for (std::size_t i = 0; i <= script.changes.size(); ++i) {
    SegmentFigures segment;
    segment.label = script.labels[i];
    segment.from_s = from_s;
    segment.to_s = to_seconds(i < script.changes.size() ? script.changes[i].at : script.end);
    from_s = segment.to_s;
    segments.push_back(std::move(segment));
  }
  return segments;
}

void judge(SegmentFigures& segment, const ScriptResult& result) {
  const double settled_s = std::min(segment.from_s + kSettledS, segment.to_s - kTraceStepS);
  segment.goodput_bps = result.trace.goodput_bps(settled_s, segment.to_s);
  for (std::size_t i = 0; i < result.fixed.size(); ++i) {
    const double bps = result.fixed_traces[i].goodput_bps(settled_s, segment.to_s);
    if (!segment.best || bps > segment.best_bps) {
      segment.best = result.fixed[i];
      segment.best_bps = bps;
    }
  }
  for (double at_s = segment.from_s; at_s + kReachWindowS <= segment.to_s + 1e-6;
       at_s += kTraceStepS) {
    const double bps = result.trace.goodput_bps(at_s, at_s + kReachWindowS);
    if (bps > 0 && bps >= kWithin * segment.best_bps) {
      segment.reached_s = at_s - segment.from_s;
      return;
    }
  }
}

}  // namespace

std::string name_of(const FixedChoice& choice) {
  return fmt::format("{} hold {}", phy::find_mode(choice.mode)->name, choice.hold);
}

Result<ScriptResult> run_script(const ScriptRequest& request) {
  const std::size_t n_runs = request.fixed.size() + 1;
  std::vector<Result<LinkTrace>> traces(n_runs, LinkTrace{});
  std::atomic<std::size_t> next = 0;
  std::size_t n_done = 0;
  std::mutex mutex;
  const auto work = [&] {
    for (std::size_t run = next++; run < n_runs; run = next++) {
      LinkRunOptions options;
      options.script = request.script;
      options.seed = request.seed;
      options.is_cancelled = request.is_cancelled;
      if (run > 0) {
        options.mode = request.fixed[run - 1].mode;
        options.hold = request.fixed[run - 1].hold;
      }
      traces[run] = run_link(options);
      const std::lock_guard lock(mutex);
      ++n_done;
      if (request.on_run) {
        request.on_run(n_done);
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min<std::size_t>(n_runs, std::max(request.jobs, 1)); ++i) {
      threads.emplace_back(work);
    }
  }
  ScriptResult result;
  result.name = request.script.name;
  result.seed = request.seed;
  result.fixed = request.fixed;
  for (std::size_t run = 0; run < n_runs; ++run) {
    if (!traces[run]) {
      return tl::make_unexpected(traces[run].error());
    }
    if (run == 0) {
      result.trace = std::move(*traces[run]);
    } else {
      result.fixed_traces.push_back(std::move(*traces[run]));
    }
  }
  result.segments = segments_of(request.script);
  for (SegmentFigures& segment : result.segments) {
    judge(segment, result);
  }
  return result;
}

}  // namespace wccl::eval
