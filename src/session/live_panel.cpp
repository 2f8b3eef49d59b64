#include "session/live_panel.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace wccl::session {
namespace {

/// How often a panel whose source is silent looks whether it should end.
constexpr Duration kPatience = std::chrono::milliseconds(200);

/// A source that has been silent for so long shows nothing any more: its display is gone.
constexpr Duration kGone = std::chrono::seconds(2);

/// The back of a hand a few centimetres before a panel: dark, as only the room lights it.
std::shared_ptr<const RgbImage> make_hand(int width_px, int height_px) {
  constexpr std::uint8_t kRgb[] = {62, 46, 38};
  RgbImage hand(width_px, height_px);
  for (std::size_t i = 0; i < hand.pixels.size(); ++i) {
    hand.pixels[i] = kRgb[i % 3];
  }
  return std::make_shared<const RgbImage>(std::move(hand));
}

bool same(const PlaneView& a, const PlaneView& b) {
  if (a.width != b.width || a.height != b.height) {
    return false;
  }
  for (int y = 0; y < a.height; ++y) {
    if (std::memcmp(a.row(y), b.row(y), static_cast<std::size_t>(a.width)) != 0) {
      return false;
    }
  }
  return true;
}

bool same(const YuvView& a, const YuvView& b) {
  return same(a.y, b.y) && same(a.cb, b.cb) && same(a.cr, b.cr);
}

}  // namespace

LivePanel::LivePanel(device::Camera& source,
                     const room::PanelSpec& panel,
                     const device::SteadyTime& time,
                     Duration memory)
    : source_(source),
      width_px_(panel.width_px),
      height_px_(panel.height_px),
      time_(time),
      memory_(memory),
      hand_(make_hand(panel.width_px, panel.height_px)),
      thread_([this] { watch(); }) {}

LivePanel::~LivePanel() {
  stopping_ = true;
  thread_.join();
}

void LivePanel::watch() {
  Instant last_grab = time_.now();
  while (!stopping_) {
    auto capture = source_.next(kPatience);
    if (!capture) {
      set_picture(nullptr);
      const std::lock_guard lock(mutex_);
      ended_ = capture.error();
      return;
    }
    if (*capture) {
      last_grab = time_.now();
      take(std::move(**capture));
    } else if (time_.now() - last_grab > kGone && last_.owner) {
      last_ = {};
      set_picture(nullptr);
    }
  }
}

void LivePanel::take(Capture capture) {
  {
    const std::lock_guard lock(mutex_);
    ++counts_.grabs;
  }
  const bool fits = capture.picture.y.width == width_px_ && capture.picture.y.height == height_px_;
  if (!fits || (last_.owner && same(capture.picture, last_.picture))) {
    return;
  }
  last_ = std::move(capture);
  set_picture(std::make_shared<const RgbImage>(to_rgb(last_.picture)));
}

void LivePanel::set_picture(std::shared_ptr<const RgbImage> picture) {
  const std::lock_guard lock(mutex_);
  ++counts_.changes;
  picture_ = std::move(picture);
  if (!covered_) {
    show(picture_);
  }
}

void LivePanel::show(std::shared_ptr<const RgbImage> frame) {
  const Instant now = time_.now();
  history_.push_back({now, std::move(frame)});
  // The last change before the memory's reach is what was shown when it begins.
  const auto first_young =
      std::find_if(history_.begin(), history_.end(),
                   [&](const room::PanelChange& change) { return change.at > now - memory_; });
  if (first_young - history_.begin() >= 2) {
    history_.erase(history_.begin(), first_young - 1);
  }
}

void LivePanel::cover(bool on) {
  const std::lock_guard lock(mutex_);
  if (covered_ != on) {
    covered_ = on;
    show(on ? hand_ : picture_);
  }
}

bool LivePanel::covered() const {
  const std::lock_guard lock(mutex_);
  return covered_;
}

room::PanelHistory LivePanel::history() const {
  const std::lock_guard lock(mutex_);
  return history_;
}

LivePanelCounts LivePanel::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::optional<Error> LivePanel::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

}  // namespace wccl::session
