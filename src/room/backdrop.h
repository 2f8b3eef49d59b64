#pragma once

#include <span>
#include <vector>

#include "room/mosaic.h"
#include "room/scene.h"
#include "room/screen_projector.h"

namespace wccl::room {

/// The light that does not depend on what the panels show: walls, table, things, bezels, and on
/// each panel its black level, the room's reflection and the lamp's.
/// @param projectors  One per node; null for the camera's own.
/// @return cd/m^2 behind lens, blur and colour filters.
[[nodiscard]] MosaicPlane make_backdrop(const Scene& scene,
                                        int camera_node,
                                        const MosaicFilter& filter,
                                        std::span<const ScreenProjector* const> projectors);

}  // namespace wccl::room
