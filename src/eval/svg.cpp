#include "eval/svg.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace wccl::eval {
namespace {

constexpr int kSeriesClasses = 8;  // s0 to s7 of the style sheet.
constexpr double kLeast = 1e-3;    // Of logarithmic scales.

std::string open_svg(double width, double height, std::string_view title) {
  return fmt::format(
      "<svg viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" "
      "aria-label=\"{2}\"><text class=\"title\" x=\"8\" y=\"16\">{2}</text>",
      width, height, escaped(title));
}

std::string text_at(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
                     escaped(text));
}

std::string line_at(std::string_view kind, double x1, double y1, double x2, double y2) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>",
                     kind, x1, y1, x2, y2);
}

/// The area inside the axes, and how numbers become places in it.
struct Frame {
  double left = 56;
  double top = 28;
  double width = 330;
  double height = 190;
  double x_min = 0;
  double x_max = 1;
  double y_min = 0;
  double y_max = 1;
  bool log_y = false;
  bool has_whole_x = false;  ///< No ticks between them.

  [[nodiscard]] double x(double value) const {
    return left + width * (value - x_min) / (x_max - x_min);
  }
  [[nodiscard]] double y(double value) const {
    if (log_y) {
      const double decades = std::log10(std::max(value, kLeast) / kLeast);
      return top + height * (1 - decades / -std::log10(kLeast));
    }
    return top + height * (1 - (value - y_min) / (y_max - y_min));
  }
};

/// 1, 2 or 5 times a power of ten, so that about four steps span the range.
double step_for(double range) {
  const double raw = range / 4;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power) {
      return factor * power;
    }
  }
  return 10 * power;
}

std::string draw_y_axis(const Frame& frame, std::string_view label) {
  std::string svg;
  const auto tick = [&](double value) {
    svg += line_at("grid", frame.left, frame.y(value), frame.left + frame.width, frame.y(value));
    svg += text_at(frame.left - 6, frame.y(value) + 4, "end", fmt::format("{:.4g}", value));
  };
  if (frame.log_y) {
    for (const double value : {0.001, 0.01, 0.1, 1.0}) {
      tick(value);
    }
  } else {
    const double step = step_for(frame.y_max - frame.y_min);
    for (double value = std::ceil(frame.y_min / step) * step; value <= frame.y_max + step * 1e-6;
         value += step) {
      tick(std::abs(value) < step * 1e-6 ? 0 : value);
    }
  }
  const double middle = frame.top + frame.height / 2;
  svg += fmt::format(
      "<text transform=\"translate(12 {:.0f}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
      middle, escaped(label));
  return svg;
}

std::string draw_x_axis(const Frame& frame,
                        std::string_view label,
                        const std::vector<std::string>& names) {
  std::string svg = line_at("axis", frame.left, frame.top + frame.height, frame.left + frame.width,
                            frame.top + frame.height);
  const double base = frame.top + frame.height + 15;
  if (names.empty()) {
    const double step = std::max(step_for(frame.x_max - frame.x_min), frame.has_whole_x ? 1 : 1e-9);
    for (double value = std::ceil(frame.x_min / step - 1e-6) * step;
         value <= frame.x_max + step * 1e-6; value += step) {
      const double shown = std::abs(value) < step * 1e-6 ? 0 : value;
      svg += text_at(frame.x(value), base, "middle", fmt::format("{:.4g}", shown));
    }
    return svg + text_at(frame.left + frame.width / 2, base + 17, "middle", label);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    svg += fmt::format(
        "<text transform=\"translate({:.1f} {:.1f}) rotate(-28)\" text-anchor=\"end\">{}</text>",
        frame.x(static_cast<double>(i)) + 6, base, escaped(names[i]));
  }
  return svg;
}

std::string draw_legend(const std::vector<Series>& series, double x, double y) {
  std::string svg;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double row = y + 16 * static_cast<double>(i);
    svg += fmt::format("<circle class=\"dot s{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>",
                       i % kSeriesClasses, x, row - 4);
    svg += text_at(x + 9, row, "start", series[i].name);
  }
  return svg;
}

