#pragma once

#include <filesystem>

#include "wccl/result.h"

#include "room/scene.h"

namespace wccl::room {

/// Places the nodes of `scene` as its arrangement and layout say; the scale is the closest at which
/// a screen takes no more than layout.screen_share of a picture's width and as many screens as
/// possible are wholly in view. A scene without arrangement (poses from a file) stays as it is.
void place_nodes(Scene& scene);

/// Reads `{"nodes": [{"panel": {"x_mm": .., "yaw_deg": ..}, "camera": {..}}, ..]}` into the poses
/// of `scene`.
/// @return kIo, or kCorrupt naming the node and field.
Status read_poses(const std::filesystem::path& path, Scene& scene);

}  // namespace wccl::room
