// room::read_poses(): where laptops stand, from a file.
#include <cmath>
#include <string_view>

#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "room/layout.h"
#include "room/scene.h"

namespace wccl::fuzz {

void check(std::span<const std::byte> input) {
  const auto path = scratch() / "poses.json";
  put_file(path, input);
  auto scene = room::make_scene("face_1080p", "pair", 2);
  require(scene.has_value());
  const auto status = room::read_poses(path, *scene);
  if (!status) {
    require(!status.error().message.empty());
    return;
  }
  for (const room::NodeSpec& node : scene->nodes) {
    require(std::isfinite(node.panel_pose.x_mm) && std::isfinite(node.camera_pose.yaw_deg));
  }
}

std::vector<Bytes> seeds() {
  constexpr std::string_view kText =
      R"({"nodes":[{"panel":{"x_mm":1,"y_mm":-2.5,"yaw_deg":3},"camera":{"z_mm":1e3}},
                   {"panel":{"roll_deg":0,"pitch_deg":9},"camera":{}}]})";
  const auto bytes = std::as_bytes(std::span(kText));
  return {{bytes.begin(), bytes.end()}};
}

}  // namespace wccl::fuzz
