#include "eval/desk_count.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <string>

#include <nlohmann/json.hpp>

#include "base/whole_number.h"
#include "eval/quality_sums.h"
#include "phy/block_codec.h"

namespace wccl::eval {
namespace {

using Json = nlohmann::json;

double hundredths(double value) {
  return std::round(100 * value) / 100;
}

double thousandths(double value) {
  return std::round(1000 * value) / 1000;
}

Json to_json(const DeskCount& count) {
  Json channels = Json::array();
  for (const DeskCount::Channel& channel : count.channels) {
    channels.push_back({channel.blocks, channel.blocks_ok, hundredths(channel.snr_db)});
  }
  return {count.from,
          thousandths(count.seconds),
          count.captures,
          count.located,
          count.frames,
          count.frames_read,
          hundredths(count.cell_px),
          thousandths(count.width_share),
          thousandths(count.mixed_share),
          std::round(count.dark),
          std::round(count.bright),
          channels};
}

DeskCount count_of(const Json& json) {
  DeskCount count;
  count.from = whole_number<Rank>(json.at(0));
  count.seconds = json.at(1).get<double>();
  count.captures = whole_number<int>(json.at(2));
  count.located = whole_number<int>(json.at(3));
  count.frames = whole_number<int>(json.at(4));
  count.frames_read = whole_number<int>(json.at(5));
  count.cell_px = json.at(6).get<double>();
  count.width_share = json.at(7).get<double>();
  count.mixed_share = json.at(8).get<double>();
  count.dark = json.at(9).get<double>();
  count.bright = json.at(10).get<double>();
  for (const Json& channel : json.at(11)) {
    count.channels.push_back({whole_number<int>(channel.at(0)), whole_number<int>(channel.at(1)),
                              channel.at(2).get<double>()});
  }
  return count;
}

/// Far beyond what a step of ten minutes has, and sums of it still fit.
constexpr int kMostCount = 100'000'000;
constexpr double kMostMean = 1e6;

bool is_share(int part, int whole) {
  return part >= 0 && part <= whole && whole <= kMostCount;
}

/// Messages have thousandths: what is less than half of one is none.
bool is_time(double seconds) {
  return seconds == 0 || (seconds >= 1e-3 && seconds <= kMostMean);
}

bool are_means(const DeskCount& count) {
  return std::ranges::all_of(
      std::array{count.cell_px, count.width_share, count.mixed_share, count.dark, count.bright},
      [](double mean) { return std::abs(mean) <= kMostMean; });
}

bool is_sane(const DeskCount& count, phy::ModeId mode) {
  const bool channels_are = std::ranges::all_of(count.channels, [](const auto& channel) {
    return is_share(channel.blocks_ok, channel.blocks) && std::abs(channel.snr_db) <= kMostMean;
  });
  return channels_are && count.channels.size() == channels_of(*phy::find_mode(mode)).size() &&
         is_time(count.seconds) && is_share(count.located, count.captures) &&
         is_share(count.frames_read, count.frames) && are_means(count);
}

/// Frames that the camera had no capture of are no fault of the light.
bool passes_between_captures(const DeskCount& count) {
  return 5 * count.frames_read < 4 * count.frames && 10 * count.located >= 9 * count.captures;
}

}  // namespace

Figures figures_of(const DeskCount& count, phy::ModeId mode) {
  const phy::Mode& its_mode = *phy::find_mode(mode);
  Figures figures;
  figures.has_soft_bits = false;
  figures.captures = count.captures;
  figures.located = count.located;
  figures.frames = count.frames;
  figures.frames_read = count.frames_read;
  figures.cell_px = count.cell_px;
  figures.width_share = count.width_share;
  figures.mixed_share = count.mixed_share;
  figures.dark = count.dark;
  figures.bright = count.bright;
  figures.channels = channels_of(its_mode);
  for (std::size_t i = 0; i < std::min(figures.channels.size(), count.channels.size()); ++i) {
    figures.channels[i].blocks = count.channels[i].blocks;
    figures.channels[i].blocks_ok = count.channels[i].blocks_ok;
    figures.channels[i].snr_db = count.channels[i].snr_db;
  }
  if (count.seconds > 0) {
    figures.goodput_bps =
        8.0 * static_cast<double>(phy::kBlockPayloadBytes) * figures.blocks_ok() / count.seconds;
  }
  figures.limit = passes_between_captures(count)
                      ? "frames pass between captures: a longer hold would help"
                      : what_limits(figures, its_mode);
  return figures;
}

Bytes encode(std::span<const DeskCount> counts) {
  Json json = Json::array();
  for (const DeskCount& count : counts) {
    json.push_back(to_json(count));
  }
  const std::string text = json.dump();
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Result<std::vector<DeskCount>> decode_counts(std::span<const std::byte> message,
                                             phy::ModeId mode,
                                             Rank reporter,
                                             int world_size) {
  const auto corrupt = [] {
    return fail(ErrorCode::kCorrupt,
                "another laptop says what nobody can have counted; do all run the same version?");
  };
  try {
    const auto* text = reinterpret_cast<const char*>(message.data());
    std::vector<DeskCount> counts;
    for (const Json& json : Json::parse(text, text + message.size())) {
      counts.push_back(count_of(json));
      const DeskCount& count = counts.back();
      if (count.from < 0 || count.from >= world_size || count.from == reporter ||
          !is_sane(count, mode)) {
        return corrupt();
      }
    }
    return counts;
  } catch (const std::exception&) {
    return corrupt();
  }
}

}  // namespace wccl::eval
