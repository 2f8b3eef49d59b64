#include "eval/report_plots.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "eval/svg.h"

namespace wccl::eval {
namespace {

constexpr double kMostMixed = 0.2;
constexpr std::size_t kMostScenes = 12;  // With pictures of their own: a page has to load.

double mbit(double bps) {
  return bps / 1e6;
}

/// A line of a goodput curve: the mode, without what the axis says already.
std::string line_name(const phy::Mode& mode, const std::string& axis) {
  if (axis == "cell") {
    return fmt::format("{} {}", colours_of(mode), rates_of(mode));
  }
  if (axis == "rate") {
    return fmt::format("{} {} px", colours_of(mode), mode.cell_px);
  }
  if (axis == "colours") {
    return fmt::format("{} px {}", mode.cell_px, rates_of(mode));
  }
  return std::string(mode.name);
}

/// Keeps the fastest setting at each place of each line: axes that are not shown are at their best.
class BestCurve {
 public:
  void add(const std::string& line, double x, const ResultGroup& group) {
    const auto [place, is_new] = lines_[line].try_emplace(x, &group);
    if (!is_new && group.goodput_bps > place->second->goodput_bps) {
      place->second = &group;
    }
  }
  [[nodiscard]] std::vector<Series> series() const {
    std::vector<Series> all;
    for (const auto& [name, places] : lines_) {
      Series one;
      one.name = name;
      for (const auto& [x, group] : places) {
        one.points.push_back(
            {x, mbit(group->goodput_bps), mbit(group->least_bps), mbit(group->most_bps)});
      }
      all.push_back(std::move(one));
    }
    return all;
  }

