#include "session/live_camera.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace wccl::session {
namespace {

Duration milliseconds(double ms) {
  return from_seconds(1e-3 * ms);
}

}  // namespace

LiveCamera::LiveCamera(room::Camera camera,
                       const room::CameraSpec& spec,
                       Rng rng,
                       std::vector<const LivePanel*> panels,
                       const device::SteadyTime& time)
    : spec_(spec),
      readout_(milliseconds(spec.readout_ms)),
      panels_(std::move(panels)),
      time_(time),
      camera_(std::move(camera)),
      rng_(rng.split(1)),
      shutter_(spec.fps, spec.clock_ppm, rng.split(2)),
      thread_([this] { run(); }) {}

LiveCamera::~LiveCamera() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LiveCamera::run() {
  std::int64_t tick = std::max<std::int64_t>(shutter_.last_before(time_.now()) + 1, 0);
  while (true) {
    // The newest that has been read out; when there is time left, the next one.
    const std::int64_t newest = std::max(shutter_.last_before(time_.now() - readout_), tick);
    const Instant captured_at = moment_of(newest);
    if (!sleep_until(captured_at + readout_)) {
      break;
    }
    capture(captured_at, static_cast<std::uint64_t>(newest - tick));
    tick = newest + 1;
  }
  feed_.close();
}

Instant LiveCamera::moment_of(std::int64_t tick) {
  const Duration most = from_seconds(0.25 / spec_.fps);  // captures never overtake one another
  const Duration off = milliseconds(spec_.jitter_ms * rng_.normal());
  return shutter_.at(tick) + std::clamp(off, -most, most);
}

bool LiveCamera::sleep_until(Instant instant) {
  std::unique_lock lock(mutex_);
  return !changed_.wait_until(lock, time_.steady(instant), [this] { return stopping_; });
}

void LiveCamera::capture(Instant captured_at, std::uint64_t n_missed) {
  const Instant begin = time_.now();
  std::vector<room::PanelHistory> histories;
  for (const LivePanel* panel : panels_) {
    histories.push_back(panel->history());
  }
  static_cast<void>(camera_.capture(histories, captured_at));
  const auto jpeg = camera_.last_jpeg();
  last_due_ = std::max(last_due_, captured_at + readout_ + draw_latency());
  feed_.push({jpeg.begin(), jpeg.end()}, time_.steady(last_due_));

  const std::lock_guard lock(mutex_);
  ++counts_.captures;
  counts_.missed += n_missed;
  counts_.busy += time_.now() - begin;
  counts_.jpeg_bytes += jpeg.size();
}

Duration LiveCamera::draw_latency() {
  return milliseconds(spec_.latency_ms - spec_.latency_jitter_ms * std::log(1 - rng_.uniform()));
}

LiveCameraCounts LiveCamera::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace wccl::session
