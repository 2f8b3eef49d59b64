#include "app/send_command.h"

#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/device_transfer.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "app/number_range.h"
#include "app/one_way_send.h"
#include "app/print.h"
#include "app/room_one_way.h"
#include "app/room_transfer.h"
#include "app/seed_option.h"
#include "app/temporary_folder.h"
#include "app/train_settings.h"
#include "app/transfer_resume_hint.h"
#include "transfer/source_files.h"

namespace wccl::app {
namespace {

constexpr const char* kFooter = R"(Examples:
  wccl send photo.jpg                                  display 0, camera 0; `wccl receive` on the other laptop
  wccl send --screen window --camera 1 photos          a window, another camera
  wccl send --scene face_1080p photo.jpg               two laptops in a virtual room: how fast, how soon
  wccl send --scene dim --out inbox photos notes.txt   keeps what laptop 1 received
  wccl send --scene face_1080p --nodes 3 photo.jpg     two receivers, one broadcast
  wccl send --one-way photo.jpg                        until Esc, for `wccl receive --one-way`: no camera here
  wccl send --one-way --scene side_view photo.jpg      the same in a virtual room

A transfer that was interrupted goes on where it was when the same command is given again.

One way nobody says what can be read. --mode auto shows rgb5-1.5 for 6 s, which webcams at arm's
length read, then 1 s each of rgb8-1.5 and luma8-0.5, with which those that are farther get it, too,
but slowly. For one that is near rgb4-1.5 or rgb3-1.5 is faster, for one that is far luma8-0.5 or
luma12-0.5 alone. --hold 3 suits cameras of 30 captures a second whatever their phase; 15 want 6.)";

Result<transfer::SourceFiles> open_files(const SendCommand& command) {
  auto files = transfer::SourceFiles::open(command.paths, interrupted);
  if (!files) {
    return files;
  }
  for (const auto& what : files->left_out()) {
    app::print(stderr, "wccl send: left out {}\n", what);
  }
  return files;
}

Result<std::optional<phy::ModeId>> mode_of(const SendCommand& command) {
  const auto mode = phy::find_mode(command.frames.mode);
  if (!mode && command.frames.mode != "auto") {
    return tl::make_unexpected(unknown_mode(command.frames.mode));
  }
  return mode;
}

/// Where the receivers of a room put what comes.
class RoomInbox {
 public:
  static Result<RoomInbox> open(const std::filesystem::path& out) {
    if (!out.empty()) {
      return RoomInbox(out);
    }
    auto folder = TemporaryFolder::create();
    if (!folder) {
      return tl::make_unexpected(folder.error());
    }
    return RoomInbox(*std::move(folder));
  }
  [[nodiscard]] const std::filesystem::path& path() const {
    return temporary_ ? temporary_->path() : path_;
  }
  /// An error, with what its user can do when something is kept.
  [[nodiscard]] Error hinted(const Error& error) const {
    return !temporary_ && keeps_something() ? with_resume_hint(error) : error;
  }

 private:
  explicit RoomInbox(std::filesystem::path path) : path_(std::move(path)) {}
  explicit RoomInbox(TemporaryFolder folder) : temporary_(std::move(folder)) {}

  /// One receiver has the folder for itself, several have one each in it.
  [[nodiscard]] bool keeps_something() const {
    bool is_kept = keeps_partial_transfer(path_);
    for (int node = 1; node < phy::kMaxNodes; ++node) {
      is_kept = is_kept || keeps_partial_transfer(path_ / fmt::format("laptop-{}", node));
    }
    return is_kept;
  }

