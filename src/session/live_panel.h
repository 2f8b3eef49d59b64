#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "wccl/result.h"

#include "base/capture.h"
#include "base/clock.h"
#include "base/image.h"
#include "device/camera.h"
#include "device/steady_time.h"
#include "room/camera.h"

namespace wccl::session {

struct LivePanelCounts {
  std::uint64_t grabs = 0;    ///< Pictures that the source gave.
  std::uint64_t changes = 0;  ///< That were unlike the one before.
};

/// A panel of the live room: it shows what a source (a grabbed window) shows, from the moment in
/// which that arrived. A thread of its own watches the source.
class LivePanel {
 public:
  /// @param source  Borrowed. Pictures of another size than the panel's are not shown.
  /// @param memory  How far back history() must reach.
  LivePanel(device::Camera& source,
            const room::PanelSpec& panel,
            const device::SteadyTime& time,
            Duration memory);
  ~LivePanel();
  LivePanel(const LivePanel&) = delete;
  LivePanel& operator=(const LivePanel&) = delete;

  /// Something dark is held in front of the panel, and taken away.
  void cover(bool on);
  [[nodiscard]] bool covered() const;

  [[nodiscard]] room::PanelHistory history() const;
  [[nodiscard]] LivePanelCounts counts() const;
  /// Why the source will never give another picture; the panel is dark then.
  [[nodiscard]] std::optional<Error> ended() const;

 private:
  void watch();
  void take(Capture capture);
  void set_picture(std::shared_ptr<const RgbImage> picture);
  void show(std::shared_ptr<const RgbImage> frame);  ///< With mutex_ held.

  device::Camera& source_;
  const int width_px_;
  const int height_px_;
  const device::SteadyTime& time_;
  const Duration memory_;
  const std::shared_ptr<const RgbImage> hand_;
  Capture last_;  ///< Lives on the thread.

  mutable std::mutex mutex_;
  room::PanelHistory history_;
  std::shared_ptr<const RgbImage> picture_;  ///< What the panel shows, or would if uncovered.
  bool covered_ = false;
  LivePanelCounts counts_;
  std::optional<Error> ended_;

  std::atomic<bool> stopping_{false};
  std::thread thread_;  // last: it uses all the others
};

}  // namespace wccl::session
