#pragma once

#include <string>
#include <string_view>

#include "wccl/result.h"

#include "eval/figures.h"

namespace wccl::eval {

/// One line of results.jsonl, without the line's end.
[[nodiscard]] std::string to_json_line(const PointResult& result);
/// @return kCorrupt for a line that is torn or from elsewhere.
[[nodiscard]] Result<PointResult> from_json_line(std::string_view line);
/// A pretty array of all of them.
[[nodiscard]] std::string to_json(const std::vector<PointResult>& results);

/// CSV that a seed repeats to the last byte: no times of the machine.
[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string to_csv_line(const PointResult& result);

}  // namespace wccl::eval
