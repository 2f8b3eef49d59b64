#include "app/eval_command.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/desk_eval.h"
#include "app/device_options.h"
#include "app/exit_status.h"
#include "app/folder.h"
#include "app/interrupt.h"
#include "app/number_range.h"
#include "app/print.h"
#include "app/progress_line.h"
#include "app/seed_option.h"
#include "app/text_list.h"
#include "app/units.h"
#include "device/capture_source.h"
#include "eval/plan.h"
#include "eval/recording_measurement.h"
#include "eval/report.h"
#include "eval/result_log.h"
#include "eval/result_text.h"
#include "eval/runner.h"
#include "eval/script_run.h"

namespace wccl::app {
namespace {

// Compared with what senders of a script choose, at holds 2 and 3.
constexpr const char* kScriptModes = "rgb3-1.8,rgb3-1.5,rgb4-1.5,rgb5-1.5,rgb6-1.8";

constexpr const char* kFooter = R"(Examples:
  wccl eval                                           a few modes in the named scenes
  wccl eval --scenes face_1080p,dim --modes rgb4-1.8 --sweep hold=2..4,seed=1..4
  wccl eval --scenes glare --sweep cell=3..8,distance=0.2..0.9:0.1 --out near_and_far
  wccl eval --script light                            how fast two laptops follow a change of light
  wccl eval --input captures                          a recording, or a folder of pictures
  wccl eval --screen 0 --camera 0                     this laptop and the one that it faces, by real light

VALUES are single ones (levels=2,4) or ranges (cell=3..8, yaw=0..40:10). NAME is a parameter of the
room (`wccl room --list`) or one of:
)";

std::string footer() {
  std::string text = kFooter;
  for (const auto& [name, help] : eval::sweep_names()) {
    text += fmt::format("  {:<12} {}\n", name, help);
  }
  return text + fmt::format("Scenes: {}; modes: {}", fmt::join(eval::default_scenes(), ","),
                            fmt::join(eval::default_modes(), ","));
}

Result<eval::Plan> plan_of(const EvalCommand& command) {
  eval::PlanRequest request;
  request.scenes = split(command.scenes);
  request.modes = split(command.modes);
  request.seed = command.seed;
  request.captures = command.captures;
  for (const std::string& text : command.sweeps) {
    const auto axes = eval::parse_sweep(text);
    if (!axes) {
      return tl::make_unexpected(axes.error());
    }
    request.axes.insert(request.axes.end(), axes->begin(), axes->end());
  }
  return eval::make_plan(request);
}

std::string line_of(const eval::PointResult& result) {
  const eval::Point& point = result.point;
  const eval::Figures& figures = result.figures;
  std::string name = fmt::format("{:<10} {:<18}", point.scene, phy::find_mode(point.mode)->name);
  if (point.hold > 0) {
    name += fmt::format(" hold {}", point.hold);
  }
  for (const auto& [axis, value] : point.swept) {
    if (axis != "hold" && axis != "mode") {
      name += fmt::format(" {}={}", axis, value);
    }
  }
  return fmt::format("{}  {}, could carry {}, {:.1f}% of blocks lost, {}", name,
                     bit_rate(figures.goodput_bps), bit_rate(figures.could_carry_bps),
                     100 * figures.block_error_rate(), figures.limit);
}

Status finish(const EvalCommand& command, const eval::ResultLog& log) {
  auto status = eval::write_whole(command.out / "results.json", eval::to_json(log.results()));
  if (status) {
    status = eval::write_whole(command.out / "report.html", eval::make_report(log.results()));
  }
  return status;
}

eval::ResultLog::Start start_of(const EvalCommand& command) {
  if (command.resume) {
    return eval::ResultLog::Start::kResume;
  }
  return command.force ? eval::ResultLog::Start::kReplace : eval::ResultLog::Start::kNew;
}

Status measure_room(const EvalCommand& command) {
  const auto plan = plan_of(command);
  if (!plan) {
    return tl::make_unexpected(plan.error());
  }
  for (const std::string& note : plan->notes) {
    app::print(stderr, "wccl eval: {}\n", note);
  }
  if (auto status = make_folder(command.out); !status) {
    return status;
  }
  auto log = eval::ResultLog::open(command.out, start_of(command));
  if (!log) {
    return tl::make_unexpected(log.error());
  }
  std::vector<eval::Point> points = plan->points;
  std::erase_if(points, [&](const eval::Point& point) { return log->has(point); });
  std::size_t n_done = 0;
  ProgressLine progress(stderr);
  eval::RunOptions options;
  options.jobs = command.jobs > 0
                     ? command.jobs
                     : static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
  options.is_cancelled = interrupted;
  options.on_result = [&](const eval::PointResult& result) {
    progress.clear();
    app::print("{}\n", line_of(result));
    std::fflush(stdout);
    ++n_done;
    progress.show([&] { return fmt::format("{} of {} points", n_done, points.size()); });
    return log->add(result);
  };
  const Status measured = eval::measure_all(points, options);
  progress.clear();
  // What there is can be looked at, however the sweep ended.
  const Status written = finish(command, *log);
  if (!measured) {
    const bool cancelled = measured.error().code == ErrorCode::kCancelled;
    return cancelled ? fail(ErrorCode::kCancelled,
                            fmt::format("interrupted after {} of {} points; --resume goes on",
                                        n_done, points.size()))
                     : measured;
  }
  return written;
}

Result<room::Script> open_script(const std::string& name) {
  const auto names = room::script_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) {
    return room::built_in_script(name);
  }
  std::ifstream file(name);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) {
    return fail(ErrorCode::kNotFound,
                fmt::format("--script: no file {}, and no script of that name (there are {})", name,
                            fmt::join(names, ", ")));
  }
  auto script = room::parse_script(std::filesystem::path(name).stem().string(), text.str());
  if (!script) {
    return fail(script.error().code, name + ": " + script.error().message);
  }
  return script;
}

