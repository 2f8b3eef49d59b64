#include "app/decode_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace wccl::app {
namespace {

// Judged from what the link reads in the room's scenes.
constexpr double kSmallCellPx = 1.5;
constexpr double kSmallShare = 0.14;
constexpr double kDarkLuma = 60;
constexpr double kVeiled = 0.55;  // Dark over bright luma.
constexpr double kPoorSnrDb = 3;

double median(std::vector<double> values) {
  if (values.empty()) {
    return 0;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

void CaptureTally::add(const phy::CaptureReception& reception) {
  ++captures;
  if (reception.screens.empty()) {
    return;
  }
  ++located;
  bool any = false;
  const phy::ScreenReception* largest = &reception.screens.front();
  for (const auto& screen : reception.screens) {
    for (const auto& frame : screen.frames) {
      blocks_ok += static_cast<int>(frame.blocks.size());
      any = any || !frame.blocks.empty();
    }
    blocks_bad += screen.blocks_bad;
    if (screen.width_share > largest->width_share) {
      largest = &screen;
    }
  }
  if (any) {
    ++with_data;
  }
  const auto& quality = largest->quality;
  cell_px.push_back(quality.cell_px);
  snr_db.push_back(*std::max_element(quality.snr_db.begin(), quality.snr_db.end()));
  dark.push_back(quality.levels[0][0]);
  bright.push_back(quality.levels[1][0]);
  width_share.push_back(largest->width_share);
}

double goodput_bps(const DecodeOutcome& outcome) {
  if (!outcome.file || outcome.tally.captures == 0) {
    return 0;
  }
  return static_cast<double>(outcome.bytes) * 8 / (outcome.tally.captures / outcome.fps);
}

nlohmann::ordered_json to_json(const DecodeOutcome& outcome) {
  nlohmann::ordered_json json;
  const bool whole = outcome.file.has_value();
  json["file"] = whole ? nlohmann::ordered_json(*outcome.file) : nlohmann::ordered_json();
  json["bytes"] = outcome.bytes;
  json["sha256"] = whole ? nlohmann::ordered_json(outcome.sha256) : nlohmann::ordered_json();
  json["captures"] = outcome.tally.captures;
  json["captures_located"] = outcome.tally.located;
  json["captures_with_data"] = outcome.tally.with_data;
  json["blocks_ok"] = outcome.tally.blocks_ok;
  json["blocks_bad"] = outcome.tally.blocks_bad;
  json["goodput_bps"] = goodput_bps(outcome);
  json["cpu_s"] = outcome.cpu_s;
  json["mode"] =
      outcome.mode.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(outcome.mode);
  json["complete_share"] = whole ? 1.0 : outcome.share;
  return json;
}

std::vector<std::string> advice(const DecodeOutcome& outcome) {
  const CaptureTally& tally = outcome.tally;
  std::vector<std::string> lines;
  if (tally.unreadable > 0) {
    lines.push_back(
        fmt::format("{} of {} pictures could not be opened", tally.unreadable, tally.captures));
  }
  if (tally.located == 0) {
    lines.emplace_back(
        "no screen found: have all four corners in the picture, the screen at least 15% of its "
        "width, sharp, and neither black nor washed out");
    return lines;
  }
  if (2 * tally.located < tally.captures) {
    lines.push_back(
        fmt::format("the screen was found in {} of {} captures only: keep all of it in "
                    "the picture, and the camera still",
                    tally.located, tally.captures));
  }
  const double cell = median(tally.cell_px);
  const double share = median(tally.width_share);
  const double bright = median(tally.bright);
  const double dark = median(tally.dark);
  const bool small = cell < kSmallCellPx || share < kSmallShare;
  if (small) {
    lines.push_back(
        fmt::format("too small: a cell takes {:.1f} camera pixels, the screen {:.0f}% of "
                    "the width; go nearer, or encode in a mode with larger cells",
                    cell, 100 * share));
  }
  const bool is_dark = bright < kDarkLuma;
  if (is_dark) {
    lines.push_back(
        fmt::format("too dark: white is {:.0f} of 255; turn up the screen's brightness "
                    "or the camera's exposure",
                    bright));
  }
  const bool veiled = !is_dark && !small && dark > kVeiled * bright;
  if (veiled) {
    lines.emplace_back("little contrast: a lamp or window reflects in the screen; turn it away");
  }
  const bool noisy = median(tally.snr_db) < kPoorSnrDb;
  if (noisy && !small && !is_dark && !veiled) {
    lines.emplace_back(
        "blurred: let the camera focus on the screen, clean its lens, hold it still");
  }
  const bool many_bad = tally.blocks_bad > tally.blocks_ok;
  if (many_bad && !noisy && !small) {
    lines.emplace_back(
        "frames mixed: the screen changed while captures were exposed; encode with a larger "
        "--hold, "
        "or set a shorter exposure");
  } else if (many_bad && lines.empty()) {
    lines.emplace_back("most blocks were lost: encode in a more robust mode (`wccl modes`)");
  }
  if (tally.with_data > 0 && outcome.mode.empty()) {
    lines.emplace_back("the frames bear no file: make them with `wccl encode`");
  }
  if (outcome.objects_corrupt > 0) {
    lines.emplace_back("what came together had a wrong hash and was thrown away");
  }
  if (lines.empty()) {
    lines.emplace_back(
        "not all frames were seen: show them again, from the start or not, and keep the camera on "
        "them for longer");
  }
  return lines;
}

}  // namespace wccl::app
