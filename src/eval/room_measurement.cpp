#include "eval/room_measurement.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "eval/quality_sums.h"
#include "eval/sender.h"
#include "eval/shown_cells.h"
#include "eval/soft_meter.h"
#include "eval/stage_clock.h"
#include "room/camera.h"
#include "room/ticker.h"

namespace wccl::eval {
namespace {

constexpr std::uint64_t kClockStream = 0x6576616C;
constexpr double kLingerS = 0.15;  // After a frame left the screen nothing new comes of it.

/// Counts what came of the frames that began in the window.
class RoomMeasurement {
 public:
  RoomMeasurement(const Point& point, const room::Scene& scene);

  Result<Figures> run(const std::function<bool()>& is_cancelled);

 private:
  [[nodiscard]] std::shared_ptr<const phy::ReceiverObserver> make_observer();
  [[nodiscard]] Instant begin_of(std::int64_t frame) const { return panel_.at(frame * hold_); }
  [[nodiscard]] Instant next_capture(int n);
  void capture(Instant at);
  void take(const phy::CaptureReception& reception, Instant at);
  void take(const phy::FrameReception& received, Instant at);
  void close_frames(Instant now);
  [[nodiscard]] bool is_counted(std::int64_t frame) const {
    return frame >= first_frame_ && frame < end_frame_;
  }
  [[nodiscard]] Figures finish();

