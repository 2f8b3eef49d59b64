#pragma once

#include "room/mosaic.h"
#include "room/scene.h"

namespace wccl::room {

/// The light that does not depend on what the panels show: walls, table, things, bezels, and on
/// each panel its black level, the room's reflection and the lamp's.
/// @return cd/m^2 behind lens, blur and colour filters.
[[nodiscard]] MosaicPlane make_backdrop(const Scene& scene, int camera_node);

}  // namespace wccl::room
