#include "app/one_way_send.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/flicker_warning.h"
#include "app/frame_player.h"
#include "app/frame_prefetch.h"
#include "app/interrupt.h"
#include "app/print.h"
#include "app/progress_line.h"
#include "app/transfer_progress.h"
#include "device/gentle_screen.h"
#include "device/screen.h"
#include "device/steady_time.h"

namespace wccl::app {
namespace {

constexpr double kRefreshHz = 60;  // What --hold counts in.

Result<std::unique_ptr<device::Screen>> open_screen(const DeviceChoice& devices,
                                                    const device::SteadyTime& time) {
  auto screen = device::open_screen(devices.screen.value_or(""), "wccl send", time);
  if (!screen || !devices.gentle) {
    return screen;
  }
  return device::make_gentle(std::move(*screen), time);
}

FramePrefetch::Source endless(const OneWayFrames& frames) {
  return [&frames, next = std::uint64_t{0}]() mutable -> std::optional<Result<RgbImage>> {
    return frames.render(next++);
  };
}

}  // namespace

Result<OneWayShown> send_one_way(const OneWaySend& options, transfer::SourceFiles& files) {
  // Before the screen hides what there is to say.
  if (const auto turns = one_way_turns(options.frames.mode); !turns) {
    return tl::make_unexpected(turns.error());
  }
  if (auto warned = warn_of_flicker("send", options.devices.gentle); !warned) {
    return tl::make_unexpected(warned.error());
  }
  const device::SteadyTime time;
  auto screen = open_screen(options.devices, time);
  if (!screen) {
    return tl::make_unexpected(screen.error());
  }
  const auto format = (*screen)->format();
  const auto shows = OneWayFrames::of(files, {format.width_px, format.height_px}, options.frames);
  if (!shows) {
    return tl::make_unexpected(shows.error());
  }
  const std::uint64_t needed = shows->broadcast().frames_needed();
  app::print(stderr,
             "wccl send: {} in {}: at best {} to receive; start `wccl receive --one-way` on the "
             "others, Esc ends\n",
             transfer::describe(files.manifest()), shows->mode_names(),
             time_text(shows->seconds(needed)));

  FramePrefetch frames(endless(*shows));
  ProgressLine progress(stderr);
  OneWayShown result;
  result.modes = shows->mode_names();
  const Instant began = time.now();
  const double hold = options.frames.hold * format.refresh_hz / kRefreshHz;
  const auto shown = play_frames(
      frames, **screen, std::max(1, static_cast<int>(std::lround(hold))), [&](std::uint64_t n) {
        result.frames = n;
        result.rounds = shows->broadcast().rounds(n);
        result.seconds = to_seconds(time.now() - began);
        progress.show([&] {
          return fmt::format("{:.1f} rounds shown in {}; Esc ends", result.rounds,
                             time_text(result.seconds));
        });
        return options.duration_s <= 0 || result.seconds < options.duration_s;
      });
  if (!shown && (shown.error().code != ErrorCode::kCancelled || interrupted())) {
    return tl::make_unexpected(shown.error());
  }
  return result;
}

}  // namespace wccl::app
