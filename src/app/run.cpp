#include "app/run.h"

#include <string>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/calibrate_command.h"
#include "app/decode_command.h"
#include "app/devices_command.h"
#include "app/doctor_command.h"
#include "app/encode_command.h"
#include "app/eval_command.h"
#include "app/exit_status.h"
#include "app/kept_run.h"
#include "app/live_room_command.h"
#include "app/modes_command.h"
#include "app/print.h"
#include "app/receive_command.h"
#include "app/record_command.h"
#include "app/room_command.h"
#include "app/seed_option.h"
#include "app/send_command.h"
#include "app/show_command.h"
#include "app/train_command.h"
#include "app/train_options.h"
#include "app/version.h"

namespace wccl::app {
namespace {

constexpr const char* kFooter = R"(Examples:
  wccl train                       two laptops in a virtual room train on MNIST
  wccl room glare --out pictures   what screens show and cameras see in a scene
  wccl send --scene dim FILE       a file by light, in a virtual room
  wccl send --one-way FILE         on this screen, for `wccl receive --one-way` on any laptop
  wccl encode FILE --out frames    a file as frames for a screen; `wccl decode` reads them
  wccl devices                     cameras and displays of this machine
  wccl show frames                 encoded frames on a screen; `wccl record` films them
  wccl eval                        how fast the link is, scene by scene, as a report
  wccl train --help                all options of a command

Exit status: 0 done (train: target reached), 1 error, 2 wrong usage, 3 decode: file incomplete,
4 target accuracy not reached, 130 interrupted. docs/cli.md says more.)";

constexpr const char* kRoomFooter = R"(Examples:
  wccl room --list                                   scenes, arrangements and parameters
  wccl room face_1080p                               the size of each screen in camera pixels
  wccl room side_view --out pictures                 screen-N.png and camera-N.png
  wccl room dim --nodes 3 --set camera.fps=15 --out pictures
  wccl room face_720p --live x11grab::1 x11grab::2 --serve 127.0.0.1:8080
                                                     two real windows as screens, cameras over HTTP)";

constexpr const char* kDevicesFooter = R"(Examples:
  wccl devices                               what --camera and --screen can name
  wccl devices --json                        the same for programs
  wccl doctor --screen 0 --camera 0          whether two of them work
  wccl calibrate --screen 0 --camera 0       what the camera sees of the other laptop)";

constexpr const char* kModesFooter = R"(Examples:
  wccl modes                                 names, cells, colours, code rates, bytes a frame
  wccl modes --json                          the same for programs
  wccl encode FILE --out frames --mode rgb4-1.5)";

void add_room_request(CLI::App& command, RoomRequest& request) {
  command.add_option("--arrangement", request.arrangement,
                     "Where the laptops stand: a name, or a file of poses (default: pair for two, "
                     "horseshoe for more)");
  command.add_option("--nodes", request.nodes, "Number of laptops, 2 to 8")->capture_default_str();
  command
      .add_option("--set", request.overrides, "Override a parameter of the scene; can be repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_live_room(CLI::App& room, RoomCommand& command) {
  auto* live =
      room.add_option("--live", command.live,
                      "Put real windows into the room, in real time: one source a laptop, such as "
                      "x11grab::1 (the X display :1), whose pictures its screen shows")
          ->type_name("SOURCE")
          ->expected(1, room::kMaxSceneNodes)
          ->excludes("--play", "--out", "--nodes", "--list");
  room.add_option("--serve", command.serve,
                  "With --live: where the cameras are served, as http://HOST:PORT/N/video")
      ->type_name("HOST:PORT")
      ->needs(live);
  room.add_option("--serve-each", command.serve_each,
                  "With --live: one address a laptop besides, with its camera only, as /video")
      ->type_name("HOST:PORT")
      ->expected(1, room::kMaxSceneNodes)
      ->needs(live);
}

/// `wccl room --live` is a command of its own.
int room_or_live_room(const RoomCommand& command) {
  if (command.live.empty()) {
    return room_command(command);
  }
  return live_room_command(
      {command.request, command.live, command.serve, command.serve_each, command.seed});
}

CLI::App* add_room(CLI::App& program, RoomCommand& command) {
  auto* room = program.add_subcommand("room", "Show what screens show and cameras see in the room");
  room->add_option("SCENE", command.request.scene, "A scene by name (--list)")
      ->capture_default_str();
  add_room_request(*room, command.request);
  room->add_flag("--list", command.list, "List scenes, arrangements and parameters");
  room->add_option("--time", command.time_s, "Seconds after the start when the pictures are taken")
      ->capture_default_str();
  add_seed_option(*room, command.seed);
  room->add_option("--mode", command.mode, "Mode of the frames on the screens (`wccl modes`)")
      ->capture_default_str();
  room->add_option("--out", command.out,
                   "Folder for the pictures; without it only sizes are printed");
  room->add_option(
          "--play", command.play,
          "Film frames of `wccl encode` on laptop 0 with laptop 1's camera: JPEGs in --out")
      ->type_name("DIR");
  room->add_option("--captures", command.captures,
                   "With --play: how many, the frames being repeated (default: until they end)")
      ->check(CLI::Range(1, 1'000'000));
  room->add_option("--hold", command.hold, "With --play: refreshes a frame, not the manifest's")
      ->check(CLI::Range(1, 600));
  add_live_room(*room, command);
  room->footer(kRoomFooter);
  return room;
}

/// With --resume the options of the earlier run are the defaults of a second reading.
/// @return what to do. A rank whose folder is new has nothing but its command line.
Result<TrainSettings> train_settings(CLI::App& program,
                                     int argc,
                                     char** argv,
                                     TrainOptionTexts& texts) {
  if (!texts.settings.resume.empty()) {
    const auto kept = take_kept_options(texts.settings.resume, texts);
    if (!kept && kept.error().code != ErrorCode::kNotFound) {
      return tl::make_unexpected(kept.error());
    }
    program.parse(argc, argv);
  }
  return to_settings(texts);
}

/// CLI11's messages may span lines; a user gets one.
std::string one_line(std::string text) {
  for (auto& character : text) {
    if (character == '\n') {
      character = ' ';
    }
  }
  return text;
}

/// @param first  The first word of the command line; may be empty.
int usage_error(const CLI::App& program, const CLI::ParseError& error, const std::string& first) {
  const auto chosen = program.get_subcommands();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && chosen.empty() &&
      !first.empty()) {
    app::print(stderr, "wccl: there is no command '{}'; `wccl --help` lists them\n", first);
    return kExitUsage;
  }
  const std::string command = chosen.empty() ? "wccl" : "wccl " + chosen.front()->get_name();
  app::print(stderr, "{}: {}; `{} --help` says more\n", command, one_line(error.what()), command);
  return kExitUsage;
}

}  // namespace