Result<std::vector<eval::FixedChoice>> fixed_choices(const std::string& modes) {
  std::vector<eval::FixedChoice> fixed;
  for (const std::string& name : split(modes.empty() ? kScriptModes : modes)) {
    const auto mode = phy::find_mode(std::string_view(name));
    if (!mode) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("--modes: no mode {}; `wccl modes` lists them", name));
    }
    for (const int hold : {2, 3}) {
      fixed.push_back({*mode, hold});
    }
  }
  return fixed;
}

Status follow_script(const EvalCommand& command) {
  if (!command.scenes.empty() || !command.sweeps.empty() || command.resume ||
      !command.input.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "--script is a room of its own: no --scenes, --sweep, --resume, --input");
  }
  auto script = open_script(command.script);
  if (!script) {
    return tl::make_unexpected(script.error());
  }
  auto fixed = fixed_choices(command.modes);
  if (!fixed) {
    return tl::make_unexpected(fixed.error());
  }
  if (auto status = make_folder(command.out); !status) {
    return status;
  }
  if (!command.force && std::filesystem::exists(command.out / "trace.csv")) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} has a trace already; --force replaces it", command.out.string()));
  }
  ProgressLine progress(stderr);
  eval::ScriptRequest request;
  request.script = std::move(*script);
  request.seed = command.seed;
  request.fixed = std::move(*fixed);
  request.jobs = std::max(command.jobs, 1);
  request.is_cancelled = interrupted;
  const std::size_t n_runs = request.fixed.size() + 1;
  request.on_run = [&](std::size_t n) {
    progress.show([&] { return fmt::format("{} of {} runs", n, n_runs); });
  };
  const auto result = eval::run_script(request);
  progress.clear();
  if (!result) {
    return tl::make_unexpected(result.error());
  }
  for (const eval::SegmentFigures& segment : result->segments) {
    app::print("{:5.1f} s  {:<50} {}, best fixed {} ({}), within 10% {}\n", segment.from_s,
               segment.label, bit_rate(segment.goodput_bps), bit_rate(segment.best_bps),
               segment.best ? eval::name_of(*segment.best) : "-",
               segment.reached_s ? fmt::format("after {:.2f} s", *segment.reached_s) : "never");
  }
  for (const auto& [name, text] : {std::pair{"trace.csv", eval::trace_csv(*result)},
                                   {"trace.json", eval::trace_json(*result)},
                                   {"trace.svg", eval::trace_svg(*result)},
                                   {"report.html", eval::script_report(*result)}}) {
    if (auto status = eval::write_whole(command.out / name, text); !status) {
      return status;
    }
  }
  return {};
}

