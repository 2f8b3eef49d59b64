#pragma once

#include <string>
#include <vector>

#include "base/image.h"
#include "session/aim.h"
#include "session/device_session.h"
#include "session/laptop.h"

namespace wccl::app {

/// What is known of the aim at one moment.
struct AimReport {
  std::vector<session::Aim> screens;
  std::string remark;  ///< What a picture without screens says; else empty.
};
/// @param own_identity  A screen that shows it is this laptop itself, in a mirror or by a wrong
/// aim.
[[nodiscard]] AimReport report_aim(const session::Sighting& sighting, std::uint16_t own_identity);

/// The same as a session sees it, whose camera may be what is wrong.
[[nodiscard]] AimReport report_aim(const session::DeviceSession& session,
                                   std::uint16_t own_identity);

/// Who is in sight, and what is missing, in one line: while laptops look for one another.
/// @param nodes  How many there are, this one with them; 0: not known.
[[nodiscard]] std::string sight_line(const AimReport& report, int nodes);

/// A line a screen, and its hints below: for a terminal.
[[nodiscard]] std::vector<std::string> aim_lines(const AimReport& report);

/// The camera's live view, screens outlined, and the lines beside it, in a picture of this size.
[[nodiscard]] RgbImage draw_aiming_view(int width_px,
                                        int height_px,
                                        const session::Sighting& sighting,
                                        const std::vector<std::string>& lines);

}  // namespace wccl::app
