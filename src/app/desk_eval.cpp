#include "app/desk_eval.h"

#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "app/calibration_line.h"
#include "app/device_options.h"
#include "app/folder.h"
#include "app/interrupt.h"
#include "app/print.h"
#include "app/progress_line.h"
#include "app/text_list.h"
#include "app/units.h"
#include "app/world_check.h"
#include "eval/desk_run.h"
#include "eval/report.h"
#include "eval/result_log.h"
#include "eval/result_text.h"
#include "session/device_session.h"

namespace wccl::app {
namespace {

tl::unexpected<Error> wrong(std::string message) {
  return fail(ErrorCode::kInvalidArgument, std::move(message));
}

Status check(const EvalCommand& command) {
  if (!command.scenes.empty() || !command.sweeps.empty() || !command.script.empty() ||
      !command.input.empty() || command.resume) {
    return wrong(
        "--screen and --camera measure real light: no --scenes, --sweep, --script, "
        "--input, --resume");
  }
  if (!command.devices.screen || !command.devices.camera) {
    return wrong("--screen and --camera go together; `wccl devices` lists both");
  }
  return check_world(command.nodes, command.rank);
}

Result<eval::DeskPlan> plan_of(const EvalCommand& command) {
  eval::DeskPlan plan = eval::default_desk_plan();
  if (!command.modes.empty()) {
    plan.modes.clear();
  }
  for (const std::string& name : split(command.modes)) {
    const auto mode = phy::find_mode(std::string_view(name));
    if (!mode) {
      return wrong(fmt::format("--modes: no mode {}; `wccl modes` lists them", name));
    }
    plan.modes.push_back(*mode);
  }
  if (!command.holds.empty()) {
    plan.holds.clear();
  }
  for (const std::string& text : split(command.holds)) {
    int hold = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), hold);
    if (error != std::errc{} || end != text.data() + text.size() || hold < 1 || hold > 60) {
      return wrong(fmt::format("--holds: {} is no number of refreshes from 1 to 60", text));
    }
    plan.holds.push_back(hold);
  }
  if (command.seconds) {
    plan.length = from_seconds(*command.seconds);
  }
  return plan;
}

std::string line_of(const eval::DeskReading& reading) {
  const eval::Figures figures = eval::figures_of(reading.count, reading.step.mode);
  std::string snr;
  for (const eval::ChannelFigures& channel : figures.channels) {
    snr += fmt::format("{}{:.1f}", snr.empty() ? "" : "/", channel.snr_db);
  }
  return fmt::format(
      "{}  {:<10} hold {}  {}, {:.1f}% of blocks lost, {} of {} frames read, SNR {} dB, cell "
      "{:.1f} px, {:.1f} "
      "captures/s, {}",
      eval::link_name(reading.count.from, reading.to), phy::find_mode(reading.step.mode)->name,
      reading.step.hold, bit_rate(figures.goodput_bps), 100 * figures.block_error_rate(),
      figures.frames_read, figures.frames, snr, figures.cell_px,
      reading.count.captures_per_second(), figures.limit);
}

class DeskEval {
 public:
  DeskEval(const EvalCommand& command, eval::DeskPlan plan)
      : command_(command), plan_(std::move(plan)) {}

  Status run() {
    if (auto status = open(); !status) {
      return status;
    }
    const Status measured = session_->run(
        [this](session::RankContext& self) { return eval::measure_desk(self, options()); },
        [this](Rank rank) {
          calibrating_->end();
          rank_ = rank;
        });
    progress_.clear();
    // What there is can be looked at, however the session ended.
    const Status written = finish();
    if (!measured && !is_complete()) {
      return readings_.empty() ? measured
                               : fail(measured.error().code,
                                      fmt::format("{}; what was measured is in {}",
                                                  measured.error().message, command_.out.string()));
    }
    return written;
  }

 private:
  Status open();
  [[nodiscard]] eval::DeskOptions options();
  Status begin(const eval::DeskAgreement& agreement);
  Status note(const eval::DeskReading& reading);
  Status finish();
  void print_json() const;

  /// All has been measured and told: nobody has to hear of it any more.
  [[nodiscard]] bool is_complete() const {
    const auto n_laptops = static_cast<std::size_t>(session_->laptop().stats().size() + 1);
    return log_ && readings_.size() == plan_.n_steps() * n_laptops * (n_laptops - 1);
  }

  const EvalCommand& command_;
  eval::DeskPlan plan_;
  std::unique_ptr<session::DeviceSession> session_;
  std::optional<eval::ResultLog> log_;
  Rank rank_ = 0;
  std::vector<eval::DeskReading> readings_;
  std::optional<CalibrationLine> calibrating_;
  ProgressLine progress_{stderr};
};

