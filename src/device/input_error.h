#pragma once

#include "wccl/result.h"

#include "device/input.h"

namespace wccl::device {

/// Why an input could not be opened, and what to do about it.
[[nodiscard]] Error input_error(const InputRecipe& recipe, int ffmpeg_code);

}  // namespace wccl::device