Status measure_input(const EvalCommand& command) {
  if (!command.scenes.empty() || !command.modes.empty() || !command.sweeps.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "--input measures captures as they are: no --scenes, --modes, --sweep");
  }
  if (!(command.fps > 0) || command.fps > 10000) {
    return fail(ErrorCode::kInvalidArgument, "--fps must be above 0");
  }
  const std::array names{command.input};
  const auto captures = device::open_captures(names, interrupted);
  if (!captures) {
    return tl::make_unexpected(captures.error());
  }
  ProgressLine progress(stderr);
  eval::RecordingOptions options;
  options.fps = command.fps;
  options.is_cancelled = interrupted;
  options.on_capture = [&](int n) { progress.show([n] { return fmt::format("capture {}", n); }); };
  auto result = eval::measure_recording(**captures, options);
  progress.clear();
  if (!result) {
    return tl::make_unexpected(result.error());
  }
  const auto path = std::filesystem::path(command.input).lexically_normal();
  result->point.scene = (path.has_filename() ? path : path.parent_path()).filename().string();
  app::print("{}\n", line_of(*result));
  if (auto status = make_folder(command.out); !status) {
    return status;
  }
  auto log = eval::ResultLog::open(command.out, start_of(command));
  if (!log) {
    return tl::make_unexpected(log.error());
  }
  if (auto status = log->add(*result); !status) {
    return status;
  }
  return finish(command, *log);
}

}  // namespace

namespace {

/// What only laptops on a desk need.
void add_desk_options(CLI::App& eval, EvalCommand& command) {
  add_device_options(eval, command.devices);
  add_calibration_option(eval, command.devices);
  CLI::Option* screen = eval.get_option("--screen");
  eval.add_option(
          "--nodes", command.nodes,
          "Number of laptops, 2 to 8. By light all must see one another: 2 or 3 do, 4 do not")
      ->check(CLI::Range(2, 8))
      ->capture_default_str()
      ->needs(screen);
  eval.add_option("--rank", command.rank, "Be this rank. Without it laptops agree by themselves")
      ->needs(screen);
  eval.add_option("--holds", command.holds, "Refreshes of a frame that are measured (default: 2,3)")
      ->type_name("H,...")
      ->needs(screen);
  eval.add_option("--seconds", command.seconds,
                  "For which each mode and hold is measured (default: 3)")
      ->type_name("S")
      ->check(number_in(0.5, 20.0))
      ->needs(screen);
  eval.add_option("--timeout", command.timeout_s, "Seconds that a laptop may be silent")
      ->type_name("S")
      ->check(number_in(0.1, 86400.0))
      ->capture_default_str()
      ->needs(screen);
  eval.add_flag("--json", command.json, "Print one JSON object")->needs(screen);
}

}  // namespace

CLI::App* add_eval(CLI::App& program, EvalCommand& command) {
  auto* eval = program.add_subcommand("eval", "Measure the optical link: sweeps, and a report");
  eval->add_option("--scenes", command.scenes, "Scenes of the room (default: all but a few)")
      ->type_name("S,...");
  eval->add_option("--modes", command.modes, "Modes (default: a few; `wccl modes` lists all)")
      ->type_name("M,...");
  eval->add_option("--sweep", command.sweeps, "Parameters and their values; can be repeated")
      ->type_name("NAME=VALUES,...")
      ->allow_extra_args(false);
  eval->add_option("--out", command.out, "Folder for results and report")
      ->type_name("DIR")
      ->capture_default_str();
  eval->add_flag("--resume", command.resume, "Go on with a sweep that was interrupted");
  eval->add_flag("--force", command.force, "Replace earlier results in --out");
  eval->add_option("--jobs", command.jobs, "Points measured at a time (default: one a core)")
      ->type_name("J")
      ->check(CLI::Range(1, 256));
  add_seed_option(*eval, command.seed);
  eval->add_option("--captures", command.captures, "Captures a point, after half a second")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000))
      ->capture_default_str();
  eval->add_option("--script", command.script,
                   "A room that changes, two laptops that follow: light, distance, both, or a file")
      ->type_name("NAME|FILE");
  eval->add_option("--input", command.input, "Measure captures instead of the room")
      ->type_name("DIR|VIDEO");
  eval->add_option("--fps", command.fps, "With --input: captures a second")
      ->type_name("F")
      ->capture_default_str();
  add_desk_options(*eval, command);
  eval->footer(footer());
  return eval;
}

int eval_command(const EvalCommand& command) {
  const InterruptGuard guard(command.devices.given() ? "wccl eval: stopping; Ctrl-C again: at once"
                                                     : nullptr);
  if (command.resume && command.force) {
    return report("eval",
                  {ErrorCode::kInvalidArgument, "--resume keeps results, --force replaces them"});
  }
  const Status status = command.devices.given()   ? measure_on_devices(command)
                        : !command.script.empty() ? follow_script(command)
                        : command.input.empty()   ? measure_room(command)
                                                  : measure_input(command);
  if (!status) {
    return report("eval", status.error());
  }
  app::print(command.json ? stderr : stdout, "results and report: {}\n",
             (command.out / "report.html").string());
  return kExitOk;
}

}  // namespace wccl::app
