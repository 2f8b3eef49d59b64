#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/image.h"
#include "base/rng.h"
#include "phy/frame_header.h"

namespace wccl::phy {

/// A panel as a simple camera sees it: projected, blurred, noisy. The room (src/room) does the same
/// with physics; this one is small and lets a test say exactly where things are.
struct TestView {
  const RgbImage* panel = nullptr;
  const RgbImage* next =
      nullptr;  ///< What the rows below `switch_row` (of the capture) show instead.
  double switch_row = 1e9;
  std::array<Point, 4>
      corners{};  ///< Of the panel in the capture, clockwise from the panel's top left.
};

struct TestCamera {
  int width = 1920;
  int height = 1080;
  double blur_sigma_px = 0.8;
  double noise = 2.0;  ///< Grey levels, one sigma.
  double black = 12;   ///< Grey level of dark, of bright, and of the wall behind.
  double white = 215;
  double wall = 60;
  double k1 = 0;  ///< Radial distortion in half diagonals: r' = r (1 + k1 r^2).
};

/// Corners of a panel seen under yaw (about its vertical axis), then roll, centred at a point.
[[nodiscard]] std::array<Point, 4> view_corners(
    PanelSize panel, Point centre, double width_px, double yaw_deg, double roll_deg);

[[nodiscard]] YuvImage take_picture(const TestCamera& camera,
                                    std::span<const TestView> views,
                                    Rng& rng);

/// A frame with random payloads in all slots, and those payloads.
struct TestFrame {
  FrameHeader header;
  std::vector<std::vector<std::byte>> payloads;
  RgbImage image;
};
[[nodiscard]] TestFrame make_frame(
    PanelSize panel, ModeId mode, std::uint8_t node, std::uint16_t sequence, Rng& rng);

}  // namespace wccl::phy
