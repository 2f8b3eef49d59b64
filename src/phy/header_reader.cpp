#include "phy/header_reader.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "phy/llr.h"
#include "phy/plane_sampling.h"

namespace wccl::phy {
namespace {

constexpr int kWindow = 9;  // Columns to each side that tell what is bright and dark here.
constexpr float kConfidence =
    2.5F;  // Natural LLR of a cell one standard deviation off the local mean.
using SoftBits = std::array<float, kHeaderCodedBits>;

/// Mean brightness of the middle of each cell, row by row.
std::vector<float> sample_strip(
    const PlaneView& luma, const ModuleMap& map, PanelModules size, HeaderGrid grid, int strip) {
  const double left = kCornerModules;
  const double width = size.width - 2 * kCornerModules;
  const double top = strip == 0 ? 1 : size.height - kMarginModules;
  const double depth = kMarginModules - 1;
  std::vector<float> samples;
  samples.reserve(static_cast<std::size_t>(grid.rows * grid.columns));
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      float sum = 0;
      for (int i = 0; i < 9; ++i) {
        const double u = column + 0.5 + 0.22 * (i % 3 - 1);
        const double v = row + 0.5 + 0.22 * (i / 3 - 1);
        const Point at = map({left + width * u / grid.columns, top + depth * v / grid.rows});
        sum += sample_bilinear(luma, at.x, at.y);
      }
      samples.push_back(sum / 9);
    }
  }
  return samples;
}

/// Adds the strip's cells to the soft bits. Noise of the layout makes bright and dark equally
/// frequent everywhere, so mean and spread of the neighbourhood say what bright and dark are.
void add_soft_bits(const std::vector<float>& samples, HeaderGrid grid, int strip, SoftBits& soft) {
  for (int column = 0; column < grid.columns; ++column) {
    const int first = std::clamp(column - kWindow, 0, std::max(0, grid.columns - 2 * kWindow - 1));
    const int last = std::min(first + 2 * kWindow + 1, grid.columns);
    float sum = 0;
    float squares = 0;
    for (int row = 0; row < grid.rows; ++row) {
      for (int i = first; i < last; ++i) {
        const float value = samples[static_cast<std::size_t>(row * grid.columns + i)];
        sum += value;
        squares += value * value;
      }
    }
    const auto n = static_cast<float>(grid.rows * (last - first));
    const float mean = sum / n;
    const float spread = std::sqrt(std::max(1.0F, squares / n - mean * mean));
    for (int row = 0; row < grid.rows; ++row) {
      const float value = samples[static_cast<std::size_t>(row * grid.columns + column)];
      const float soft_bit = kConfidence * (value - mean) / spread;
      soft[static_cast<std::size_t>(header_bit(grid, strip, row, column))] +=
          is_header_cell_flipped(strip, row, column) ? -soft_bit : soft_bit;
    }
  }
}

std::optional<FrameHeader> decode(const SoftBits& soft) {
  std::array<Llr, kHeaderCodedBits> llrs{};
  std::transform(soft.begin(), soft.end(), llrs.begin(), to_llr);
  return decode_header(llrs);
}

}  // namespace

HeaderReading read_headers(const PlaneView& luma,
                           const ModuleMap& map,
                           PanelModules size,
                           HeaderGrid grid) {
  HeaderReading reading;
  SoftBits both{};
  for (int strip = 0; strip < 2; ++strip) {
    SoftBits soft{};
    add_soft_bits(sample_strip(luma, map, size, grid, strip), grid, strip, soft);
    reading.strips[static_cast<std::size_t>(strip)] = decode(soft);
    for (std::size_t i = 0; i < both.size(); ++i) {
      both[i] += soft[i];
    }
  }
  if (reading.any() == nullptr) {
    reading.strips[0] = decode(both);
  }
  return reading;
}

}  // namespace wccl::phy