  const Point& point_;
  const room::Scene& scene_;
  const room::CameraSpec& camera_spec_;
  const phy::Mode& mode_;
  std::int64_t hold_;
  std::shared_ptr<const phy::Layout> layout_;
  Sender sender_;
  room::Camera camera_;
  room::Ticker panel_;
  room::Ticker shutter_;
  Rng jitter_;
  SoftMeter meter_;
  StageClock stages_;
  phy::Receiver receiver_;
  QualitySums quality_;
  Figures figures_;
  std::int64_t first_frame_ = 0;  ///< Of those that are counted,
  std::int64_t end_frame_ = 0;    ///< and the one after the last.
  std::int64_t next_to_close_ = 0;
  std::vector<bool> is_read_;               ///< Of each counted frame: its header.
  std::vector<std::array<int, 3>> n_good_;  ///< Blocks of each counted frame and channel.
};

RoomMeasurement::RoomMeasurement(const Point& point, const room::Scene& scene)
    : point_(point),
      scene_(scene),
      camera_spec_(scene.nodes[1].camera),
      mode_(*phy::find_mode(point.mode)),
      hold_(point.hold),
      layout_(std::make_shared<const phy::Layout>(
          phy::PanelSize{scene.nodes[0].panel.width_px, scene.nodes[0].panel.height_px},
          point.mode)),
      sender_(layout_, point.seed),
      camera_(scene, 1, point.seed),
      panel_(scene.nodes[0].panel.refresh_hz,
             scene.nodes[0].panel.clock_ppm,
             Rng(point.seed).split(kClockStream).split(0)),
      shutter_(
          camera_spec_.fps, camera_spec_.clock_ppm, Rng(point.seed).split(kClockStream).split(1)),
      jitter_(Rng(point.seed).split(kClockStream).split(2)),
      meter_(layout_),
      receiver_(phy::ReceiverOptions{.techniques = *techniques_without(point.without),
                                     .observer = make_observer()}) {
  if (point.phase) {
    const double frame_s = point.hold / scene.nodes[0].panel.refresh_hz;
    panel_.set_phase(0);
    shutter_.set_phase(*point.phase * frame_s * camera_spec_.fps);
  }
  const double window_s = point.captures / camera_spec_.fps;
  const double frame_s = point.hold / scene.nodes[0].panel.refresh_hz;
  while (to_seconds(begin_of(first_frame_)) < kSettleS) {
    ++first_frame_;
  }
  end_frame_ = first_frame_ + std::max<std::int64_t>(std::llround(window_s / frame_s), 1);
  const auto n_frames = static_cast<std::size_t>(end_frame_ - first_frame_);
  is_read_.resize(n_frames);
  n_good_.resize(n_frames);
  figures_.frames = static_cast<int>(n_frames);
  figures_.channels = channels_of(mode_);
  figures_.wrong_bytes = 0;
}

std::shared_ptr<const phy::ReceiverObserver> RoomMeasurement::make_observer() {
  auto observer = std::make_shared<phy::ReceiverObserver>();
  observer->on_stage = [this](phy::Stage stage) { stages_.enter(stage); };
  observer->on_row = [this](const phy::SoftRow& row) {
    if (row.node == Sender::kNode) {
      meter_.note(row);
    }
  };
  observer->on_reset = [this](std::uint8_t node, std::uint16_t sequence, phy::Layer layer) {
    if (node == Sender::kNode) {
      meter_.note_reset(sequence, layer);
    }
  };
  return observer;
}

Instant RoomMeasurement::next_capture(int n) {
  const Duration off = from_seconds(1e-3 * camera_spec_.jitter_ms * jitter_.normal());
  const Duration most = from_seconds(0.25 / camera_spec_.fps);
  return std::max(shutter_.at(n) + std::clamp(off, -most, most), Instant{});
}

Result<Figures> RoomMeasurement::run(const std::function<bool()>& is_cancelled) {
  const Instant end = begin_of(end_frame_) + from_seconds(kLingerS);
  for (int n = 0;; ++n) {
    if (is_cancelled && is_cancelled()) {
      return fail(ErrorCode::kCancelled, "interrupted");
    }
    const Instant at = next_capture(n);
    if (at >= end) {
      break;
    }
    capture(at);
  }
  close_frames(Instant::max());
  return finish();
}

void RoomMeasurement::capture(Instant at) {
  const Instant from = at - camera_.history();
  const Instant to = at + from_seconds(1e-3 * camera_spec_.readout_ms);
  std::vector<room::PanelHistory> panels(scene_.nodes.size());
  const std::int64_t first = std::max<std::int64_t>(panel_.last_before(from), 0) / hold_;
  for (std::int64_t frame = first; begin_of(frame) <= to; ++frame) {
    panels[0].push_back({begin_of(frame), sender_.frame(frame).picture});
  }
  const YuvImage picture = camera_.capture(panels, at);
  const bool is_counted = at >= begin_of(first_frame_) && at < begin_of(end_frame_);
  if (!is_counted) {
    stages_.clear();  // Neither the cold start nor the end is what a capture costs.
  }
  stages_.start();
  const phy::CaptureReception reception = receiver_.receive(picture.view(), at);
  stages_.stop();
  if (is_counted) {
    ++figures_.captures;
    figures_.cpu_ms = stages_.mean(figures_.captures);
  }
  meter_.digest();
  take(reception, at);
  if (is_counted) {
    for (const auto& screen : reception.screens) {
      if (screen.node == Sender::kNode) {
        quality_.add(screen);
      }
    }
  }
  close_frames(at);
}

void RoomMeasurement::take(const phy::CaptureReception& reception, Instant at) {
  for (const auto& screen : reception.screens) {
    for (const auto& received : screen.frames) {
      take(received, at);
    }
  }
}

/// Compares each byte with what was sent; from a screen or frame that never was all are wrong.
void RoomMeasurement::take(const phy::FrameReception& received, Instant at) {
  // Fewer than 2^16 frames are shown, so a sequence names one of them.
  const std::int64_t number = received.header.sequence;
  const bool was_shown =
      received.header.node == Sender::kNode && begin_of(number) <= at + from_seconds(1);
  if (was_shown && is_counted(number)) {
    is_read_[static_cast<std::size_t>(number - first_frame_)] = true;
  }
  for (const phy::ReceivedBlock& block : received.blocks) {
    const auto slot = static_cast<std::size_t>(block.index);
    std::int64_t wrong = static_cast<std::int64_t>(block.payload.size());
    if (was_shown && slot < sender_.slots().size()) {
      const auto& sent = sender_.frame(number).payloads[slot];
      wrong = 0;
      for (std::size_t i = 0; i < block.payload.size(); ++i) {
        wrong += i >= sent.size() || block.payload[i] != sent[i] ? 1 : 0;
      }
    }
    *figures_.wrong_bytes += wrong;
    if (wrong != 0) {
      continue;
    }
    if (!figures_.first_block_s) {
      figures_.first_block_s = to_seconds(at);
    }
    if (is_counted(number)) {
      const auto channel = static_cast<std::size_t>(sender_.slots()[slot].layer.channel);
      ++n_good_[static_cast<std::size_t>(number - first_frame_)][channel];
    }
  }
}

void RoomMeasurement::close_frames(Instant now) {
  while (next_to_close_ < end_frame_ &&
         (now == Instant::max() || begin_of(next_to_close_ + 1) + from_seconds(kLingerS) < now)) {
    const std::int64_t number = next_to_close_++;
    const auto sequence = static_cast<std::uint16_t>(number);
    if (!is_counted(number)) {
      meter_.forget(sequence);
      continue;
    }
    if (!meter_.has_seen(sequence)) {
      meter_.close_unseen();
      continue;
    }
    std::array<bool, 3> complete{};
    for (int channel = 0; channel < layout_->channels(); ++channel) {
      const auto c = static_cast<std::size_t>(channel);
      const auto n =
          static_cast<std::size_t>(n_good_[static_cast<std::size_t>(number - first_frame_)][c]);
      complete[c] = n == layout_->channel_blocks(channel);
    }
    meter_.close(sequence, read_cells(*sender_.frame(number).picture, *layout_), complete);
  }
  // Blocks of a closed frame can still come, but make no difference to what is counted.
  sender_.forget_before(next_to_close_ - 4);
}

Figures RoomMeasurement::finish() {
  quality_.fill(figures_);
  meter_.fill(figures_);
  figures_.mi_per_camera_px = mi_per_camera_px(figures_);
  double good_bits = 0;
  for (std::size_t channel = 0; channel < figures_.channels.size(); ++channel) {
    ChannelFigures& out = figures_.channels[channel];
    const auto per_frame = static_cast<int>(layout_->channel_blocks(static_cast<int>(channel)));
    out.blocks = per_frame * figures_.frames;
    for (const auto& good : n_good_) {
      out.blocks_ok += good[channel];
    }
    good_bits += 8.0 * static_cast<double>(phy::kBlockPayloadBytes) * out.blocks_ok;
  }
  figures_.frames_read = static_cast<int>(std::count(is_read_.begin(), is_read_.end(), true));
  const double air_s = to_seconds(begin_of(end_frame_) - begin_of(first_frame_));
  figures_.goodput_bps = good_bits / air_s;
  figures_.could_carry_bps =
      figures_.mi_per_cell() * static_cast<double>(layout_->data_cells()) * figures_.frames / air_s;
  figures_.limit = what_limits(figures_, mode_);
  return std::move(figures_);
}

}  // namespace

Result<Figures> measure_in_room(const Point& point, const std::function<bool()>& is_cancelled) {
  const auto scene = scene_of(point);
  if (!scene) {
    return tl::make_unexpected(scene.error());
  }
  RoomMeasurement measurement(point, *scene);
  return measurement.run(is_cancelled);
}

}  // namespace wccl::eval
