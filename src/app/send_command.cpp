#include "app/send_command.h"

#include <optional>

#include <fmt/format.h>

#include "app/device_transfer.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "app/print.h"
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

A transfer that was interrupted goes on where it was when the same command is given again.)";

Result<transfer::SourceFiles> open_files(const SendCommand& command) {
  auto files = transfer::SourceFiles::open(command.paths, interrupted);
  if (!files) {
    return files;
  }
  for (const auto& name : files->left_out()) {
    app::print(stderr, "wccl send: left out {}: a link, or no file\n", name);
  }
  return files;
}

Result<std::optional<phy::ModeId>> mode_of(const SendCommand& command) {
  const auto mode = phy::find_mode(command.mode);
  if (!mode && command.mode != "auto") {
    return tl::make_unexpected(unknown_mode(command.mode));
  }
  return mode;
}

Result<TransferSummary> send_in_room(const SendCommand& command) {
  const auto mode = mode_of(command);
  if (!mode) {
    return tl::make_unexpected(mode.error());
  }
  RoomRequest request = command.room;
  request.nodes = command.options.nodes;
  const auto room = set_up_room(request);
  if (!room) {
    return tl::make_unexpected(room.error());
  }
  if (auto status = check_all_see_all(*room); !status) {
    return tl::make_unexpected(status.error());
  }
  auto files = open_files(command);
  if (!files) {
    return tl::make_unexpected(files.error());
  }
  std::optional<TemporaryFolder> temporary;
  if (command.out.empty()) {
    auto folder = TemporaryFolder::create();
    if (!folder) {
      return tl::make_unexpected(folder.error());
    }
    temporary.emplace(*std::move(folder));
  }
  RoomTransfer options;
  options.out = temporary ? temporary->path() : command.out;
  options.replace = command.force;
  options.mode = *mode;
  options.seed = command.seed;
  options.timeout = from_seconds(command.options.timeout_s);
  auto summary = transfer_in_room(options, *room, *files);
  if (!summary && !temporary) {
    return tl::make_unexpected(with_resume_hint(summary.error()));
  }
  return summary;
}

Result<TransferSummary> send_by_devices(const SendCommand& command) {
  auto files = open_files(command);
  if (!files) {
    return tl::make_unexpected(files.error());
  }
  auto summary = send_on_devices(command.options, *files);
  if (!summary) {
    return tl::make_unexpected(with_resume_hint(summary.error()));
  }
  return summary;
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
  send->add_option("--mode", command.mode,
                   "A mode by name (`wccl modes`); auto follows the receivers")
      ->capture_default_str()
      ->needs(scene);
  add_transfer_options(*send, command.options);
  add_seed_option(*send, command.seed);
  send->footer(kFooter);
  return send;
}

int send_command(const SendCommand& command) {
  const InterruptGuard guard;
  const auto summary =
      command.room.scene.empty() ? send_by_devices(command) : send_in_room(command);
  if (!summary) {
    return report("send", summary.error());
  }
  print_summary(*summary, command.options.json);
  return kExitOk;
}

}  // namespace wccl::app