 private:
  std::map<std::string, std::map<double, const ResultGroup*>> lines_;
};

std::string goodput_over_modes(const std::vector<ResultGroup>& groups) {
  std::set<phy::ModeId> modes;
  for (const ResultGroup& group : groups) {
    modes.insert(group.point().mode);
  }
  LineChart chart;
  chart.title = "Goodput of each mode";
  chart.y_label = "Mbit/s";
  for (const phy::ModeId mode : modes) {
    chart.names.emplace_back(phy::find_mode(mode)->name);
  }
  BestCurve curve;
  for (const ResultGroup& group : groups) {
    const auto place = std::distance(modes.begin(), modes.find(group.point().mode));
    curve.add(group.point().scene, static_cast<double>(place), group);
  }
  chart.series = curve.series();
  return draw(chart);
}

/// Red, green, blue where they are; the rest after them.
std::size_t channel_rank(const std::string& name) {
  constexpr std::array kOrder{"luma", "red", "green", "blue"};
  return static_cast<std::size_t>(
      std::distance(kOrder.begin(), std::find(kOrder.begin(), kOrder.end(), name)));
}

std::string draw_histogram(const ChannelFigures& channel, const std::string& title) {
  LineChart chart;
  chart.title = title;
  chart.x_label = "what the equaliser said";
  chart.y_label = "cells, thousands";
  chart.is_small = true;
  for (std::size_t level = 0; level < channel.histogram.size(); ++level) {
    Series series;
    series.name = fmt::format("level {} shown", level);
    const auto& bins = channel.histogram[level];
    for (std::size_t bin = 0; bin < bins.size(); ++bin) {
      const double x = -kHistogramEnd + 2 * kHistogramEnd * (static_cast<double>(bin) + 0.5) /
                                            static_cast<double>(bins.size());
      series.points.push_back({x, bins[bin] / 1e3, 0, 0});
    }
    chart.series.push_back(std::move(series));
  }
  return draw(chart);
}

std::string draw_constellation(const Figures& figures,
                               std::size_t x_channel,
                               std::size_t y_channel,
                               const std::string& title) {
  ScatterPlot plot;
  plot.title = title;
  plot.x_label = figures.channels[x_channel].name;
  plot.y_label = figures.channels[y_channel].name;
  plot.end = kHistogramEnd;
  std::map<std::pair<int, int>, Series> clouds;
  for (const ConstellationPoint& point : figures.constellation) {
    const int x = point.level[x_channel];
    const int y = point.level[y_channel];
    Series& cloud = clouds[{x, y}];
    cloud.name = fmt::format("{} {}, {} {} shown", plot.x_label, x, plot.y_label, y);
    cloud.points.push_back({point.estimate[x_channel], point.estimate[y_channel], 0, 0});
  }
  for (auto& [levels, cloud] : clouds) {
    plot.series.push_back(std::move(cloud));
  }
  return draw(plot);
}

/// The most that any mode reached of a figure, at each pair of the map's names.
std::string draw_heat(HeatMap map,
                      const std::string& scene,
                      const std::vector<ResultGroup>& groups,
                      double ResultGroup::* figure) {
  map.cells.assign(map.y_names.size(), std::vector<HeatMap::Cell>(map.x_names.size()));
  const auto place = [](const std::vector<std::string>& names, const std::string& name) {
    return static_cast<std::size_t>(
        std::distance(names.begin(), std::find(names.begin(), names.end(), name)));
  };
  for (const ResultGroup& group : groups) {
    const auto x = value_on(group.point(), map.x_label);
    const auto y = value_on(group.point(), map.y_label);
    if (group.point().scene != scene || !x || !y) {
      continue;
    }
    HeatMap::Cell& cell = map.cells[place(map.y_names, *y)][place(map.x_names, *x)];
    const double value = mbit(group.*figure);
    if (value > cell.value) {
      cell = {value, fmt::format("{}, hold {}", phy::find_mode(group.point().mode)->name,
                                 group.point().hold)};
    }
  }
  return draw(map);
}

template <class Draw>
std::string for_each_best(const std::vector<ResultGroup>& groups, const Draw& draw_one) {
  std::string html;
  std::size_t n = 0;
  for (const std::string& scene : scenes_of(groups)) {
    if (n++ == kMostScenes) {
      return html + fmt::format("<p>The first {} scenes.</p>", kMostScenes);
    }
    const ResultGroup* best = best_of(groups, scene);
    const PointResult& result = *best->results.front();
    html += fmt::format("<h3>{}, {}</h3><div class=\"plots\">{}</div>", escaped(scene),
                        phy::find_mode(result.point.mode)->name, draw_one(result.figures));
  }
  return html;
}

}  // namespace

std::string plot_delivered(const std::vector<ResultGroup>& groups) {
  BarChart chart;
  chart.title = "Delivered by the best setting, of what the channel could carry in any";
  chart.unit = "Mbit/s";
  for (const std::string& scene : scenes_of(groups)) {
    double could_carry = 0;
    for (const ResultGroup& group : groups) {
      if (group.point().scene == scene) {
        could_carry = std::max(could_carry, group.could_carry_bps);
      }
    }
    chart.bars.push_back({scene, mbit(best_of(groups, scene)->goodput_bps), mbit(could_carry)});
  }
  return chart.bars.empty() ? "" : draw(chart);
}

std::string plot_goodput(const std::vector<PointResult>& results,
                         const std::vector<ResultGroup>& groups) {
  const auto axes = swept_axes(results);
  if (axes.empty()) {
    return groups.empty() ? "" : goodput_over_modes(groups);
  }
  const std::string& axis = axes.front();
  const auto values = values_on(results, axis);
  const bool is_number = std::all_of(values.begin(), values.end(),
                                     [](const std::string& v) { return number_of(v).has_value(); });
  std::string html;
  for (const std::string& scene : scenes_of(groups)) {
    BestCurve curve;
    for (const ResultGroup& group : groups) {
      const auto value = value_on(group.point(), axis);
      if (group.point().scene != scene || !value) {
        continue;
      }
      const auto place =
          std::distance(values.begin(), std::find(values.begin(), values.end(), *value));
      curve.add(line_name(*phy::find_mode(group.point().mode), axis),
                is_number ? *number_of(*value) : static_cast<double>(place), group);
    }
    LineChart chart;
    chart.title = scene;
    chart.x_label = axis;
    chart.y_label = "goodput, Mbit/s";
    chart.names = is_number ? std::vector<std::string>() : values;
    chart.series = curve.series();
    html += draw(chart);
  }
  return html;
}

std::string plot_heat(const std::vector<PointResult>& results,
                      const std::vector<ResultGroup>& groups) {
  const auto axes = swept_axes(results);
  if (axes.size() < 2) {
    return "";
  }
  std::string html;
  for (const std::string& scene : scenes_of(groups)) {
    HeatMap map;
    map.x_label = axes[0];
    map.y_label = axes[1];
    map.x_names = values_on(results, axes[0]);
    map.y_names = values_on(results, axes[1]);
    map.title = scene + ": best goodput, Mbit/s";
    html += draw_heat(map, scene, groups, &ResultGroup::goodput_bps);
    map.title = scene + ": could carry at best, Mbit/s";
    html += draw_heat(map, scene, groups, &ResultGroup::could_carry_bps);
  }
  return html;
}

std::string plot_waterfalls(const std::vector<PointResult>& results) {
  std::map<phy::ModeId, std::map<std::size_t, Series>> modes;
  for (const PointResult& result : results) {
    for (const ChannelFigures& channel : result.figures.channels) {
      // Where frames mix, the SNR of cells that show one frame tells nothing of the others.
      if (channel.blocks == 0 || result.figures.located == 0 ||
          result.figures.mixed_share > kMostMixed) {
        continue;
      }
      Series& series = modes[result.point.mode][channel_rank(channel.name)];
      series.name = channel.name;
      series.points.push_back({channel.snr_db, channel.block_error_rate(), 0, 0});
    }
  }
  std::string html;
  for (auto& [mode, channels] : modes) {
    LineChart chart;
    chart.title = phy::find_mode(mode)->name;
    chart.x_label = "SNR, dB";
    chart.y_label = "block error rate";
    chart.log_y = true;
    for (auto& [rank, series] : channels) {
      std::stable_sort(series.points.begin(), series.points.end(),
                       [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
      chart.series.push_back(std::move(series));
    }
    html += draw(chart);
  }
  return html;
}

std::string plot_tiles(const std::vector<ResultGroup>& groups) {
  return for_each_best(groups, [](const Figures& figures) {
    std::string html;
    for (const ChannelFigures& channel : figures.channels) {
      if (!channel.tiles.empty()) {
        html += draw(TileMap{channel.name, kTilesAcross, kTilesDown, channel.tiles});
      }
    }
    return html;
  });
}

std::string plot_constellations(const std::vector<ResultGroup>& groups) {
  return for_each_best(groups, [](const Figures& figures) {
    std::string html;
    if (figures.channels.size() == 3) {
      html += draw_constellation(figures, 1, 0, "red over green");
      html += draw_constellation(figures, 1, 2, "blue over green");
    }
    for (const ChannelFigures& channel : figures.channels) {
      html += draw_histogram(channel, channel.name);
    }
    return html;
  });
}

}  // namespace wccl::eval
