#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/rng.h"
#include "device/picture_feed.h"
#include "device/steady_time.h"
#include "room/camera.h"
#include "room/scene.h"
#include "room/ticker.h"
#include "session/live_panel.h"

namespace wccl::session {

struct LiveCameraCounts {
  std::uint64_t captures = 0;
  std::uint64_t missed = 0;  ///< Whose time came while an earlier one was still being made.
  Duration busy{};           ///< What making the captures took, in all.
  std::uint64_t jpeg_bytes = 0;
};

/// A camera of the live room: room::Camera in real time, on a thread of its own. What it makes can
/// be seen in its feed when the camera's latency has passed. It drops captures rather than fall
/// behind.
class LiveCamera {
 public:
  /// @param spec    What `camera` is.
  /// @param rng     Of its clock.
  /// @param panels  One per node of the scene; borrowed.
  LiveCamera(room::Camera camera,
             const room::CameraSpec& spec,
             Rng rng,
             std::vector<const LivePanel*> panels,
             const device::SteadyTime& time);
  ~LiveCamera();  ///< Closes the feed.
  LiveCamera(const LiveCamera&) = delete;
  LiveCamera& operator=(const LiveCamera&) = delete;

  [[nodiscard]] const device::PictureFeed& feed() const { return feed_; }
  [[nodiscard]] LiveCameraCounts counts() const;

 private:
  void run();
  /// @return false when it is time to end.
  [[nodiscard]] bool sleep_until(Instant instant);
  [[nodiscard]] Instant moment_of(std::int64_t tick);
  void capture(Instant captured_at, std::uint64_t n_missed);
  [[nodiscard]] Duration draw_latency();

  const room::CameraSpec spec_;
  const Duration readout_;
  const std::vector<const LivePanel*> panels_;
  const device::SteadyTime& time_;
  room::Camera camera_;
  Rng rng_;
  room::Ticker shutter_;
  Instant last_due_;
  device::PictureFeed feed_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  LiveCameraCounts counts_;

  std::thread thread_;  // last: it uses all the others
};

}  // namespace wccl::session
