#include "phy/header_reader.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "phy/cell_sampler.h"
#include "phy/llr.h"
#include "phy/plane_sampling.h"

namespace wccl::phy {
namespace {

constexpr int kWindow = 9;  // Columns to each side that tell what is bright and dark here.
constexpr int kGroup = 4;   // Columns that share what their surroundings tell.
constexpr float kConfidence =
    2.5F;                      // Natural LLR of a cell one standard deviation off the threshold.
constexpr float kUnseen = -1;  // Of a cell outside the picture.
using SoftBits = std::array<float, kHeaderCodedBits>;

/// Where the corners of a strip's cells appear: within a cell the view is as good as bilinear.
class CellMesh {
 public:
  CellMesh(const ModuleMap& map, PanelModules size, HeaderGrid grid, int strip)
      : columns_(grid.columns + 1) {
    const double left = kCornerModules;
    const double width = size.width - 2 * kCornerModules;
    const double top = strip == 0 ? 1 : size.height - kMarginModules;
    const double depth = kMarginModules - 1;
    corners_.reserve(static_cast<std::size_t>((grid.rows + 1) * columns_));
    for (int row = 0; row <= grid.rows; ++row) {
      for (int column = 0; column <= grid.columns; ++column) {
        corners_.push_back(
            map({left + width * column / grid.columns, top + depth * row / grid.rows}));
      }
    }
  }
  /// @param u, v  Place in the cell, 0 to 1.
  [[nodiscard]] Point at(int row, int column, double u, double v) const {
    const Point* upper = corners_.data() + static_cast<std::ptrdiff_t>(row) * columns_ + column;
    const Point* lower = upper + columns_;
    const auto blend = [u, v](double a, double b, double c, double d) {
      return (a + (b - a) * u) * (1 - v) + (c + (d - c) * u) * v;
    };
    return {blend(upper[0].x, upper[1].x, lower[0].x, lower[1].x),
            blend(upper[0].y, upper[1].y, lower[0].y, lower[1].y)};
  }

 private:
  int columns_;
  std::vector<Point> corners_;
};

/// Mean light of the middle of each cell, row by row. Light, not grey levels: where a capture mixes
/// two display frames, only in light is the later one's share above one half or below it in bright
/// cells and in dark ones alike.
std::vector<float> sample_strip(
    const PlaneView& luma, const ModuleMap& map, PanelModules size, HeaderGrid grid, int strip) {
  const CellMesh mesh(map, size, grid, strip);
  std::vector<float> samples;
  samples.reserve(static_cast<std::size_t>(grid.rows * grid.columns));
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      const Point middle = mesh.at(row, column, 0.5, 0.5);
      if (!(middle.x > 0 && middle.y > 0 && middle.x < luma.width && middle.y < luma.height)) {
        samples.push_back(kUnseen);
        continue;
      }
      float sum = 0;
      for (int i = 0; i < 9; ++i) {
        const Point at = mesh.at(row, column, 0.5 + 0.22 * (i % 3 - 1), 0.5 + 0.22 * (i / 3 - 1));
        sum += sample_bilinear(luma, at.x, at.y);
      }
      samples.push_back(linear_light(sum / 9));
    }
  }
  return samples;
}

/// Of the cells around a few columns of a strip, in light.
struct Neighbourhood {
  float mean = 0;
  float spread = 1;  ///< Standard deviation.
  float dark = 0;    ///< Mean of the darkest cells, and of the brightest.
  float bright = 0;
};

/// How the threshold between bright and dark is found. Noise of the layout makes both equally
/// frequent everywhere, so the mean does for most captures. Where two display frames mix half and
/// half the mean of a few dozen cells is not good enough, and the middle between dark and bright
/// cells says better which frame a cell is of; a camera's tone curve can move that middle a little.
struct ThresholdRule {
  bool by_extremes = false;
  float shift = 0;  ///< Of the distance from dark to bright.
};
constexpr std::array<ThresholdRule, 4> kRules{
    {{false, 0}, {true, 0}, {true, -0.08F}, {true, 0.08F}}};

class Strip {
 public:
  Strip(const PlaneView& luma, const ModuleMap& map, PanelModules size, HeaderGrid grid, int strip)
      : grid_(grid), strip_(strip), samples_(sample_strip(luma, map, size, grid, strip)) {
    for (int column = 0; column < grid.columns; column += kGroup) {
      neighbourhoods_.push_back(look_around(column + kGroup / 2));
    }
  }