int run(int argc, char** argv) {
  CLI::App program("Webcam Collective Communications Library: laptops train together by light.",
                   "wccl");
  program.set_version_flag("--version", std::string("wccl ") + kVersion);
  program.require_subcommand(1);
  program.footer(kFooter);

  TrainOptionTexts train_texts;
  auto* train = add_train_options(program, train_texts);
  RoomCommand room_options;
  auto* room = add_room(program, room_options);
  bool modes_json = false;
  auto* modes =
      program.add_subcommand("modes", "List the modes of the optical link, slowest first");
  modes->add_flag("--json", modes_json, "Print a JSON array");
  modes->footer(kModesFooter);
  EncodeCommand encode_options;
  auto* encode = add_encode(program, encode_options);
  DecodeCommand decode_options;
  auto* decode = add_decode(program, decode_options);
  CalibrateCommand calibrate_options;
  auto* calibrate = add_calibrate(program, calibrate_options);
  DoctorCommand doctor_options;
  auto* doctor = add_doctor(program, doctor_options);
  bool devices_json = false;
  auto* devices = program.add_subcommand("devices", "List cameras and displays");
  devices->add_flag("--json", devices_json, "Print one JSON object");
  devices->footer(kDevicesFooter);
  ShowCommand show_options;
  auto* show = add_show(program, show_options);
  RecordCommand record_options;
  auto* record = add_record(program, record_options);
  ReceiveCommand receive_options;
  auto* receive = add_receive(program, receive_options);
  SendCommand send_options;
  auto* send = add_send(program, send_options);
  EvalCommand eval_options;
  auto* eval = add_eval(program, eval_options);

  try {
    program.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return program.exit(request);
  } catch (const CLI::ParseError& error) {
    return usage_error(program, error, argc > 1 ? argv[1] : "");
  }
  if (train->parsed()) {
    const auto settings = train_settings(program, argc, argv, train_texts);
    return settings ? train_command(*settings) : report("train", settings.error());
  }
  if (room->parsed()) {
    return room_or_live_room(room_options);
  }
  if (modes->parsed()) {
    return modes_command(modes_json);
  }
  if (encode->parsed()) {
    return encode_command(encode_options);
  }
  if (decode->parsed()) {
    return decode_command(decode_options);
  }
  if (calibrate->parsed()) {
    return calibrate_command(calibrate_options);
  }
  if (doctor->parsed()) {
    return doctor_command(doctor_options);
  }
  if (devices->parsed()) {
    return devices_command(devices_json);
  }
  if (show->parsed()) {
    return show_command(show_options);
  }
  if (record->parsed()) {
    return record_command(record_options);
  }
  if (receive->parsed()) {
    return receive_command(receive_options);
  }
  if (send->parsed()) {
    return send_command(send_options);
  }
  if (eval->parsed()) {
    return eval_command(eval_options);
  }
  return kExitUsage;
}

}  // namespace wccl::app
