#pragma once

#include "base/image.h"
#include "session/laptop.h"

namespace wccl::app {

/// What a camera saw, with each screen that its receiver found outlined, named and measured.
[[nodiscard]] RgbImage annotate(const session::Sighting& sighting);

}  // namespace wccl::app
