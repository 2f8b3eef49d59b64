#include "eval/sweep.h"

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace wccl::eval {
namespace {

constexpr int kMostValues = 1000;  // Of a range: more is a slip of the finger.

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

tl::unexpected<Error> bad_range(std::string_view text, std::string_view why) {
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("'{}' {}; a range is FIRST..LAST or FIRST..LAST:STEP, such as 3..8 or "
                          "10..30:5",
                          text, why));
}

Status add_range(std::string_view text, std::size_t dots, std::vector<std::string>& values) {
  const std::string_view rest = text.substr(dots + 2);
  const auto colon = rest.find(':');
  const auto first = parse_number(text.substr(0, dots));
  const auto last = parse_number(rest.substr(0, colon));
  const auto step =
      colon == std::string_view::npos ? std::optional(1.0) : parse_number(rest.substr(colon + 1));
  if (!first || !last || !step) {
    return bad_range(text, "is no range of numbers");
  }
  if (*step <= 0 || *last < *first) {
    return bad_range(text, "goes nowhere");
  }
  // A little more than the last, so that 0.1..0.3:0.1 has all three.
  const double n_steps = std::floor((*last - *first) / *step + 1e-6);
  if (n_steps >= kMostValues) {
    return bad_range(text, fmt::format("has more than {} values", kMostValues));
  }
  for (int i = 0; i <= static_cast<int>(n_steps); ++i) {
    values.push_back(fmt::format("{:.10g}", *first + i * *step));
  }
  return {};
}

Status add_value(std::string_view text, std::vector<std::string>& values) {
  const auto dots = text.find("..");
  if (dots != std::string_view::npos) {
    return add_range(text, dots, values);
  }
  if (text.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "a value is missing; write NAME=VALUES, such as cell=3..8 or levels=2,4");
  }
  values.emplace_back(text);
  return {};
}

}  // namespace

Result<std::vector<Axis>> parse_sweep(std::string_view text) {
  std::vector<Axis> axes;
  while (true) {
    const auto comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    const auto equals = part.find('=');
    if (equals != std::string_view::npos) {
      axes.push_back({std::string(part.substr(0, equals)), {}});
      part.remove_prefix(equals + 1);
    }
    if (axes.empty() || axes.back().name.empty()) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("'{}' sweeps nothing; write NAME=VALUES, such as cell=3..8 or levels=2,4",
                      part));
    }
    if (auto status = add_value(part, axes.back().values); !status) {
      return tl::make_unexpected(status.error());
    }
    if (comma == std::string_view::npos) {
      return axes;
    }
    text.remove_prefix(comma + 1);
  }
}

}  // namespace wccl::eval
