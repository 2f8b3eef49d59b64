#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "app/device_options.h"
#include "app/display.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "app/launch.h"
#include "app/print.h"
#include "app/resume_hint.h"
#include "app/run_config.h"
#include "app/train_command.h"
#include "app/training.h"
#include "session/device_session.h"

namespace wccl::app {
namespace {

using SteadyClock = std::chrono::steady_clock;

void say_how_to_go_on(const TrainSettings& settings,
                      const std::filesystem::path& folder,
                      Ending ending,
                      double air_time_s) {
  if (const auto hint = resume_hint(settings, folder, ending, air_time_s)) {
    app::print(stderr, "wccl train: {}\n", *hint);
  }
}

/// As say_how_to_go_on(), when other processes did the work: from what rank 0 has left.
void say_how_to_go_on(const TrainSettings& settings) {
  const auto& folder = settings.resume.empty() ? settings.out : settings.resume;
  std::ifstream file(folder / "summary.json");
  const auto summary = nlohmann::json::parse(file, nullptr, false);
  Ending ending = Ending::kFailed;
  double air_time_s = 0;
  if (summary.is_object()) {
    const auto text = summary.value("ending", nlohmann::json());
    for (const auto known : {Ending::kTargetReached, Ending::kOutOfTime, Ending::kInterrupted}) {
      ending = text == to_string(known) ? known : ending;
    }
    const auto time = summary.value("air_time_s", nlohmann::json());
    air_time_s = time.is_number() ? time.get<double>() : 0;
  }
  say_how_to_go_on(settings, folder, ending, air_time_s);
}

/// Starts every rank as a process of its own on this machine and waits for them.
int launch_ranks(const TrainSettings& settings) {
  const auto port = free_port();
  if (!port) {
    return report("train", port.error());
  }
  std::vector<std::vector<std::string>> arguments;
  for (int rank = 0; rank < settings.nodes; ++rank) {
    TrainSettings own = settings;
    own.rank = rank;
    own.master = Endpoint{"127.0.0.1", *port};
    own.launched = true;
    // One rank speaks; the others are silent, and keep what they need to go on in its folder.
    own.json = settings.json && rank == 0;
    if (rank != 0) {
      auto& folder = own.resume.empty() ? own.out : own.resume;
      folder /= fmt::format("rank{}", rank);
    }
    arguments.push_back(to_arguments(own));
  }
  const auto codes = run_self(arguments);
  const int refused = codes ? kExitOk : report("train", codes.error());
  if (settings.resume.empty()) {
    std::error_code not_empty;  // Unless the ranks have trained nothing, and taken theirs away.
    std::filesystem::remove(settings.out, not_empty);
  }
  say_how_to_go_on(settings);
  if (!codes) {
    return refused;
  }
  for (const int code : *codes) {
    if (code == kExitError || code == kExitUsage) {
      return kExitError;
    }
  }
  return codes->front();
}

RunView first_view(const TrainSettings& settings) {
  RunView view;
  const bool in_room = settings.backend == Backend::kRoom;
  const std::string rank = settings.rank ? fmt::format("rank {}", *settings.rank) : "one";
  view.title =
      in_room
          ? fmt::format("{} laptops in {} ({}), {}, seed {}", settings.nodes, settings.scene,
                        settings.arrangement, to_string(settings.strategy), settings.seed)
          : fmt::format("{} of {} over {}, {}, seed {}", rank, settings.nodes,
                        to_string(settings.backend), to_string(settings.strategy), settings.seed);
  view.has_air = settings.backend != Backend::kGloo;
  view.target_accuracy = settings.target_accuracy;
  return view;
}

void print_summary(const TrainSettings& settings,
                   const RunSummary& summary,
                   const RunFolder& folder) {
  if (settings.json) {
    app::print("{}\n", to_json(summary).dump(2));
  } else {
    app::print("{}", to_text(summary));
    app::print("  {:<10} {}\n", "run folder", folder.path().string());
  }
  std::fflush(stdout);
}

RunSummary run_job(const TrainingJob& job, const Room* room) {
  switch (job.settings.backend) {
    case Backend::kRoom:
      return train_in_room(job, *room);
    case Backend::kLight:
      return train_on_devices(job);
    case Backend::kGloo:
      break;
  }
  return train_over_gloo(job);
}

/// Trains, prints and keeps what came of it.
int run_training(const TrainSettings& settings,
                 const Room* room,
                 const train::Mnist& data,
                 const RunFolder& folder,
                 session::OpenDevices* devices,
                 SteadyClock::time_point start) {
  const bool is_silent = settings.launched && settings.rank != 0;
  // A rank that hangs in one of Gloo's calls cannot be woken to say goodbye.
  const InterruptGuard guard(
      is_silent ? nullptr : "wccl train: stopping at the next sync; Ctrl-C again: at once",
      settings.backend == Backend::kGloo ? 2 : InterruptGuard::kLastPress);
  Display display(settings.json ? stderr : stdout);
  RunMonitor monitor(first_view(settings), settings.rank.value_or(0), &display);
  const TrainingJob job{settings, data, &folder, monitor, devices};
  RunSummary summary = run_job(job, room);
  summary.wall_s = std::chrono::duration<double>(SteadyClock::now() - start).count();
  if (const auto resumption = monitor.resumption()) {
    summary.resumed_at_sync = resumption->syncs;
  }
  monitor.finish();
  if (summary.ending == Ending::kFailed) {
    app::print(stderr, "wccl train: {}\n", summary.error);
  }
  const bool is_in_vain =
      summary.ending == Ending::kFailed && summary.syncs == 0 && settings.resume.empty();
  if (is_in_vain) {
    folder.discard();
  }
  if (!is_in_vain || settings.json) {
    print_summary(settings, summary, folder);
  }
  if (is_in_vain) {
    return exit_status(summary);
  }
  if (auto kept = folder.write("summary.json", to_json(summary)); !kept) {
    return report("train", kept.error());
  }
  if (!settings.launched) {
    say_how_to_go_on(settings, folder.path(), summary.ending, summary.air_time_s);
  }
  return exit_status(summary);
}

/// The folder of this run: a new one, or that of the run which goes on.
Result<RunFolder> open_folder(TrainSettings& settings) {
  if (settings.resume.empty()) {
    if (settings.out.empty()) {
      settings.out = default_run_folder(settings.seed, settings.rank);
    }
    return RunFolder::create(settings.out);
  }
  auto folder = RunFolder::resume(settings.resume);
  // One rank of several may be new, or have lost its folder: the others tell it.
  const bool has_others = settings.backend == Backend::kLight || settings.rank;
  if (!folder && folder.error().code == ErrorCode::kNotFound && has_others) {
    return RunFolder::create(settings.resume);
  }
  return folder;
}

/// Whether the ranks of this process can go on from what is in the folder.
Status judge_folder(const TrainSettings& settings, const train::Mnist& data) {
  if (settings.resume.empty()) {
    return {};
  }
  auto options = trainer_options(settings);
  options.run_folder = settings.resume;
  const bool all_here = settings.backend == Backend::kRoom;
  const int first = settings.rank.value_or(0);
  for (int rank = first; rank < (all_here ? settings.nodes : first + 1); ++rank) {
    if (auto judged = train::judge_resume(options, data, rank); !judged) {
      return judged;
    }
  }
  return {};
}

}  // namespace

int train_command(const TrainSettings& asked) {
  const auto start = SteadyClock::now();
  TrainSettings settings = asked;
  if (auto status = check(settings); !status) {
    return report("train", status.error());
  }
  std::optional<Room> room;
  if (settings.backend == Backend::kRoom) {
    auto furnished =
        set_up_room({settings.scene, settings.arrangement, settings.nodes, settings.overrides});
    if (!furnished) {
      return report("train", furnished.error());
    }
    if (auto status = check_all_see_all(*furnished); !status) {
      return report("train", status.error());
    }
    room = std::move(*furnished);
  }
  const auto data = train::load_mnist(settings.data);
  if (!data) {
    return report("train", data.error());
  }
  if (data->train.n_images < settings.nodes) {
    return report("train", {ErrorCode::kUnsupported, "there are fewer training images than ranks"});
  }

  if (auto status = judge_folder(settings, *data); !status) {
    return report("train", status.error());
  }
  session::OpenDevices devices;
  if (settings.backend == Backend::kLight) {
    auto found = session::DeviceSession::open_devices(session_options("train", settings.devices));
    if (!found) {
      return report("train", found.error());
    }
    devices = std::move(*found);
  }

  auto opened = open_folder(settings);
  if (!opened) {
    return report("train", opened.error());
  }
  std::optional<RunFolder> folder = std::move(*opened);
  const auto kept = folder->write("config.json", run_config(settings, room ? &*room : nullptr));
  if (!kept) {
    return report("train", kept.error());
  }
  if (settings.backend == Backend::kGloo && !settings.rank) {
    folder.reset();  // The ranks take it over.
    return launch_ranks(settings);
  }
  return run_training(settings, room ? &*room : nullptr, *data, *folder, &devices, start);
}

}  // namespace wccl::app
