#include "app/show_command.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/encode_folder.h"
#include "app/exit_status.h"
#include "app/flicker_warning.h"
#include "app/frame_player.h"
#include "app/frame_prefetch.h"
#include "app/interrupt.h"
#include "app/print.h"
#include "app/progress_line.h"
#include "device/gentle_screen.h"
#include "device/screen.h"

namespace wccl::app {
namespace {

constexpr const char* kFooter = R"(Examples:
  wccl encode photo.jpg --out frames --panel 1280x720 && wccl show frames                in a window
  wccl encode photo.jpg --out frames --panel 1920x1080 && wccl show frames --screen 0    full screen
  wccl show frames --hold 6 --gentle                                                     softly

--panel is the size of the window, or of the display; `wccl devices` lists displays. Esc, q or closing the window ends it.)";

/// A window of the frames' size, unless the user says otherwise.
std::string screen_choice(const ShowCommand& command, const EncodeManifest& manifest) {
  return command.screen == "window"
             ? fmt::format("window:{}x{}", manifest.panel.width_px, manifest.panel.height_px)
             : command.screen;
}

Result<std::unique_ptr<device::Screen>> open_screen(const ShowCommand& command,
                                                    const EncodeManifest& manifest,
                                                    const device::SteadyTime& time) {
  auto screen = device::open_screen(screen_choice(command, manifest),
                                    fmt::format("wccl: {}", manifest.file), time);
  if (!screen && screen.error().code == ErrorCode::kInvalidArgument) {
    return fail(screen.error().code,
                screen.error().message + "; `wccl encode --panel` makes frames of another size");
  }
  if (!screen) {
    return screen;
  }
  const auto format = (*screen)->format();
  if (manifest.panel != phy::PanelSize{format.width_px, format.height_px}) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("the frames are for a panel of {}x{}, and the {} has {}x{}: encode "
                            "them with --panel {}x{}",
                            manifest.panel.width_px, manifest.panel.height_px, (*screen)->name(),
                            format.width_px, format.height_px, format.width_px, format.height_px));
  }
  return command.gentle ? device::make_gentle(std::move(*screen), time) : std::move(screen);
}

/// By Esc, which is how one leaves.
bool has_left(const Error& error) {
  return error.code == ErrorCode::kCancelled && !interrupted();
}

Status show(const ShowCommand& command) {
  const auto manifest = read_manifest(command.frames);
  if (!manifest) {
    return tl::make_unexpected(manifest.error());
  }
  if (auto warned = warn_of_flicker("show", command.gentle); !warned) {
    return warned;
  }
  const device::SteadyTime time;
  auto screen = open_screen(command, *manifest, time);
  if (!screen) {
    return tl::make_unexpected(screen.error());
  }
  const int hold_60 = command.hold > 0 ? command.hold : manifest->hold;
  const double hold = hold_60 * (*screen)->format().refresh_hz / manifest->refresh_hz;
  FramePrefetch frames(frames_of_folder(command.frames, manifest->frames, command.times));
  ProgressLine progress(stderr);
  std::uint64_t n_shown = 0;
  frames.wait();  // reading the first one is no part of the show
  const Instant began = time.now();
  auto status = play_frames(
      frames, **screen, std::max(1, static_cast<int>(std::lround(hold))), [&](std::uint64_t shown) {
        n_shown = shown;
        progress.show([&] { return fmt::format("{} frames shown; Esc ends", shown); });
        return true;
      });
  if (status || has_left(status.error())) {
    progress.clear();
    app::print(stderr, "{} frame{} shown in {:.1f} s\n", n_shown, n_shown == 1 ? "" : "s",
               to_seconds(time.now() - began));
  }
  return status;
}

}  // namespace

CLI::App* add_show(CLI::App& program, ShowCommand& command) {
  auto* show = program.add_subcommand("show", "Show frames of `encode` on a screen");
  show->add_option("FRAMES", command.frames, "Folder of `wccl encode`")
      ->required()
      ->type_name("DIR");
  show->add_option("--screen", command.screen,
                   "Display number (`wccl devices`), or window[:WxH] (default: a window of the "
                   "frames' size)")
      ->type_name("S");
  show->add_option("--hold", command.hold, "Refreshes of 60 Hz for each frame (default: encode's)")
      ->check(CLI::Range(1, 600));
  show->add_option("--times", command.times, "Show all frames so often (default: until Esc)")
      ->check(CLI::Range(1, 1'000'000));
  show->add_flag("--gentle", command.gentle, "At most 3 changes a second, and of low contrast");
  show->footer(kFooter);
  return show;
}

int show_command(const ShowCommand& command) {
  const InterruptGuard guard;
  const auto shown = show(command);
  if (!shown && !has_left(shown.error())) {
    return report("show", shown.error());
  }
  return kExitOk;
}

}  // namespace wccl::app
