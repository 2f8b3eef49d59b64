#include <chrono>
#include <cstdio>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "app/device_options.h"
#include "app/display.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "app/launch.h"
#include "app/print.h"
#include "app/run_config.h"
#include "app/train_command.h"
#include "app/training.h"
#include "session/device_session.h"

namespace wccl::app {
namespace {

using SteadyClock = std::chrono::steady_clock;

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
    // One rank speaks and keeps the run; the others are silent.
    own.json = settings.json && rank == 0;
    if (rank != 0) {
      own.out.clear();
    }
    arguments.push_back(to_arguments(own));
  }
  const auto codes = run_self(arguments);
  if (!codes) {
    return report("train", codes.error());
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
                   const RunFolder* folder) {
  if (settings.json) {
    app::print("{}\n", to_json(summary).dump(2));
  } else {
    app::print("{}", to_text(summary));
    if (folder != nullptr) {
      app::print("  {:<10} {}\n", "run folder", folder->path().string());
    }
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
                 const RunFolder* folder,
                 session::OpenDevices* devices,
                 SteadyClock::time_point start) {
  const InterruptGuard guard;
  Display display(settings.json ? stderr : stdout);
  RunMonitor monitor(first_view(settings), settings.rank.value_or(0), &display);
  const TrainingJob job{settings, data, folder, monitor, devices};
  RunSummary summary = run_job(job, room);
  summary.wall_s = std::chrono::duration<double>(SteadyClock::now() - start).count();
  monitor.finish();
  if (summary.ending == Ending::kFailed) {
    app::print(stderr, "wccl train: {}\n", summary.error);
  }
  print_summary(settings, summary, folder);
  if (folder != nullptr) {
    if (auto kept = folder->write("summary.json", to_json(summary)); !kept) {
      return report("train", kept.error());
    }
  }
  return exit_status(summary);
}

/// Each laptop keeps its run; ranks of a Gloo job leave a folder only when asked to, but for the
/// first.
bool leaves_folder(const TrainSettings& settings) {
  return settings.backend == Backend::kLight || settings.rank.value_or(0) == 0 ||
         !settings.out.empty();
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

  session::OpenDevices devices;
  if (settings.backend == Backend::kLight) {
    auto opened = session::DeviceSession::open_devices(session_options(settings.devices));
    if (!opened) {
      return report("train", opened.error());
    }
    devices = std::move(*opened);
  }

  std::optional<RunFolder> folder;
  if (leaves_folder(settings)) {
    if (settings.out.empty()) {
      settings.out = default_run_folder(settings.seed);
    }
    auto made = RunFolder::create(settings.out);
    if (!made) {
      return report("train", made.error());
    }
    folder = std::move(*made);
    const auto kept = folder->write("config.json", run_config(settings, room ? &*room : nullptr));
    if (!kept) {
      return report("train", kept.error());
    }
  }
  if (settings.backend == Backend::kGloo && !settings.rank) {
    folder.reset();  // Rank 0 takes it over.
    return launch_ranks(settings);
  }
  return run_training(settings, room ? &*room : nullptr, *data, folder ? &*folder : nullptr,
                      &devices, start);
}

}  // namespace wccl::app
