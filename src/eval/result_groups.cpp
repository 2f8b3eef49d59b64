#include "eval/result_groups.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace wccl::eval {
namespace {

std::string key_without_chance(Point point) {
  point.seed = 0;
  point.phase.reset();
  return key_of(point);
}

void settle(ResultGroup& group) {
  group.least_bps = group.most_bps = group.results.front()->figures.goodput_bps;
  for (const PointResult* result : group.results) {
    const Figures& figures = result->figures;
    group.goodput_bps += figures.goodput_bps;
    group.could_carry_bps += figures.could_carry_bps;
    group.block_error_rate += figures.block_error_rate();
    if (group.slowest == nullptr || figures.goodput_bps < group.slowest->figures.goodput_bps) {
      group.slowest = result;
    }
    group.least_bps = std::min(group.least_bps, figures.goodput_bps);
    group.most_bps = std::max(group.most_bps, figures.goodput_bps);
  }
  const auto n = static_cast<double>(group.results.size());
  group.goodput_bps /= n;
  group.could_carry_bps /= n;
  group.block_error_rate /= n;
}

template <class T>
void add_once(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) {
    list.push_back(value);
  }
}

}  // namespace

std::vector<ResultGroup> group_results(const std::vector<PointResult>& results) {
  std::vector<ResultGroup> groups;
  std::map<std::string, std::size_t> place_of;
  for (const PointResult& result : results) {
    const auto [place, is_new] =
        place_of.try_emplace(key_without_chance(result.point), groups.size());
    if (is_new) {
      groups.emplace_back();
    }
    groups[place->second].results.push_back(&result);
  }
  for (ResultGroup& group : groups) {
    settle(group);
  }
  return groups;
}

std::vector<std::string> scenes_of(const std::vector<ResultGroup>& groups) {
  std::vector<std::string> scenes;
  for (const ResultGroup& group : groups) {
    add_once(scenes, group.point().scene);
  }
  return scenes;
}

const ResultGroup* best_of(const std::vector<ResultGroup>& groups, const std::string& scene) {
  const ResultGroup* best = nullptr;
  for (const ResultGroup& group : groups) {
    if (group.point().scene == scene &&
        (best == nullptr || group.goodput_bps > best->goodput_bps)) {
      best = &group;
    }
  }
  return best;
}

std::vector<std::string> swept_axes(const std::vector<PointResult>& results) {
  std::vector<std::string> axes;
  for (const PointResult& result : results) {
    for (const auto& [name, value] : result.point.swept) {
      if (name != "mode" && name != "seed" && name != "phase") {
        add_once(axes, name);
      }
    }
  }
  std::erase_if(axes, [&](const std::string& axis) { return values_on(results, axis).size() < 2; });
  return axes;
}

std::optional<std::string> value_on(const Point& point, const std::string& axis) {
  for (const auto& [name, value] : point.swept) {
    if (name == axis) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::vector<std::string> values_on(const std::vector<PointResult>& results,
                                   const std::string& axis) {
  std::vector<std::string> values;
  for (const PointResult& result : results) {
    if (const auto value = value_on(result.point, axis)) {
      add_once(values, *value);
    }
  }
  const bool are_numbers = std::all_of(values.begin(), values.end(), [](const std::string& value) {
    return number_of(value).has_value();
  });
  if (are_numbers) {
    std::stable_sort(values.begin(), values.end(), [](const std::string& a, const std::string& b) {
      return *number_of(a) < *number_of(b);
    });
  }
  return values;
}

}  // namespace wccl::eval
