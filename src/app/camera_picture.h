#pragma once

#include "app/room_laptop.h"
#include "base/image.h"

namespace wccl::app {

/// What a camera saw, with each screen that its receiver found outlined, named and measured.
[[nodiscard]] RgbImage annotate(const Sighting& sighting);

}  // namespace wccl::app
