#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/image.h"
#include "phy/finder_detector.h"
#include "phy/header_reader.h"
#include "phy/screen_geometry.h"

namespace wccl::phy {

/// A screen that a capture shows for sure: its header was read.
struct DetectedScreen {
  HeaderReading headers;
  std::array<Point, 4> finders{};  ///< Centres in corner order.
  double lens_k = 0;               ///< Distortion with which the header could be read.
};

struct DetectedScreens {
  std::vector<DetectedScreen> screens;
  /// Of screens with all four finders whose headers are of a version that is not ours. A header's
  /// CRC has 16 bits: one capture proves nothing.
  std::vector<std::uint8_t> foreign_versions;
};

/// Puts finders together to screens. Four finders are one screen if one projection explains their
/// places and their sizes, and if a header can be read between them, in one of the four
/// orientations.
/// @param lens_ks  Distortions to try, the likeliest first.
[[nodiscard]] DetectedScreens detect_screens(const PlaneView& luma,
                                             std::span<const Finder> finders,
                                             std::span<const double> lens_ks);

}  // namespace wccl::phy
