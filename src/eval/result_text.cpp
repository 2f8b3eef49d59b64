#include "eval/result_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/whole_number.h"
#include "eval/quality_sums.h"

namespace wccl::eval {
namespace {

using Json = nlohmann::ordered_json;

/// Whether a number can be one of a measurement, and be rounded.
bool is_sane(double value) {
  return std::abs(value) <= 1e15;
}

/// Ratios to six digits: what is behind them is chance.
double rounded(double value) {
  return std::round(value * 1e6) / 1e6;
}

Json to_json(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json json = Json::array();
  for (const auto& [name, value] : pairs) {
    json.push_back({name, value});
  }
  return json;
}

std::vector<std::pair<std::string, std::string>> pairs_of(const Json& json) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Json& pair : json) {
    pairs.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
  }
  return pairs;
}

Json if_known(bool known, double value) {
  return known ? Json(rounded(value)) : Json();
}

double or_zero(const Json& json) {
  return json.is_null() ? 0 : json.get<double>();
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

std::optional<double> optional_of(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Json to_json(const Point& point) {
  return {{"scene", point.scene},
          {"mode", phy::find_mode(point.mode)->name},
          {"hold", point.hold},
          {"seed", point.seed},
          {"phase", or_null(point.phase)},
          {"without", point.without},
          {"captures", point.captures},
          {"set", to_json(point.set)},
          {"swept", to_json(point.swept)}};
}

Point point_of(const Json& json) {
  Point point;
  point.scene = json.at("scene").get<std::string>();
  const auto mode = phy::find_mode(json.at("mode").get<std::string>());
  if (!mode) {
    throw std::runtime_error("unknown mode");
  }
  point.mode = *mode;
  point.hold = whole_number<int>(json.at("hold"));
  point.seed = whole_number<std::uint64_t>(json.at("seed"));
  point.phase = optional_of(json.at("phase"));
  point.without = json.at("without").get<std::string>();
  point.captures = whole_number<int>(json.at("captures"));
  point.set = pairs_of(json.at("set"));
  point.swept = pairs_of(json.at("swept"));
  return point;
}

Json to_json(const ChannelFigures& channel, bool has_soft_bits) {
  Json tiles = Json::array();
  for (const double tile : channel.tiles) {
    tiles.push_back(std::round(tile * 1e4) / 1e4);
  }
  return {{"name", channel.name},
          {"symbol_error_rate", if_known(has_soft_bits, channel.symbol_error_rate)},
          {"mutual_information", if_known(has_soft_bits, channel.mutual_information)},
          {"snr_db", rounded(channel.snr_db)},
          {"blocks", channel.blocks},
          {"blocks_ok", channel.blocks_ok},
          {"block_error_rate", rounded(channel.block_error_rate())},
          {"tiles", tiles},
          {"histogram", channel.histogram}};
}

ChannelFigures channel_of(const Json& json) {
  ChannelFigures channel;
  channel.name = json.at("name").get<std::string>();
  channel.symbol_error_rate = or_zero(json.at("symbol_error_rate"));
  channel.mutual_information = or_zero(json.at("mutual_information"));
  channel.snr_db = json.at("snr_db").get<double>();
  channel.blocks = whole_number<int>(json.at("blocks"));
  channel.blocks_ok = whole_number<int>(json.at("blocks_ok"));
  channel.tiles = json.at("tiles").get<std::vector<double>>();
  for (const Json& level : json.at("histogram")) {
    auto& bins = channel.histogram.emplace_back();
    for (const Json& bin : level) {
      bins.push_back(whole_number<int>(bin));
    }
  }
  return channel;
}

/// Six numbers a point: estimates in hundredths, then levels.
Json to_json(const std::vector<ConstellationPoint>& points) {
  Json json = Json::array();
  for (const ConstellationPoint& point : points) {
    Json numbers = Json::array();
    for (const float estimate : point.estimate) {
      numbers.push_back(std::lround(100 * estimate));
    }
    for (const std::uint8_t level : point.level) {
      numbers.push_back(level);
    }
    json.push_back(std::move(numbers));
  }
  return json;
}

constexpr int kMostHundredths = 1'000'000'000;  // They come back the same, or nearly, as floats.

std::vector<ConstellationPoint> constellation_of(const Json& json) {
  std::vector<ConstellationPoint> points;
  for (const Json& numbers : json) {
    ConstellationPoint point;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const int hundredths = whole_number<int>(numbers.at(channel));
      if (std::abs(hundredths) > kMostHundredths) {
        throw std::out_of_range("no equaliser says that");
      }
      point.estimate[channel] = static_cast<float>(hundredths) / 100;
      point.level[channel] = whole_number<std::uint8_t>(numbers.at(3 + channel));
    }
    points.push_back(point);
  }
  return points;
}

Json to_json(const CpuFigures& cpu) {
  const auto ms = [](double value) { return std::round(value * 100) / 100; };
  return {{"total", ms(cpu.total)},
          {"locate", ms(cpu.locate)},
          {"sample", ms(cpu.sample)},
          {"equalize", ms(cpu.equalize)},
          {"decode", ms(cpu.decode)}};
}

Json to_json(const PointResult& result) {
  const Figures& figures = result.figures;
  Json channels = Json::array();
  for (const ChannelFigures& channel : figures.channels) {
    channels.push_back(to_json(channel, figures.has_soft_bits));
  }
  return {{"point", to_json(result.point)},
          {"captures", figures.captures},
          {"captures_located", figures.located},
          {"frames", figures.frames},
          {"frames_read", figures.frames_read},
          {"goodput_bps", std::round(figures.goodput_bps)},
          {"could_carry_bps",
           figures.has_soft_bits ? Json(std::round(figures.could_carry_bps)) : Json()},
          {"block_error_rate", rounded(figures.block_error_rate())},
          {"wrong_bytes", or_null(figures.wrong_bytes)},
          {"mi_per_cell", if_known(figures.has_soft_bits, figures.mi_per_cell())},
          {"mi_per_camera_px", if_known(figures.has_soft_bits, figures.mi_per_camera_px)},
          {"cell_px", rounded(figures.cell_px)},
          {"width_share", rounded(figures.width_share)},
          {"mixed_share", rounded(figures.mixed_share)},
          {"dark", rounded(figures.dark)},
          {"bright", rounded(figures.bright)},
          {"first_block_s", or_null(figures.first_block_s)},
          {"limit", figures.limit},
          {"channels", channels},
          {"constellation", to_json(figures.constellation)},
          {"cpu_ms", to_json(figures.cpu_ms)}};
}

bool are_sane(const ChannelFigures& channel) {
  // Sums of counts still fit.
  constexpr int kMostBlocks = 100'000'000;
  constexpr std::size_t kTiles = std::size_t{kTilesAcross} * kTilesDown;
  return channel.blocks_ok >= 0 && channel.blocks_ok <= channel.blocks &&
         channel.blocks <= kMostBlocks &&
         (channel.tiles.empty() || channel.tiles.size() == kTiles) &&
         std::ranges::all_of(channel.tiles, is_sane) && is_sane(channel.symbol_error_rate) &&
         is_sane(channel.mutual_information) && is_sane(channel.snr_db);
}

/// What plots rely on: channels are those of the mode, or none when it was never seen.
bool are_sane(const Figures& figures, phy::ModeId mode) {
  const auto has_name = [](const ChannelFigures& a, const ChannelFigures& b) {
    return a.name == b.name;
  };
  const CpuFigures& cpu = figures.cpu_ms;
  return (figures.channels.empty() ||
          std::ranges::equal(figures.channels, channels_of(*phy::find_mode(mode)), has_name)) &&
         std::ranges::all_of(figures.channels,
                             [](const ChannelFigures& channel) { return are_sane(channel); }) &&
         std::ranges::all_of(
             std::array{figures.goodput_bps, figures.could_carry_bps, figures.mi_per_camera_px,
                        figures.cell_px, figures.width_share, figures.mixed_share, figures.dark,
                        figures.bright, figures.first_block_s.value_or(0), cpu.total, cpu.locate,
                        cpu.sample, cpu.equalize, cpu.decode},
             is_sane);
}

PointResult result_of(const Json& json) {
  PointResult result;
  result.point = point_of(json.at("point"));
  Figures& figures = result.figures;
  figures.captures = whole_number<int>(json.at("captures"));
  figures.located = whole_number<int>(json.at("captures_located"));
  figures.frames = whole_number<int>(json.at("frames"));
  figures.frames_read = whole_number<int>(json.at("frames_read"));
  figures.goodput_bps = json.at("goodput_bps").get<double>();
  figures.has_soft_bits = !json.at("could_carry_bps").is_null();
  figures.could_carry_bps = or_zero(json.at("could_carry_bps"));
  if (const Json& wrong = json.at("wrong_bytes"); !wrong.is_null()) {
    figures.wrong_bytes = whole_number<std::int64_t>(wrong);
  }
  figures.mi_per_camera_px = or_zero(json.at("mi_per_camera_px"));
  figures.cell_px = json.at("cell_px").get<double>();
  figures.width_share = json.at("width_share").get<double>();
  figures.mixed_share = json.at("mixed_share").get<double>();
  figures.dark = json.at("dark").get<double>();
  figures.bright = json.at("bright").get<double>();
  figures.first_block_s = optional_of(json.at("first_block_s"));
  figures.limit = json.at("limit").get<std::string>();
  for (const Json& channel : json.at("channels")) {
    figures.channels.push_back(channel_of(channel));
  }
  figures.constellation = constellation_of(json.at("constellation"));
  const Json& cpu = json.at("cpu_ms");
  figures.cpu_ms = {cpu.at("total").get<double>(), cpu.at("locate").get<double>(),
                    cpu.at("sample").get<double>(), cpu.at("equalize").get<double>(),
                    cpu.at("decode").get<double>()};
  if (!are_sane(figures, result.point.mode)) {
    throw std::out_of_range("no measurement gives such figures");
  }
  return result;
}

constexpr std::array kChannelNames{"luma", "red", "green", "blue"};

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) {
    return text;
  }
  std::string out = "\"";
  for (const char character : text) {
    out += character == '"' ? "\"\"" : std::string(1, character);
  }
  return out + "\"";
}

}  // namespace

