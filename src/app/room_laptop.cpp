#include "app/room_laptop.h"

#include <utility>

namespace wccl::app {

RoomLaptop::RoomLaptop(link::NodeOptions options, std::function<void(Instant)> on_arrival)
    : node_(options), on_arrival_(std::move(on_arrival)), stats_(node_.stats()) {}

std::shared_ptr<const RgbImage> RoomLaptop::next_frame(Instant now) {
  return node_.next_frame(now);
}

std::function<void(Instant)> RoomLaptop::decode(const YuvImage& capture, Instant captured_at) {
  Sighting sighting{std::make_shared<YuvImage>(capture),
                    receiver_.receive(capture.view(), captured_at)};
  return [this, sighting = std::move(sighting)](Instant now) { arrive(sighting, now); };
}

void RoomLaptop::arrive(Sighting sighting, Instant now) {
  node_.on_reception(sighting.reception, now);
  {
    const std::lock_guard lock(mutex_);
    stats_ = node_.stats();
    last_sighting_ = std::move(sighting);
  }
  if (on_arrival_) {
    on_arrival_(now);
  }
}

std::vector<link::LinkStats> RoomLaptop::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

Sighting RoomLaptop::last_sighting() const {
  const std::lock_guard lock(mutex_);
  return last_sighting_;
}

}  // namespace wccl::app
