#include "session/live_room.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/rng.h"

namespace wccl::session {
namespace {

constexpr std::uint64_t kClockStream = 0x6C697665;  // keeps the clocks' draws apart from the noise

/// How long before now a capture that is begun now may have been taken: it waits for its last row,
/// and the one before it may have been late by a period.
Duration reach(const room::CameraSpec& camera) {
  return from_seconds(1e-3 * camera.readout_ms + 2 / camera.fps);
}

}  // namespace

LiveRoom::LiveRoom(const room::Scene& scene,
                   std::uint64_t seed,
                   const std::vector<device::Camera*>& sources,
                   const device::SteadyTime& time) {
  assert(sources.size() == scene.nodes.size());
  std::vector<room::Camera> cameras;
  Duration memory{};
  for (std::size_t i = 0; i < sources.size(); ++i) {
    cameras.emplace_back(scene, static_cast<int>(i), seed);
    memory = std::max(memory, cameras.back().history() + reach(scene.nodes[i].camera));
  }
  std::vector<const LivePanel*> panels;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    panels_.push_back(std::make_unique<LivePanel>(*sources[i], scene.nodes[i].panel, time, memory));
    panels.push_back(panels_.back().get());
  }
  const Rng clocks = Rng(seed).split(kClockStream);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    cameras_.push_back(std::make_unique<LiveCamera>(std::move(cameras[i]), scene.nodes[i].camera,
                                                    clocks.split(i), panels, time));
  }
}

}  // namespace wccl::session