std::string to_json_line(const PointResult& result) {
  return to_json(result).dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<PointResult> from_json_line(std::string_view line) {
  try {
    return result_of(Json::parse(line));
  } catch (const std::exception& error) {
    return fail(ErrorCode::kCorrupt, error.what());
  }
}

std::string to_json(const std::vector<PointResult>& results) {
  std::string text = "[";
  for (std::size_t i = 0; i < results.size(); ++i) {
    text += (i == 0 ? "\n" : ",\n") + to_json_line(results[i]);
  }
  return text + "\n]\n";
}

std::string csv_header() {
  std::string header =
      "scene,mode,cell,levels,colours,rates,hold,seed,phase,without,captures,set,captures_located,"
      "frames,"
      "frames_read,goodput_bps,could_carry_bps,block_error_rate,wrong_bytes,mi_per_cell,"
      "mi_per_camera_px,cell_px,width_share,mixed_share,dark,bright,first_block_s";
  for (const char* name : kChannelNames) {
    header += fmt::format(",{0}_ser,{0}_mi,{0}_snr_db,{0}_bler", name);
  }
  return header + ",limit\n";
}

std::string to_csv_line(const PointResult& result) {
  const auto if_soft = [&](const std::string& text) {
    return result.figures.has_soft_bits ? text : std::string();
  };
  const Point& point = result.point;
  const Figures& figures = result.figures;
  const phy::Mode& mode = *phy::find_mode(point.mode);
  std::string set;
  for (const auto& [name, value] : point.set) {
    set += fmt::format("{}{}={}", set.empty() ? "" : " ", name, value);
  }
  std::string line = fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.0f},{},{:.6g},{},{},{},{:.4g},"
      "{:.4g},{:.4g},{:.4g},{:.4g},{}",
      csv_field(point.scene), mode.name, mode.cell_px, 1 << mode.bits_per_level, colours_of(mode),
      rates_of(mode), point.hold, point.seed, point.phase ? fmt::format("{}", *point.phase) : "",
      point.without, figures.captures, csv_field(set), figures.located, figures.frames,
      figures.frames_read, figures.goodput_bps,
      if_soft(fmt::format("{:.0f}", figures.could_carry_bps)), figures.block_error_rate(),
      figures.wrong_bytes ? fmt::format("{}", *figures.wrong_bytes) : "",
      if_soft(fmt::format("{:.6g}", figures.mi_per_cell())),
      if_soft(fmt::format("{:.6g}", figures.mi_per_camera_px)), figures.cell_px,
      figures.width_share, figures.mixed_share, figures.dark, figures.bright,
      figures.first_block_s ? fmt::format("{:.4f}", *figures.first_block_s) : "");
  for (const char* name : kChannelNames) {
    const auto channel =
        std::find_if(figures.channels.begin(), figures.channels.end(),
                     [name](const ChannelFigures& one) { return one.name == name; });
    line += channel == figures.channels.end()
                ? ",,,,"
                : fmt::format(",{},{},{:.4g},{:.6g}",
                              if_soft(fmt::format("{:.6g}", channel->symbol_error_rate)),
                              if_soft(fmt::format("{:.6g}", channel->mutual_information)),
                              channel->snr_db, channel->block_error_rate());
  }
  return line + "," + csv_field(figures.limit) + "\n";
}

}  // namespace wccl::eval