void fit_axes(const LineChart& chart, Frame& frame) {
  bool is_first = true;
  frame.has_whole_x = true;
  for (const Series& series : chart.series) {
    for (const PlotPoint& point : series.points) {
      frame.x_min = is_first ? point.x : std::min(frame.x_min, point.x);
      frame.x_max = is_first ? point.x : std::max(frame.x_max, point.x);
      const double top = std::max(point.y, point.high);
      frame.y_max = is_first ? top : std::max(frame.y_max, top);
      frame.has_whole_x = frame.has_whole_x && point.x == std::floor(point.x);
      is_first = false;
    }
  }
  frame.log_y = chart.log_y;
  frame.y_max = frame.y_max > 0 ? frame.y_max * 1.05 : 1;
  if (!chart.names.empty()) {
    frame.x_min = 0;
    frame.x_max = static_cast<double>(chart.names.size()) - 1;
  }
  const double margin = frame.x_max > frame.x_min ? 0.03 * (frame.x_max - frame.x_min) : 0.5;
  frame.x_min -= margin;
  frame.x_max += margin;
}

std::string draw_series(const Series& series,
                        std::size_t number,
                        const Frame& frame,
                        bool has_marks) {
  const std::size_t colour = number % kSeriesClasses;
  std::string path;
  std::string marks;
  for (const PlotPoint& point : series.points) {
    const double x = frame.x(point.x);
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, frame.y(point.y));
    if (point.high > point.low) {
      marks += fmt::format("<g class=\"line s{}\">{}</g>", colour,
                           line_at("", x, frame.y(point.low), x, frame.y(point.high)));
    }
    marks += fmt::format(
        "<circle class=\"dot s{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"><title>{}: {:.4g}, "
        "{:.4g}</title></circle>",
        colour, x, frame.y(point.y), escaped(series.name), point.x, point.y);
  }
  return fmt::format("<path class=\"line s{}\" d=\"{}\"/>{}", colour, path, has_marks ? marks : "");
}

/// Dark blue over green to yellow (0 to 1), and whether text on it must be dark.
struct Colour {
  std::string css;
  bool is_bright = false;
};
Colour heat(double value) {
  constexpr std::array<std::array<double, 3>, 5> kStops{
      {{68, 1, 84}, {59, 82, 139}, {33, 145, 140}, {94, 201, 98}, {253, 231, 37}}};
  const double place = std::clamp(value, 0.0, 1.0) * (kStops.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), kStops.size() - 2);
  const double share = place - static_cast<double>(below);
  std::array<int, 3> rgb{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double mixed = kStops[below][i] * (1 - share) + kStops[below + 1][i] * share;
    rgb[i] = static_cast<int>(std::lround(mixed));
  }
  return {fmt::format("rgb({},{},{})", rgb[0], rgb[1], rgb[2]), value > 0.55};
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char character : text) {
    switch (character) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += character;
    }
  }
  return out;
}

std::string draw(const LineChart& chart) {
  Frame frame;
  if (chart.is_small) {
    frame.width = 220;
    frame.height = 130;
  }
  if (chart.is_wide) {
    frame.width = 720;
  }
  if (!chart.names.empty()) {
    frame.left = 92;  // Names stand out to the left.
  }
  fit_axes(chart, frame);
  const double legend_height = 16 * static_cast<double>(chart.series.size());
  const double below = chart.names.empty() ? 44 : 84;
  const double height = frame.top + frame.height + below + legend_height + 8;
  std::string svg = open_svg(frame.left + frame.width + 20, height, chart.title);
  svg += draw_y_axis(frame, chart.y_label) + draw_x_axis(frame, chart.x_label, chart.names);
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    svg += draw_series(chart.series[i], i, frame, !chart.is_small && !chart.is_wide);
  }
  svg += draw_legend(chart.series, frame.left + 4, frame.top + frame.height + below + 8);
  return svg + "</svg>";
}

std::string draw(const ScatterPlot& plot) {
  Frame frame;
  frame.width = frame.height = 190;
  frame.x_min = frame.y_min = -plot.end;
  frame.x_max = frame.y_max = plot.end;
  const double legend_height = 16 * static_cast<double>(plot.series.size());
  std::string svg = open_svg(frame.left + frame.width + 16,
                             frame.top + frame.height + 52 + legend_height, plot.title);
  svg += draw_y_axis(frame, plot.y_label) + draw_x_axis(frame, plot.x_label, {});
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    for (const PlotPoint& point : plot.series[i].points) {
      svg += fmt::format("<circle class=\"cloud s{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.8\"/>",
                         i % kSeriesClasses, frame.x(std::clamp(point.x, -plot.end, plot.end)),
                         frame.y(std::clamp(point.y, -plot.end, plot.end)));
    }
  }
  svg += draw_legend(plot.series, frame.left + 4, frame.top + frame.height + 52);
  return svg + "</svg>";
}

