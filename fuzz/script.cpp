// room::parse_script(): a room that changes, as somebody wrote it, and the parameters in it.
#include "room/script.h"

#include <string_view>

#include "fuzz/scratch.h"
#include "fuzz/target.h"

namespace wccl::fuzz {

void check(std::span<const std::byte> input) {
  const auto script = room::parse_script("fuzz", as_text(input));
  if (!script) {
    require(!script.error().message.empty());
    return;
  }
  require(script->labels.size() == script->changes.size() + 1);
  Instant last{};
  for (const room::SceneChange& change : script->changes) {
    require(change.at > last && change.scene.nodes.size() == script->scene.nodes.size());
    last = change.at;
  }
  require(script->end > last && script->end <= Instant(std::chrono::hours(1)));
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> seeds;
  for (const std::string_view text :
       {"scene face_1080p camera.width_px=320 camera.height_px=180  # small\n\n"
        "1.5 light.ambient_lux=5\n2 layout.screen_share=0.3\n3 end\n",
        "scene far camera.crosstalk=1,0,0,0,1,0,0,0,1 camera.exposure_ms=8\n"
        "1e-3 node1.panel_pose.x_mm=100 camera.gain=2\n3600 end\n"}) {
    const auto bytes = std::as_bytes(std::span(text));
    seeds.emplace_back(bytes.begin(), bytes.end());
  }
  return seeds;
}

}  // namespace wccl::fuzz