  std::filesystem::path path_;
  std::optional<TemporaryFolder> temporary_;
};

Result<Room> room_of(const SendCommand& command) {
  RoomRequest request = command.room;
  request.nodes = command.options.nodes;
  auto room = set_up_room(request);
  if (!room) {
    return room;
  }
  const auto status = command.one_way ? check_all_see_first(*room) : check_all_see_all(*room);
  return status ? std::move(room) : tl::make_unexpected(status.error());
}

/// What a transfer in the room needs.
struct RoomWork {
  Room room;
  transfer::SourceFiles files;
  RoomInbox inbox;
};

Result<RoomWork> open_room_work(const SendCommand& command) {
  auto room = room_of(command);
  if (!room) {
    return tl::make_unexpected(room.error());
  }
  auto files = open_files(command);
  if (!files) {
    return tl::make_unexpected(files.error());
  }
  auto inbox = RoomInbox::open(command.out);
  if (!inbox) {
    return tl::make_unexpected(inbox.error());
  }
  return RoomWork{*std::move(room), *std::move(files), *std::move(inbox)};
}

/// With what its user can do, or where it is.
template <class Figures>
Result<Figures> concluded(Result<Figures> figures,
                          const SendCommand& command,
                          const RoomWork& work) {
  if (!figures) {
    return tl::make_unexpected(work.inbox.hinted(figures.error()));
  }
  figures->folder = command.out;
  return figures;
}

Result<TransferSummary> send_in_room(const SendCommand& command) {
  const auto mode = mode_of(command);
  if (!mode) {
    return tl::make_unexpected(mode.error());
  }
  auto work = open_room_work(command);
  if (!work) {
    return tl::make_unexpected(work.error());
  }
  RoomTransfer options;
  options.out = work->inbox.path();
  options.replace = command.force;
  options.mode = *mode;
  options.seed = command.seed;
  options.timeout = from_seconds(command.options.timeout_s);
  return concluded(transfer_in_room(options, work->room, work->files), command, *work);
}

Result<TransferFigures> show_in_room(const SendCommand& command) {
  auto work = open_room_work(command);
  if (!work) {
    return tl::make_unexpected(work.error());
  }
  RoomOneWay options;
  options.out = work->inbox.path();
  options.replace = command.force;
  options.frames = command.frames;
  options.seed = command.seed;
  options.timeout = from_seconds(command.options.timeout_s);
  options.duration_s = command.duration_s;
  return concluded(send_one_way_in_room(options, work->room, work->files), command, *work);
}

Result<OneWayShown> show_on_screen(const SendCommand& command) {
  auto files = open_files(command);
  if (!files) {
    return tl::make_unexpected(files.error());
  }
  return send_one_way({command.options.devices, command.frames, command.duration_s}, *files);
}

Result<TransferSummary> send_by_devices(const SendCommand& command) {
  auto files = open_files(command);
  if (!files) {
    return tl::make_unexpected(files.error());
  }
  auto summary = send_on_devices(command.options, *files);
  if (!summary) {
    return tl::make_unexpected(with_sender_hint(summary.error()));
  }
  return summary;
}

void print_shown(const OneWayShown& shown, bool json) {
  if (json) {
    const nlohmann::ordered_json object = {{"frames", shown.frames},
                                           {"rounds", shown.rounds},
                                           {"total_s", shown.seconds},
                                           {"modes", shown.modes}};
    app::print("{}\n", object.dump(2));
  } else {
    app::print("{:.1f} rounds shown in {:.1f} s\n", shown.rounds, shown.seconds);
  }
}

int send_one_way_command(const SendCommand& command) {
  if (command.room.scene.empty()) {
    const auto shown = show_on_screen(command);
    if (!shown) {
      return report("send", shown.error());
    }
    print_shown(*shown, command.options.json);
    return kExitOk;
  }
  const auto summary = show_in_room(command);
  if (!summary) {
    return report("send", summary.error());
  }
  print_summary(*summary, command.options.json);
  return kExitOk;
}

/// On screens and cameras a two-way sender follows the receivers, whatever the user thinks.
Status check_mode_is_used(const SendCommand& command) {
  if (command.frames.mode == "auto" || command.one_way || !command.room.scene.empty()) {
    return {};
  }
  return fail(ErrorCode::kInvalidArgument, "--mode is for --one-way or --scene");
}

}  // namespace

CLI::App* add_send(CLI::App& program, SendCommand& command) {
  auto* send = program.add_subcommand("send", "Send files and folders by light");
  send->add_option("PATH", command.paths, "Files and folders")->required();
  auto* scene =
      send->add_option("--scene", command.room.scene,
                       "A scene of the virtual room, with all laptops in it (`wccl room --list`)");
  send->add_option("--arrangement", command.room.arrangement,
                   "Where the laptops stand (default: pair for two, horseshoe for more)")
      ->needs(scene);
  send->add_option("--set", command.room.overrides,
                   "Override a parameter of the scene; can be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false)
      ->needs(scene);
  send->add_option("--out", command.out,
                   "Folder for what is received (default: checked and thrown away)")
      ->type_name("DIR")
      ->needs(scene);
  send->add_flag("--force", command.force, "Replace files in --out that have another content")
      ->needs(scene);
  send->add_option("--mode", command.frames.mode,
                   "With --scene or --one-way: a mode by name (`wccl modes`); auto follows the "
                   "receivers, or one way shows three in turn (see below)")
      ->capture_default_str();
  add_transfer_options(*send, command.options);
  // The room has screens and cameras of its own.
  scene->excludes(send->get_option("--screen"));
  scene->excludes(send->get_option("--camera"));
  scene->excludes(send->get_option("--rank"));
  auto* one_way =
      send->add_flag("--one-way", command.one_way,
                     "For receivers whose screens this laptop cannot see: shows all without end, "
                     "until Esc")
          ->excludes("--camera")
          ->excludes("--rank");
  send->add_option("--hold", command.frames.hold,
                   "With --one-way: refreshes of a 60 Hz screen for each frame")
      ->capture_default_str()
      ->check(CLI::Range(1, 600))
      ->needs(one_way);
  send->add_option("--duration", command.duration_s,
                   "With --one-way: seconds after which it stops (default: never)")
      ->type_name("S")
      ->check(number_in(0.1, 1e7))
      ->needs(one_way);
  add_seed_option(*send, command.seed);
  send->footer(kFooter);
  return send;
}

int send_command(const SendCommand& command) {
  const bool has_others = !command.one_way && command.room.scene.empty();
  const InterruptGuard guard(has_others ? "wccl send: stopping; Ctrl-C again: at once" : nullptr);
  if (const auto status = check_mode_is_used(command); !status) {
    return report("send", status.error());
  }
  if (command.one_way) {
    return send_one_way_command(command);
  }
  const auto summary =
      command.room.scene.empty() ? send_by_devices(command) : send_in_room(command);
  if (!summary) {
    return report("send", summary.error());
  }
  print_summary(*summary, command.options.json);
  return kExitOk;
}

}  // namespace wccl::app
