#include "app/room_play.h"

#include <algorithm>
#include <array>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/encode_folder.h"
#include "app/interrupt.h"
#include "app/progress_line.h"
#include "app/write_file.h"
#include "base/clock.h"
#include "base/rng.h"
#include "room/camera.h"
#include "room/png.h"
#include "room/ticker.h"

namespace wccl::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kClockStream = 0x706C6179;  // keeps the clocks' draws apart from the noise

/// What the panel shows when, frames being read as they are needed.
class FilmScreen {
 public:
  FilmScreen(const RoomPlay& play, const EncodeManifest& manifest, const room::PanelSpec& panel)
      : folder_(play.frames),
        n_frames_(static_cast<std::int64_t>(manifest.frames)),
        hold_(play.hold > 0 ? play.hold : manifest.hold),
        refresh_(panel.refresh_hz, panel.clock_ppm, Rng(play.seed).split(kClockStream).split(0)) {}

  /// All changes from `from` (and what was shown then) to `to`.
  Result<room::PanelHistory> history(Instant from, Instant to) {
    room::PanelHistory history;
    const std::int64_t first = std::max<std::int64_t>(refresh_.last_before(from), 0) / hold_;
    const std::int64_t last = refresh_.last_before(to);
    std::vector<Loaded> kept;
    for (std::int64_t showing = first; showing * hold_ <= last; ++showing) {
      auto frame = load(showing % n_frames_);
      if (!frame) {
        return tl::make_unexpected(frame.error());
      }
      history.push_back({refresh_.at(showing * hold_), frame->picture});
      kept.push_back(std::move(*frame));
    }
    loaded_ = std::move(kept);
    return history;
  }
  [[nodiscard]] Instant end() const { return refresh_.at(n_frames_ * hold_); }

 private:
  struct Loaded {
    std::int64_t number = 0;
    std::shared_ptr<const RgbImage> picture;
  };

  Result<Loaded> load(std::int64_t number) const {
    for (const Loaded& loaded : loaded_) {
      if (loaded.number == number) {
        return loaded;
      }
    }
    auto picture = room::read_png(folder_ / frame_name(static_cast<std::size_t>(number)));
    if (!picture) {
      return tl::make_unexpected(picture.error());
    }
    return Loaded{number, std::make_shared<const RgbImage>(std::move(*picture))};
  }

  fs::path folder_;
  std::int64_t n_frames_;
  std::int64_t hold_;
  room::Ticker refresh_;
  std::vector<Loaded> loaded_;
};

Status check_panel(const EncodeManifest& manifest, const room::PanelSpec& panel) {
  if (manifest.panel == phy::PanelSize{panel.width_px, panel.height_px}) {
    return {};
  }
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("the frames are for a panel of {} x {}, the room's has {} x {}; try --set "
                  "panel.width_px={} --set panel.height_px={}",
                  manifest.panel.width_px, manifest.panel.height_px, panel.width_px,
                  panel.height_px, manifest.panel.width_px, manifest.panel.height_px));
}

}  // namespace

Result<int> play_in_room(const RoomPlay& play, const Room& room) {
  const auto manifest = read_manifest(play.frames);
  if (!manifest) {
    return tl::make_unexpected(manifest.error());
  }
  const room::NodeSpec& screen_node = room.scene.nodes[0];
  const room::NodeSpec& camera_node = room.scene.nodes[1];
  if (auto status = check_panel(*manifest, screen_node.panel); !status) {
    return tl::make_unexpected(status.error());
  }
  FilmScreen screen(play, *manifest, screen_node.panel);
  room::Camera camera(room.scene, 1, play.seed);
  const room::Ticker shutter(camera_node.camera.fps, camera_node.camera.clock_ppm,
                             Rng(play.seed).split(kClockStream).split(1));
  Rng jitter = Rng(play.seed).split(kClockStream).split(2);
  const Duration readout = from_seconds(1e-3 * camera_node.camera.readout_ms);
  const Duration most_jitter = from_seconds(0.25 / camera_node.camera.fps);

  ProgressLine progress(stderr);
  std::vector<room::PanelHistory> panels(room.scene.nodes.size());
  int n = 0;
  for (; play.captures == 0 || n < play.captures; ++n) {
    if (interrupted()) {
      return fail(ErrorCode::kCancelled, "interrupted");
    }
    const Duration off = from_seconds(1e-3 * camera_node.camera.jitter_ms * jitter.normal());
    const Instant at =
        std::max(shutter.at(n) + std::clamp(off, -most_jitter, most_jitter), Instant{});
    if (play.captures == 0 && at > screen.end()) {
      break;
    }
    auto history = screen.history(at - camera.history(), at + readout);
    if (!history) {
      return tl::make_unexpected(history.error());
    }
    panels[0] = std::move(*history);
    static_cast<void>(camera.capture(panels, at));
    if (auto status =
            write_file(play.out / fmt::format("capture-{:05}.jpg", n), camera.last_jpeg());
        !status) {
      return tl::make_unexpected(status.error());
    }
    progress.show([n] { return fmt::format("capture {}", n); });
  }
  return n;
}

}  // namespace wccl::app
