#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "train/trainer.h"

namespace wccl::train {

/// A line of metrics.jsonl, without its end.
[[nodiscard]] std::string to_json_line(const Progress& progress);

/// @return nothing when the text is not what to_json_line() writes: a line torn by a power cut.
[[nodiscard]] std::optional<Progress> parse_progress(std::string_view line, int rank);

}  // namespace wccl::train
