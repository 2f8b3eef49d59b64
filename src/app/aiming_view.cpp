#include "app/aiming_view.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/camera_picture.h"
#include "app/text_wrap.h"
#include "app/units.h"
#include "device/camera_trouble.h"
#include "room/draw.h"

namespace wccl::app {
namespace {

constexpr room::Colour kInk{255, 255, 255};

std::string screen_line(const session::Aim& aim) {
  std::string line = fmt::format("{}: {:.0f}% of the width",
                                 aim.name.empty() ? "a screen" : aim.name, 100 * aim.width_share);
  if (aim.bright_level > 0) {
    line += fmt::format(", {:.1f} dB, cells of {:.1f} px, bright {:.0f}", aim.best_snr_db,
                        aim.cell_px, aim.bright_level);
  }
  if (aim.expected_bps > 0) {
    line += fmt::format(", about {} ({})", bit_rate(aim.expected_bps), aim.expected_mode);
  }
  return line;
}

/// Nearest pixels: a view for the eye.
RgbImage shrink(const RgbImage& picture, int width, int height) {
  RgbImage small(width, height);
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* from = picture.row(y * picture.height / height);
    std::uint8_t* to = small.row(y);
    for (int x = 0; x < width; ++x) {
      std::copy_n(from + static_cast<std::ptrdiff_t>(3) * (x * picture.width / width), 3,
                  to + 3 * x);
    }
  }
  return small;
}

void paste(const RgbImage& picture, int left, int top, RgbImage& frame) {
  for (int y = 0; y < picture.height; ++y) {
    std::copy_n(picture.row(y), static_cast<std::ptrdiff_t>(3) * picture.width,
                frame.row(top + y) + static_cast<std::ptrdiff_t>(3) * left);
  }
}

}  // namespace

AimReport report_aim(const session::Sighting& sighting, std::uint16_t own_identity) {
  AimReport report;
  if (!sighting.capture.owner) {
    report.remark = "no picture from the camera yet";
    return report;
  }
  bool sees_itself = false;
  for (const auto& screen : sighting.reception.screens) {
    if (session::shows_identity(screen, own_identity)) {
      sees_itself = true;
      continue;
    }
    report.screens.push_back(session::judge_aim(screen, sighting.capture.picture));
  }
  if (report.screens.empty()) {
    report.remark = sees_itself ? "the screen of this laptop itself; aim the camera at another"
                                : session::judge_empty_picture(sighting.capture.picture);
  }
  return report;
}

AimReport report_aim(const session::DeviceSession& session, std::uint16_t own_identity) {
  const auto sighting = session.laptop().last_sighting();
  auto trouble =
      device::camera_trouble(session.camera(), sighting.capture, Instant(session.air_time()));
  return trouble.empty() ? report_aim(sighting, own_identity)
                         : AimReport{.screens = {}, .remark = std::move(trouble)};
}

std::string sight_line(const AimReport& report, int nodes) {
  std::vector<std::string> names;
  for (const auto& aim : report.screens) {
    if (!aim.name.empty()) {
      names.push_back(aim.name);
    }
  }
  if (names.empty()) {
    return report.remark.empty() ? "a screen is in sight, and cannot be read yet" : report.remark;
  }
  const std::string seen = fmt::format("{}", fmt::join(names, ", "));
  if (nodes == 0) {
    return fmt::format("in sight: {}; waiting for the sender, and until all see one another", seen);
  }
  const auto n_others = static_cast<std::size_t>(nodes - 1);
  return fmt::format("{} of {} other laptops in sight: {}{}", names.size(), n_others, seen,
                     names.size() < n_others ? "" : "; waiting until all see one another");
}

std::vector<std::string> aim_lines(const AimReport& report) {
  std::vector<std::string> lines;
  for (const auto& aim : report.screens) {
    lines.push_back(screen_line(aim));
    for (const auto& hint : aim.hints) {
      lines.push_back("  " + hint);
    }
  }
  if (!report.remark.empty()) {
    lines.push_back(report.remark);
  }
  return lines;
}

RgbImage draw_aiming_view(int width_px,
                          int height_px,
                          const session::Sighting& sighting,
                          const std::vector<std::string>& lines) {
  RgbImage view(width_px, height_px);
  // The bright border of the frame above must end in the dark, as at a panel's bezel.
  const int margin = std::max(8, height_px / 18);
  int left = margin;
  if (sighting.capture.owner) {
    const RgbImage seen = annotate(sighting);
    const int height = height_px - 2 * margin;
    const int width = std::min(height * seen.width / seen.height, width_px / 2);
    paste(shrink(seen, width, height), left, margin, view);
    left += width + margin;
  }
  const int dot_px = std::max(1, width_px / 640);
  const int line_px = 10 * dot_px;
  int y = margin;
  for (const auto& line : lines) {
    for (const auto& part : wrap(line, (width_px - left - margin) / (6 * dot_px))) {
      if (y + line_px > height_px - margin) {
        return view;
      }
      room::draw_text(view, {static_cast<double>(left), static_cast<double>(y)}, part, kInk,
                      dot_px);
      y += line_px;
    }
  }
  return view;
}

}  // namespace wccl::app
