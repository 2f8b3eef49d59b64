#include "app/train_options.h"

#include "app/device_options.h"
#include "app/seed_option.h"

namespace wccl::app {
namespace {

constexpr const char* kFooter = R"(Examples:
  wccl train                                     two laptops, face_1080p, DiLoCo, to 90%
  wccl train --nodes 3 --arrangement horseshoe   three laptops that all see one another
  wccl train --scene glare --set light.ambient_lux=400 --json
  wccl train --strategy parameter-server         root and workers, as the original did it
  wccl train --backend gloo                      the same job between processes over TCP
  wccl train --screen 0 --camera 0               this laptop, with the one that it faces
  wccl train --backend gloo --rank 1 --master 192.168.1.5:29500   one rank on each machine
  wccl train --resume runs/DATE-TIME-seed1       go on with a run that was interrupted

Exit status: 0 target reached, 1 error, 2 wrong usage, 4 target not reached within --max-air-time,
130 interrupted (Ctrl-C once: at the next sync; twice: at once; the run folder is written anyhow; three
times: on the spot, whatever hangs).)";

void add_room_options(CLI::App& train, TrainSettings& settings) {
  train
      .add_option(
          "--nodes", settings.nodes,
          "Number of laptops, 2 to 8. By light all must see one another: 2 or 3 do, 4 do not")
      ->capture_default_str();
  train.add_option("--scene", settings.scene, "Scene of the room; `wccl room --list` names them")
      ->capture_default_str();
  train.add_option("--arrangement", settings.arrangement,
                   "Where the laptops stand: a name, or a file of poses (default: pair for two, "
                   "horseshoe for more)");
  train
      .add_option("--set", settings.overrides, "Override a parameter of the scene; can be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  train.add_option("--mode", settings.mode, "Mode of the optical link (`wccl modes`), or auto")
      ->capture_default_str();
}

void add_training_options(CLI::App& train, TrainOptionTexts& texts) {
  auto& settings = texts.settings;
  train.add_option("--backend", texts.backend,
                   "room (light in the virtual room; the default), light (this laptop's screen and "
                   "camera; the default with --screen or --camera) or gloo (TCP)");
  train.add_option("--strategy", texts.strategy, "parameter-server, data-parallel or diloco")
      ->capture_default_str();
  train.add_option("--inner-steps", settings.inner_steps,
                   "Local steps between two syncs (default: the strategy's)");
  train
      .add_option("--target-accuracy", settings.target_accuracy,
                  "Share of the test images at which training ends")
      ->capture_default_str();
  train
      .add_option(
          "--max-air-time", settings.max_air_time_s,
          "Stop at the first sync after so many seconds (light: since all laptops saw one another)")
      ->capture_default_str();
  train
      .add_option("--timeout", settings.timeout_s,
                  "Seconds that a silent laptop is waited for; then the run ends, naming it")
      ->capture_default_str();
  add_seed_option(train, settings.seed);
}

void add_file_options(CLI::App& train, TrainOptionTexts& texts) {
  auto& settings = texts.settings;
  train.add_option(
      "--data", settings.data,
      "Folder of MNIST's four IDX files (default: $WCCL_MNIST, else mnist in $WCCL_HOME, "
      "else ~/.cache/wccl/mnist)");
  train.add_option("--out", settings.out, "Run folder (default: runs/DATE-TIME-seedK)");
  train
      .add_option(
          "--resume", settings.resume,
          "Go on with the run in this folder after its last sync, with its options (start "
          "all ranks so). Others may be given for --target-accuracy, --max-air-time and how "
          "ranks reach one another. A rank with an empty folder takes over the weights")
      ->type_name("DIR");
  train.add_flag("--launched", settings.launched)->group("");  // Not for people.
  train.add_flag("--json", settings.json, "Print one JSON object on stdout, progress on stderr");
  train.add_option("--rank", settings.rank,
                   "Be this rank only. Without it laptops agree on ranks by themselves");
  train
      .add_option("--master", texts.master, "With --backend gloo and --rank: where rank 0 listens")
      ->type_name("HOST:PORT");
}

}  // namespace

CLI::App* add_train_options(CLI::App& program, TrainOptionTexts& texts) {
  texts.settings.data = default_data_folder();
  auto* train = program.add_subcommand("train", "Train a network on MNIST, by light or over TCP");
  add_room_options(*train, texts.settings);
  add_training_options(*train, texts);
  add_device_options(*train, texts.settings.devices);
  add_calibration_option(*train, texts.settings.devices);
  add_file_options(*train, texts);
  // The room has screens and cameras of its own.
  for (const char* const room : {"--scene", "--arrangement", "--set"}) {
    train->get_option(room)->excludes(train->get_option("--screen"));
    train->get_option(room)->excludes(train->get_option("--camera"));
  }
  train->footer(kFooter);
  return train;
}

Result<TrainSettings> to_settings(const TrainOptionTexts& texts) {
  TrainSettings settings = texts.settings;
  const Backend usual = settings.devices.given() ? Backend::kLight : Backend::kRoom;
  const auto backend = texts.backend.empty() ? usual : parse_backend(texts.backend);
  if (!backend) {
    return tl::make_unexpected(backend.error());
  }
  settings.backend = *backend;
  const auto strategy = parse_strategy(texts.strategy);
  if (!strategy) {
    return tl::make_unexpected(strategy.error());
  }
  settings.strategy = *strategy;
  if (!texts.master.empty()) {
    const auto master = parse_endpoint("--master", texts.master);
    if (!master) {
      return tl::make_unexpected(master.error());
    }
    settings.master = *master;
  }
  if (settings.arrangement.empty()) {
    settings.arrangement = default_arrangement(settings.nodes);
  }
  if (auto status = check(settings); !status) {
    return tl::make_unexpected(status.error());
  }
  return settings;
}

}  // namespace wccl::app