std::string draw(const HeatMap& map) {
  constexpr double kLeft = 96;
  constexpr double kTop = 28;
  constexpr double kWidth = 46;
  constexpr double kHeight = 26;
  double most = 1e-9;
  for (const auto& row : map.cells) {
    for (const auto& cell : row) {
      most = std::max(most, cell.value);
    }
  }
  const double columns = static_cast<double>(map.x_names.size());
  const double rows = static_cast<double>(map.y_names.size());
  std::string svg = open_svg(std::max(kLeft + columns * kWidth + 12, 300.0),
                             kTop + rows * kHeight + 42, map.title);
  svg += fmt::format("<text x=\"8\" y=\"{:.0f}\">{}</text>", kTop + rows * kHeight + 16,
                     escaped(map.y_label));
  for (std::size_t y = 0; y < map.y_names.size(); ++y) {
    const double top = kTop + kHeight * static_cast<double>(y);
    svg += text_at(kLeft - 6, top + 17, "end", map.y_names[y]);
    for (std::size_t x = 0; x < map.x_names.size(); ++x) {
      const HeatMap::Cell& cell = map.cells[y][x];
      const double left = kLeft + kWidth * static_cast<double>(x);
      if (cell.value < 0) {
        continue;
      }
      const Colour colour = heat(cell.value / most);
      svg += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.0f}\" height=\"{:.0f}\" "
          "fill=\"{}\"><title>{}</title></rect><text x=\"{:.1f}\" y=\"{:.1f}\" "
          "text-anchor=\"middle\" style=\"fill:{}\">{:.2f}</text>",
          left, top, kWidth - 1, kHeight - 1, colour.css, escaped(cell.hint), left + kWidth / 2,
          top + 17, colour.is_bright ? "#111" : "#fff", cell.value);
    }
  }
  const double base = kTop + rows * kHeight + 16;
  for (std::size_t x = 0; x < map.x_names.size(); ++x) {
    svg += text_at(kLeft + kWidth * (static_cast<double>(x) + 0.5), base, "middle", map.x_names[x]);
  }
  svg += text_at(kLeft + kWidth * columns / 2, base + 17, "middle", map.x_label);
  return svg + "</svg>";
}

std::string draw(const TileMap& map) {
  constexpr double kTile = 15;
  constexpr double kTop = 26;
  std::string svg = open_svg(map.across * kTile + 16, kTop + map.down * kTile + 8, map.title);
  for (int y = 0; y < map.down; ++y) {
    for (int x = 0; x < map.across; ++x) {
      const double value = map.values[static_cast<std::size_t>(y * map.across + x)];
      if (value < 0) {
        continue;
      }
      const double place = std::log(std::max(value, kLeast) / kLeast) / std::log(0.5 / kLeast);
      svg += fmt::format(
          "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" "
          "fill=\"{}\"><title>{:.2g}</title></rect>",
          8 + kTile * x, kTop + kTile * y, kTile, kTile, heat(place).css, value);
    }
  }
  return svg + "</svg>";
}

std::string draw(const BarChart& chart) {
  constexpr double kLeft = 110;
  constexpr double kWidth = 420;
  constexpr double kRow = 24;
  double most = 1e-9;
  for (const auto& bar : chart.bars) {
    most = std::max({most, bar.front, bar.back});
  }
  std::string svg = open_svg(kLeft + kWidth + 150,
                             32 + kRow * static_cast<double>(chart.bars.size()), chart.title);
  for (std::size_t i = 0; i < chart.bars.size(); ++i) {
    const auto& bar = chart.bars[i];
    const double top = 26 + kRow * static_cast<double>(i);
    svg += text_at(kLeft - 6, top + 14, "end", bar.name);
    svg += fmt::format(
        "<rect class=\"back\" x=\"{0:.0f}\" y=\"{1:.0f}\" width=\"{2:.1f}\" height=\"18\"/><rect "
        "class=\"dot s0\" x=\"{0:.0f}\" y=\"{3:.0f}\" width=\"{4:.1f}\" height=\"10\"/>",
        kLeft, top, kWidth * bar.back / most, top + 4, kWidth * bar.front / most);
    svg += text_at(kLeft + kWidth * std::max(bar.back, bar.front) / most + 6, top + 14, "start",
                   fmt::format("{:.2f} of {:.2f} {}", bar.front, bar.back, chart.unit));
  }
  return svg + "</svg>";
}

}  // namespace wccl::eval
