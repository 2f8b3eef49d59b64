#include "room/screen_light.h"

#include <algorithm>

namespace wccl::room {
namespace {

double to_ms(Duration duration) {
  return 1e3 * to_seconds(duration);
}

constexpr int kPitch = ScreenProjector::kNodePitch;

}  // namespace

ScreenLight::ScreenLight(const NodeSpec& looker, const NodeSpec& shower)
    : projector_(looker.camera, looker.camera_pose, shower.panel, shower.panel_pose),
      light_(shower.panel.width_px,
             shower.panel.height_px,
             projector_.margin(),
             looker.camera.crosstalk),
      panel_(shower.panel),
      readout_ms_(looker.camera.readout_ms),
      picture_height_(looker.camera.height_px) {}

double ScreenLight::row_ms(int region_row) const {
  return readout_ms_ * (projector_.region().y + region_row) / picture_height_;
}

const ScreenLight::Frame* ScreenLight::projected(const std::shared_ptr<const RgbImage>& picture) {
  const auto known = std::find_if(frames_.begin(), frames_.end(),
                                  [&](const auto& frame) { return frame->picture == picture; });
  if (known != frames_.end()) {
    (*known)->used = true;
    return known->get();
  }
  const Region& region = projector_.region();
  auto frame =
      std::make_unique<Frame>(Frame{picture, MosaicPlane(region.width, region.height), true});
  if (picture) {  // null is black: all zero already
    light_.load(*picture);
    // White is what the panel adds to its black level, which is part of the backdrop.
    const auto nits = static_cast<float>(panel_.white_nits * (1 - 1 / panel_.contrast));
    for (int row = 0; row < region.height; ++row) {
      const std::span<float> out(frame->plane.row(row), static_cast<std::size_t>(region.width));
      projector_.project_row(light_, row, out);
      for (float& value : out) {
        value *= nits;
      }
    }
  }
  frames_.push_back(std::move(frame));
  return frames_.back().get();
}

void ScreenLight::drop_unused() {
  std::erase_if(frames_, [](const auto& frame) { return !frame->used; });
}

void ScreenLight::prepare(const PanelHistory& history, Instant captured_at, double exposure_ms) {
  if (projector_.region().width == 0) {
    return;
  }
  if (tables_.empty() || exposure_ms != exposure_ms_) {
    tables_ = {StepTable(exposure_ms, panel_.settle_rise_ms),
               StepTable(exposure_ms, panel_.settle_fall_ms)};
    exposure_ms_ = exposure_ms;
  }
  const double settled_ms = std::max(tables_[0].settled_ms(), tables_[1].settled_ms());
  const double first_ms = row_ms(0);
  const double last_ms = row_ms(projector_.region().height);

  std::shared_ptr<const RgbImage> base;
  std::vector<const PanelChange*> visible;
  for (const PanelChange& change : history) {
    const double at_ms = to_ms(change.at - captured_at);
    if (at_ms >= last_ms) {
      break;
    }
    if (first_ms - at_ms - panel_.scan_out_ms >= settled_ms) {
      base = change.frame;
      visible.clear();
    } else {
      visible.push_back(&change);
    }
  }
  for (auto& frame : frames_) {
    frame->used = false;
  }
  base_ = projected(base);
  steps_.clear();
  for (const PanelChange* change : visible) {
    steps_.push_back({to_ms(change->at - captured_at), projected(change->frame)});
  }
  drop_unused();
}

void ScreenLight::add_row(int y, std::span<float> nits) const {
  const Region& region = projector_.region();
  const int row = y - region.y;
  if (row < 0 || row >= region.height) {
    return;
  }
  const auto target =
      nits.subspan(static_cast<std::size_t>(region.x), static_cast<std::size_t>(region.width));
  const double now_ms = row_ms(row);

  // Steps that this row has seen to their end replace all before them.
  const auto rows = projector_.panel_rows(row);
  const auto [top, bottom] = std::minmax_element(rows.begin(), rows.end());
  const double settled_ms = std::max(tables_[0].settled_ms(), tables_[1].settled_ms());
  const Frame* from = base_;
  std::size_t first = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (now_ms - steps_[i].at_ms - panel_.scan_out_ms * *bottom < settled_ms) {
      break;
    }
    from = steps_[i].to;
    first = i + 1;
  }
  const float* const base = from->plane.row(row);
  for (std::size_t x = 0; x < target.size(); ++x) {
    target[x] += base[x];
  }
  for (std::size_t i = first; i < steps_.size(); ++i) {
    if (now_ms - steps_[i].at_ms - panel_.scan_out_ms * *top <= 0) {
      break;
    }
    add_step(row, now_ms, steps_[i], from->plane, target);
    from = steps_[i].to;
  }
}

/// Adds (to - from) times the share that the exposure collects of that step. Superposition is exact
/// where rise and fall are equally fast; else it is within the little that a second step changes an
/// unfinished first one.
void ScreenLight::add_step(int row,
                           double now_ms,
                           const Step& step,
                           const MosaicPlane& from_plane,
                           std::span<float> target) const {
  constexpr int kStride = 4;  // nodes: 32 pixels, along which the panel's row hardly changes
  const auto rows = projector_.panel_rows(row);
  const float* const from = from_plane.row(row);
  const float* const to = step.to->plane.row(row);
  const auto since_ms = [&](std::size_t node) {
    const float panel_row = rows[std::min(node, rows.size() - 1)];
    return static_cast<float>(now_ms - step.at_ms) -
           static_cast<float>(panel_.scan_out_ms) * panel_row;
  };
  float rise = tables_[0].at(since_ms(0));
  float fall = tables_[1].at(since_ms(0));
  const int n = static_cast<int>(target.size());
  for (int x0 = 0, node = 0; x0 < n; x0 += kStride * kPitch) {
    node += kStride;
    const float next_rise = tables_[0].at(since_ms(static_cast<std::size_t>(node)));
    const float next_fall = tables_[1].at(since_ms(static_cast<std::size_t>(node)));
    const float rise_slope = (next_rise - rise) / (kStride * kPitch);
    const float fall_slope = (next_fall - fall) / (kStride * kPitch);
    const int count = std::min(kStride * kPitch, n - x0);
    const float* const segment_from = from + x0;
    const float* const segment_to = to + x0;
    float* const out = target.data() + x0;
    for (int i = 0; i < count; ++i) {
      const float change = segment_to[i] - segment_from[i];
      const auto along = static_cast<float>(i);
      const float share = change > 0 ? rise + rise_slope * along : fall + fall_slope * along;
      out[i] += share * change;
    }
    rise = next_rise;
    fall = next_fall;
  }
}

}  // namespace wccl::room
