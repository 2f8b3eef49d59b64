#include "eval/recording_measurement.h"

#include <map>
#include <memory>
#include <optional>

#include "eval/quality_sums.h"
#include "eval/shown_cells.h"
#include "eval/soft_meter.h"
#include "eval/stage_clock.h"
#include "phy/block_codec.h"
#include "phy/transmitter.h"

namespace wccl::eval {
namespace {

constexpr int kOpenCaptures = 8;  // After these nothing new comes of a frame.

/// Captures in, figures out.
class RecordingMeasurement {
 public:
  RecordingMeasurement()
      : receiver_(phy::ReceiverOptions{.techniques = {}, .observer = make_observer()}) {}

  void take(const YuvView& capture, Instant at);
  void skip() { ++figures_.captures; }
  [[nodiscard]] int captures() const { return figures_.captures; }
  [[nodiscard]] Result<PointResult> finish(double fps);

 private:
  struct OpenFrame {
    phy::FrameHeader header;
    std::vector<phy::ReceivedBlock> blocks;
    int last_capture = 0;
  };

  [[nodiscard]] std::shared_ptr<const phy::ReceiverObserver> make_observer();
  void begin(const phy::ScreenReception& screen);
  void take(const phy::FrameReception& received);
  void close(const OpenFrame& frame);
  void close_old(int before);

  StageClock stages_;
  std::optional<phy::FrameHeader> first_;  ///< Screen and mode that count.
  std::shared_ptr<const phy::Layout> layout_;
  std::unique_ptr<SoftMeter> meter_;
  std::vector<phy::BlockSlot> slots_;
  std::map<std::uint16_t, OpenFrame> open_;
  QualitySums quality_;
  Figures figures_;
  phy::Receiver receiver_;  // last: its observer uses the others
};

std::shared_ptr<const phy::ReceiverObserver> RecordingMeasurement::make_observer() {
  auto observer = std::make_shared<phy::ReceiverObserver>();
  observer->on_stage = [this](phy::Stage stage) { stages_.enter(stage); };
  observer->on_row = [this](const phy::SoftRow& row) {
    if (meter_ && row.node == first_->node) {
      meter_->note(row);
    }
  };
  observer->on_reset = [this](std::uint8_t node, std::uint16_t sequence, phy::Layer layer) {
    if (meter_ && node == first_->node) {
      meter_->note_reset(sequence, layer);
    }
  };
  return observer;
}

void RecordingMeasurement::begin(const phy::ScreenReception& screen) {
  for (const phy::FrameReception& frame : screen.frames) {
    if (first_) {
      return;
    }
    first_ = frame.header;
    layout_ = std::make_shared<const phy::Layout>(first_->panel, first_->mode);
    meter_ = std::make_unique<SoftMeter>(layout_);
    slots_ = phy::block_slots(first_->panel, first_->mode);
    figures_.channels = channels_of(layout_->mode());
  }
}

void RecordingMeasurement::take(const YuvView& capture, Instant at) {
  stages_.start();
  const phy::CaptureReception reception = receiver_.receive(capture, at);
  stages_.stop();
  ++figures_.captures;
  for (const phy::ScreenReception& screen : reception.screens) {
    begin(screen);
    if (!first_ || screen.node != first_->node) {
      continue;
    }
    quality_.add(screen);
    for (const phy::FrameReception& frame : screen.frames) {
      take(frame);
    }
  }
  if (meter_) {
    meter_->digest();
  }
  close_old(figures_.captures - kOpenCaptures);
}

void RecordingMeasurement::take(const phy::FrameReception& received) {
  if (received.header.mode != first_->mode || !(received.header.panel == first_->panel)) {
    return;
  }
  const auto [place, is_new] = open_.try_emplace(received.header.sequence);
  OpenFrame& frame = place->second;
  frame.header = received.header;
  frame.last_capture = figures_.captures;
  frame.blocks.insert(frame.blocks.end(), received.blocks.begin(), received.blocks.end());
}

void RecordingMeasurement::close_old(int before) {
  for (auto frame = open_.begin(); frame != open_.end();) {
    if (frame->second.last_capture > before) {
      ++frame;
      continue;
    }
    close(frame->second);
    frame = open_.erase(frame);
  }
}

void RecordingMeasurement::close(const OpenFrame& frame) {
  ++figures_.frames;
  ++figures_.frames_read;
  std::array<std::size_t, 3> n_good{};
  for (const phy::ReceivedBlock& block : frame.blocks) {
    ++n_good[static_cast<std::size_t>(slots_[static_cast<std::size_t>(block.index)].layer.channel)];
  }
  std::array<bool, 3> complete{};
  for (std::size_t channel = 0; channel < figures_.channels.size(); ++channel) {
    const std::size_t n = layout_->channel_blocks(static_cast<int>(channel));
    figures_.channels[channel].blocks += static_cast<int>(n);
    figures_.channels[channel].blocks_ok += static_cast<int>(n_good[channel]);
    complete[channel] = n_good[channel] == n;
  }
  if (!frame.blocks.empty() && meter_->has_seen(frame.header.sequence)) {
    meter_->close(frame.header.sequence, cells_of_blocks(frame.header, frame.blocks, *layout_),
                  complete);
  }
  meter_->forget(frame.header.sequence);
}

Result<PointResult> RecordingMeasurement::finish(double fps) {
  if (!first_) {
    return fail(ErrorCode::kNotFound,
                "no frame could be read in the captures; `wccl decode` says what would help");
  }
  close_old(figures_.captures);
  quality_.fill(figures_);
  meter_->fill(figures_);
  figures_.mi_per_camera_px = mi_per_camera_px(figures_);
  const double air_s = figures_.captures / fps;
  figures_.goodput_bps =
      8.0 * static_cast<double>(phy::kBlockPayloadBytes) * figures_.blocks_ok() / air_s;
  figures_.could_carry_bps =
      figures_.mi_per_cell() * static_cast<double>(layout_->data_cells()) * figures_.frames / air_s;
  figures_.cpu_ms = stages_.mean(figures_.captures);
  figures_.limit = what_limits(figures_, layout_->mode());
  PointResult result;
  result.point.mode = first_->mode;
  result.point.hold = 0;
  result.point.captures = figures_.captures;
  result.figures = std::move(figures_);
  return result;
}

}  // namespace

Result<PointResult> measure_recording(device::CaptureSource& captures,
                                      const RecordingOptions& options) {
  RecordingMeasurement measurement;
  while (true) {
    const auto picture = captures.next();
    if (options.is_cancelled && options.is_cancelled()) {
      return fail(ErrorCode::kCancelled, "interrupted");
    }
    if (!picture) {
      return measurement.finish(options.fps);
    }
    if (*picture) {
      measurement.take((*picture)->view(),
                       Instant(from_seconds(measurement.captures() / options.fps)));
    } else {
      measurement.skip();
    }
    if (options.on_capture) {
      options.on_capture(measurement.captures());
    }
  }
}

}  // namespace wccl::eval
