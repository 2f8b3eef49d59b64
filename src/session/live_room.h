#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "wccl/result.h"

#include "device/camera.h"
#include "device/picture_feed.h"
#include "device/steady_time.h"
#include "room/scene.h"
#include "session/live_camera.h"
#include "session/live_panel.h"

namespace wccl::session {

/// Optics between real windows, in real time: node i's panel shows what source i shows, and node
/// i's camera sees the others' panels as they stand in the scene. For tests of everything that
/// lives outside this process, where no webcam is at hand.
class LiveRoom {
 public:
  /// @param scene    Its panels are of the sources' sizes.
  /// @param sources  One per node; borrowed.
  LiveRoom(const room::Scene& scene,
           std::uint64_t seed,
           const std::vector<device::Camera*>& sources,
           const device::SteadyTime& time);

  [[nodiscard]] int n_nodes() const { return static_cast<int>(panels_.size()); }
  [[nodiscard]] LivePanel& panel(int node) { return *panels_[static_cast<std::size_t>(node)]; }
  [[nodiscard]] const LivePanel& panel(int node) const {
    return *panels_[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] const LiveCamera& camera(int node) const {
    return *cameras_[static_cast<std::size_t>(node)];
  }

 private:
  std::vector<std::unique_ptr<LivePanel>> panels_;
  std::vector<std::unique_ptr<LiveCamera>> cameras_;  // last: they look at the panels
};

}  // namespace wccl::session