  [[nodiscard]] SoftBits soft_bits(ThresholdRule rule) const {
    SoftBits soft{};
    for (int column = 0; column < grid_.columns; ++column) {
      const Neighbourhood& here = neighbourhoods_[static_cast<std::size_t>(column / kGroup)];
      const float threshold = rule.by_extremes ? 0.5F * (here.dark + here.bright) +
                                                     rule.shift * (here.bright - here.dark)
                                               : here.mean;
      for (int row = 0; row < grid_.rows; ++row) {
        const float value = sample(row, column);
        if (value < 0) {
          continue;
        }
        const float soft_bit = kConfidence * (value - threshold) / here.spread;
        soft[static_cast<std::size_t>(header_bit(grid_, strip_, row, column))] +=
            is_header_cell_flipped(strip_, row, column) ? -soft_bit : soft_bit;
      }
    }
    return soft;
  }

 private:
  [[nodiscard]] float sample(int row, int column) const {
    return samples_[static_cast<std::size_t>(row * grid_.columns + column)];
  }

  [[nodiscard]] Neighbourhood look_around(int column) const {
    const int first = std::clamp(column - kWindow, 0, std::max(0, grid_.columns - 2 * kWindow - 1));
    const int last = std::min(first + 2 * kWindow + 1, grid_.columns);
    std::vector<float> cells;
    float sum = 0;
    float squares = 0;
    for (int row = 0; row < grid_.rows; ++row) {
      for (int i = first; i < last; ++i) {
        const float value = sample(row, i);
        if (value >= 0) {
          cells.push_back(value);
          sum += value;
          squares += value * value;
        }
      }
    }
    if (cells.empty()) {
      return {};
    }
    const auto n = static_cast<float>(cells.size());
    const float mean = sum / n;
    // A quarter of the cells is dark in both of two mixed frames, a quarter bright.
    std::sort(cells.begin(), cells.end());
    const std::size_t few = std::max<std::size_t>(1, cells.size() / 6);
    const auto mean_of = [few](auto from) {
      return std::accumulate(from, from + static_cast<std::ptrdiff_t>(few), 0.0F) /
             static_cast<float>(few);
    };
    return {mean, std::sqrt(std::max(1e-5F, squares / n - mean * mean)), mean_of(cells.begin()),
            mean_of(cells.end() - static_cast<std::ptrdiff_t>(few))};
  }

  HeaderGrid grid_;
  int strip_;
  std::vector<float> samples_;
  std::vector<Neighbourhood> neighbourhoods_;  ///< Of each kGroup columns.
};

std::optional<FrameHeader> decode(const SoftBits& soft, HeaderReading& reading) {
  std::array<Llr, kHeaderCodedBits> llrs{};
  std::transform(soft.begin(), soft.end(), llrs.begin(), to_llr);
  const DecodedHeader decoded = decode_header_of_any_version(llrs);
  if (decoded.foreign_version) {
    reading.foreign_version = decoded.foreign_version;
  }
  return decoded.header;
}

}  // namespace

HeaderReading read_headers(const PlaneView& luma,
                           const ModuleMap& map,
                           PanelModules size,
                           HeaderGrid grid,
                           HeaderEffort effort) {
  HeaderReading reading;
  const std::array strips{Strip(luma, map, size, grid, 0), Strip(luma, map, size, grid, 1)};
  for (const ThresholdRule rule : kRules) {
    SoftBits both{};
    for (std::size_t strip = 0; strip < 2; ++strip) {
      const SoftBits soft = strips[strip].soft_bits(rule);
      if (!reading.strips[strip]) {
        reading.strips[strip] = decode(soft, reading);
      }
      for (std::size_t i = 0; i < both.size(); ++i) {
        both[i] += soft[i];
      }
    }
    const auto is_read = [&reading] {
      return reading.any() != nullptr || reading.foreign_version.has_value();
    };
    if (is_read() || effort == HeaderEffort::kQuick) {
      break;
    }
    reading.strips[0] = decode(both, reading);
    if (is_read()) {
      break;
    }
  }
  return reading;
}

}  // namespace wccl::phy