Status DeskEval::open() {
  // Said before anybody aims a laptop.
  if (!command_.force && std::filesystem::exists(command_.out / "results.jsonl")) {
    return wrong(
        fmt::format("{} has results already: --force replaces them", command_.out.string()));
  }
  auto options = session_options("eval", command_.devices);
  options.activity = link::Activity::kMeasure;
  options.world_size = command_.nodes;
  options.rank = command_.rank;
  options.timeout = from_seconds(command_.timeout_s) + plan_.length;
  calibrating_.emplace("eval", options.identity, command_.nodes);
  options.on_search = [this] { calibrating_->show(*session_); };
  options.abort = interrupted;
  options.hurry = interrupted_twice;
  options.on_warning = [](const std::string& warning) {
    app::print(stderr, "wccl eval: {}\n", warning);
  };
  auto opened = session::DeviceSession::open(std::move(options));
  if (!opened) {
    return tl::make_unexpected(opened.error());
  }
  session_ = std::move(*opened);
  for (const auto& warning : session_->camera().warnings()) {
    app::print(stderr, "wccl eval: {}: {}\n", session_->camera().name(), warning);
  }
  return {};
}

eval::DeskOptions DeskEval::options() {
  eval::DeskOptions options;
  options.plan = plan_;
  options.is_asked_for =
      !command_.modes.empty() || !command_.holds.empty() || command_.seconds.has_value();
  options.on_plan = [this](const eval::DeskAgreement& agreement) { return begin(agreement); };
  options.on_step = [this](std::size_t index, eval::DeskStep step) {
    progress_.show([&] {
      return fmt::format("step {} of {}: {} hold {}", index + 1, plan_.n_steps(),
                         phy::find_mode(step.mode)->name, step.hold);
    });
  };
  options.on_reading = [this](const eval::DeskReading& reading) { return note(reading); };
  return options;
}

Status DeskEval::begin(const eval::DeskAgreement& agreement) {
  plan_ = agreement.plan;
  for (const phy::ModeId mode : agreement.left_out) {
    app::print(stderr, "wccl eval: left out {}: a screen is too small for it\n",
               phy::find_mode(mode)->name);
  }
  app::print(stderr, "wccl eval: this laptop is rank {}; {} modes and holds, {:g} s each\n", rank_,
             plan_.n_steps(), to_seconds(plan_.length));
  if (auto status = make_folder(command_.out); !status) {
    return status;
  }
  auto log = eval::ResultLog::open(command_.out, command_.force ? eval::ResultLog::Start::kReplace
                                                                : eval::ResultLog::Start::kNew);
  if (!log) {
    return tl::make_unexpected(log.error());
  }
  log_ = std::move(*log);
  return {};
}

Status DeskEval::note(const eval::DeskReading& reading) {
  readings_.push_back(reading);
  if (!command_.json) {
    progress_.clear();
    app::print("{}\n", line_of(reading));
    std::fflush(stdout);
  }
  return log_->add(eval::to_result(reading));
}

/// The best of each link, in the order of the ranks.
std::map<std::pair<Rank, Rank>, const eval::DeskReading*> best_of(
    const std::vector<eval::DeskReading>& readings) {
  std::map<std::pair<Rank, Rank>, const eval::DeskReading*> best;
  const auto goodput = [](const eval::DeskReading& reading) {
    return eval::figures_of(reading.count, reading.step.mode).goodput_bps;
  };
  for (const eval::DeskReading& reading : readings) {
    const auto [place, is_new] = best.try_emplace({reading.count.from, reading.to}, &reading);
    if (!is_new && goodput(reading) > goodput(*place->second)) {
      place->second = &reading;
    }
  }
  return best;
}

Status DeskEval::finish() {
  if (!log_) {
    return {};
  }
  if (command_.json) {
    print_json();
  } else {
    for (const auto& [link, reading] : best_of(readings_)) {
      app::print("best: {}\n", line_of(*reading));
    }
  }
  auto status = eval::write_whole(command_.out / "results.json", eval::to_json(log_->results()));
  if (status) {
    status = eval::write_whole(command_.out / "report.html", eval::make_report(log_->results()));
  }
  return status;
}

void DeskEval::print_json() const {
  using Json = nlohmann::ordered_json;
  Json best = Json::array();
  for (const auto& [link, reading] : best_of(readings_)) {
    best.push_back(
        {{"from", link.first},
         {"to", link.second},
         {"mode", phy::find_mode(reading->step.mode)->name},
         {"hold", reading->step.hold},
         {"goodput_bps", eval::figures_of(reading->count, reading->step.mode).goodput_bps}});
  }
  Json results = Json::array();
  for (const eval::DeskReading& reading : readings_) {
    Json result = Json::parse(eval::to_json_line(eval::to_result(reading)));
    result["from"] = reading.count.from;
    result["to"] = reading.to;
    result["captures_per_s"] = reading.count.captures_per_second();
    results.push_back(std::move(result));
  }
  const Json json = {{"rank", rank_}, {"best", best}, {"results", results}};
  app::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

Status measure_on_devices(const EvalCommand& command) {
  if (auto status = check(command); !status) {
    return status;
  }
  auto plan = plan_of(command);
  if (!plan) {
    return tl::make_unexpected(plan.error());
  }
  return DeskEval(command, std::move(*plan)).run();
}

}  // namespace wccl::app
