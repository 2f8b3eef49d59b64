#include "app/one_way_frames.h"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/train_settings.h"
#include "phy/layout.h"
#include "phy/mode.h"
#include "transfer/file_object.h"
#include "transfer/one_way_object.h"

namespace wccl::app {
namespace {

constexpr int kRefreshHz = 60;

struct AutoTurn {
  std::string_view mode;
  std::uint32_t frames;
};
// Nobody says what can be read. Most of the time goes to what webcams read in all scenes of the
// room; a second in eight each to what is read of a screen in a horseshoe (23% of the width, turned
// by 30 degrees), and to what is read farthest (docs/link.md). Turns are long, since receivers need
// a frame to get used to a mode.
constexpr std::array kAutoTurns{AutoTurn{"rgb5-1.5", 120}, AutoTurn{"rgb8-1.5", 20},
                                AutoTurn{"luma8-0.5", 20}};

}  // namespace

Result<std::vector<link::FileBroadcast::Turn>> one_way_turns(const std::string& mode) {
  if (mode == "auto") {
    std::vector<link::FileBroadcast::Turn> turns;
    for (const AutoTurn& turn : kAutoTurns) {
      turns.push_back({*phy::find_mode(turn.mode), turn.frames});
    }
    return turns;
  }
  const auto id = phy::find_mode(mode);
  if (!id) {
    return tl::make_unexpected(unknown_mode(mode));
  }
  return std::vector<link::FileBroadcast::Turn>{{*id, 1}};
}

Result<OneWayFrames> OneWayFrames::of(transfer::SourceFiles& files,
                                      phy::PanelSize panel,
                                      const OneWayChoice& choice) {
  const auto turns = one_way_turns(choice.mode);
  if (!turns) {
    return tl::make_unexpected(turns.error());
  }
  if (!phy::is_panel_supported(panel)) {
    return fail(ErrorCode::kInvalidArgument, fmt::format("frames do not fit a screen of {}x{}",
                                                         panel.width_px, panel.height_px));
  }
  const auto object = transfer::make_one_way_object(files);
  if (!object) {
    return tl::make_unexpected(object.error());
  }
  auto broadcast = link::FileBroadcast::of(*object, transfer::epoch_of(*object), panel, *turns);
  if (!broadcast) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} is too much for mode {} on {}x{} pixels: {} frames do not bear it; "
                            "choose a faster mode (`wccl modes`) or send it in parts",
                            transfer::describe(files.manifest()), choice.mode, panel.width_px,
                            panel.height_px, link::kMostFileFrames));
  }
  return OneWayFrames(*std::move(broadcast), panel, choice.hold);
}

RgbImage OneWayFrames::render(std::uint64_t frame) const {
  phy::FrameHeader header = broadcast_.header(frame);
  header.transmit_time_ms =
      static_cast<std::uint16_t>(frame * static_cast<std::uint64_t>(hold_) * 1000 / kRefreshHz);
  return transmitter_.render(header, broadcast_.payloads(frame));
}

std::string OneWayFrames::mode_names() const {
  std::string names;
  for (const phy::ModeId mode : broadcast_.modes()) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", phy::find_mode(mode)->name);
  }
  return names;
}

double OneWayFrames::seconds(std::uint64_t frames) const {
  return static_cast<double>(frames) * hold_ / kRefreshHz;
}

}  // namespace wccl::app
