#include "app/aiming_view.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/camera_picture.h"
#include "app/units.h"
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

/// @param width  In letters; a word longer than that is cut.
std::vector<std::string> wrap(const std::string& line, int width) {
  const auto most = static_cast<std::size_t>(std::max(width, 1));
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (line.size() - at > most) {
    const std::size_t space = line.rfind(' ', at + most);
    const bool has_space = space != std::string::npos && space > at;
    const std::size_t end = has_space ? space : at + most;
    parts.push_back(line.substr(at, end - at));
    at = end + (has_space ? 1 : 0);
  }
  parts.push_back(line.substr(at));
  return parts;
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
    if (!screen.frames.empty() && screen.frames.back().header.epoch == own_identity) {
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
