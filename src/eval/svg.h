#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wccl::eval {

// Plots as SVG for a page: their colours are classes of its style sheet (report.cpp), so that they
// follow a light or dark theme.

/// For text between tags and in attributes.
[[nodiscard]] std::string escaped(std::string_view text);

struct PlotPoint {
  double x = 0;
  double y = 0;
  double low = 0;  ///< Of a whisker; none where low and high are equal.
  double high = 0;
};
struct Series {
  std::string name;
  std::vector<PlotPoint> points;
};

/// Lines over numbers, or over names.
struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> names;  ///< Of x = 0, 1, 2, ...; empty: x is a number.
  bool log_y = false;              ///< Decades from 0.001 to 1; else from 0.
  bool is_small = false;           ///< Without marks: for curves of many points.
  bool is_wide = false;            ///< Likewise, and wide: over time.
  std::vector<Series> series;
};
[[nodiscard]] std::string draw(const LineChart& chart);

/// Clouds of points in a square from -end to end.
struct ScatterPlot {
  std::string title;
  std::string x_label;
  std::string y_label;
  double end = 2;
  std::vector<Series> series;
};
[[nodiscard]] std::string draw(const ScatterPlot& plot);

/// A number for each pair of names.
struct HeatMap {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<std::string> x_names;
  std::vector<std::string> y_names;
  struct Cell {
    double value = -1;  ///< Below 0: nothing known.
    std::string hint;   ///< Shown when pointed at.
  };
  std::vector<std::vector<Cell>> cells;  ///< [y][x]
};
[[nodiscard]] std::string draw(const HeatMap& map);

/// Error rates over the screen: a logarithmic scale from 0.001 to 0.5.
struct TileMap {
  std::string title;
  int across = 0;
  int down = 0;
  std::vector<double> values;  ///< [down][across]; below 0: nothing known.
};
[[nodiscard]] std::string draw(const TileMap& map);

/// Two bars for each name, the first in front of the second.
struct BarChart {
  std::string title;
  std::string unit;
  struct Bar {
    std::string name;
    double front = 0;
    double back = 0;
  };
  std::vector<Bar> bars;
};
[[nodiscard]] std::string draw(const BarChart& chart);

}  // namespace wccl::eval
