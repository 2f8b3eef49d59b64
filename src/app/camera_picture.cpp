#include "app/camera_picture.h"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "app/print.h"
#include "link/identity_words.h"
#include "phy/frame_header.h"
#include "room/draw.h"

namespace wccl::app {
namespace {

// One for each node number; all stand out from the grey of a scrambled screen.
constexpr std::array<room::Colour, phy::kMaxNodes> kColours = {{{255, 196, 0},
                                                                {0, 220, 255},
                                                                {255, 90, 90},
                                                                {120, 255, 120},
                                                                {255, 120, 255},
                                                                {255, 150, 60},
                                                                {140, 160, 255},
                                                                {200, 255, 60}}};

/// As its own laptop calls it.
std::string name_of(const phy::ScreenReception& screen) {
  return screen.node == phy::kUnnumberedNode ? link::words_of(screen.epoch)
                                             : fmt::format("SCREEN {}", screen.node);
}

void annotate_screen(RgbImage& picture, const phy::ScreenReception& screen) {
  const auto colour = kColours[screen.node % kColours.size()];
  room::draw_polygon(picture, screen.corners, colour, 4);
  const std::string label =
      fmt::format("{}  {:.0f}%  {:.0f} DB", name_of(screen), 100 * screen.width_share,
                  *std::ranges::max_element(screen.quality.snr_db));
  const auto& corner = screen.corners[0];
  room::draw_text(picture, {corner.x, corner.y - 44}, label, colour, 4);
}

}  // namespace

RgbImage annotate(const session::Sighting& sighting) {
  if (!sighting.capture.owner) {
    return {};
  }
  RgbImage picture = to_rgb(sighting.capture.picture);
  for (const auto& screen : sighting.reception.screens) {
    annotate_screen(picture, screen);
  }
  if (sighting.reception.screens.empty()) {
    room::draw_text(picture, {20, 20}, "NO SCREEN FOUND", {255, 255, 255}, 4);
  }
  return picture;
}

void keep_camera_picture(const RunFolder& folder, Rank rank, const session::Sighting& sighting) {
  if (!sighting.capture.owner) {
    return;
  }
  const auto kept = folder.write(fmt::format("camera-{}.png", rank), annotate(sighting));
  if (!kept) {
    app::print(stderr, "wccl train: {}\n", kept.error().message);
  }
}

}  // namespace wccl::app
