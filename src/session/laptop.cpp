#include "session/laptop.h"

#include <algorithm>
#include <utility>

#include "link/file_stream.h"

namespace wccl::session {
namespace {

/// Blocks, because a header alone can be misread.
bool shows_one_way(const phy::CaptureReception& reception) {
  return std::ranges::any_of(reception.screens, [](const auto& screen) {
    return std::ranges::any_of(screen.frames, [](const auto& frame) {
      return !frame.blocks.empty() && link::file_stream_of(frame.header).has_value();
    });
  });
}

}  // namespace

Laptop::Laptop(link::NodeOptions options, LaptopWatch watch) : watch_(std::move(watch)) {
  start(options);
}

Laptop::Laptop(link::Rendezvous::Options options, LaptopWatch watch)
    : rendezvous_(std::make_unique<link::Rendezvous>(options)), watch_(std::move(watch)) {}

void Laptop::start(link::NodeOptions options) {
  rendezvous_.reset();
  node_ = std::make_unique<link::Node>(options);
  const std::lock_guard lock(mutex_);
  stats_ = node_->stats();
}

void Laptop::look_again(link::Rendezvous::Options options) {
  node_.reset();
  rendezvous_ = std::make_unique<link::Rendezvous>(options);
  const std::lock_guard lock(mutex_);
  stats_.clear();
}

Painting Laptop::next_frame(Instant now) {
  return node_ ? node_->next_frame(now) : rendezvous_->next_frame(now);
}

std::function<void(Instant)> Laptop::decode(const Capture& capture) {
  Sighting sighting{capture, receiver_.receive(capture.picture, capture.captured_at)};
  if (watch_.on_decoded) {
    watch_.on_decoded(sighting);
  }
  return [this, sighting = std::move(sighting)](Instant now) { arrive(sighting, now); };
}

void Laptop::arrive(Sighting sighting, Instant now) {
  if (node_) {
    node_->on_reception(sighting.reception, now);
  } else {
    rendezvous_->on_reception(sighting.reception, now);
  }
  {
    const std::lock_guard lock(mutex_);
    if (node_) {
      stats_ = node_->stats();
    }
    has_seen_one_way_ |= shows_one_way(sighting.reception);
    last_sighting_ = std::move(sighting);
  }
  if (watch_.on_arrival) {
    watch_.on_arrival(now);
  }
}

std::vector<link::LinkStats> Laptop::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

bool Laptop::has_seen_one_way() const {
  const std::lock_guard lock(mutex_);
  return has_seen_one_way_;
}

Sighting Laptop::last_sighting() const {
  const std::lock_guard lock(mutex_);
  return last_sighting_;
}

}  // namespace wccl::session
