#include "phy/screen_track.h"

#include <algorithm>
#include <cmath>

#include "phy/cell_levels.h"

namespace wccl::phy {
namespace {

constexpr int kAcquireRounds = 5;
constexpr double kSettledPx = 0.06;  // The geometry is as good as it gets.
// A shift of more than this is no noise of the fit: somebody holds the camera.
constexpr double kMovedPx = 0.3;
constexpr double kMovedCells = 0.07;
constexpr int kMotionRounds = 2;
constexpr double kTrackShare =
    0.5;  // Of a measured shift that is taken in: steady screens get quiet.
constexpr int kSureWithoutHeader = 3;  // Captures: then the sequence could have gone round.

ModuleMap module_map(const ScreenGeometry& geometry) {
  const double module = module_px(geometry.panel());
  return [&geometry, module](Point p) { return geometry.map({p.x * module, p.y * module}); };
}

HeaderReading read_headers_at(const YuvView& capture, const ScreenGeometry& geometry) {
  const PanelSize panel = geometry.panel();
  const double module = module_px(panel);
  return read_headers(capture.y, module_map(geometry),
                      {panel.width_px / module, panel.height_px / module}, header_grid(panel));
}

/// Whether all rows have the pilots of one mode, as far as the headers above and below tell.
bool shows_one_mode(const HeaderReading& headers, bool as_before) {
  const auto& [above, below] = headers.strips;
  if (above && below) {
    return above->mode == below->mode;
  }
  return as_before;
}

}  // namespace

void ScreenTrack::begin(Stage stage) const {
  if (options_.observer && options_.observer->on_stage) {
    options_.observer->on_stage(stage);
  }
}

/// Equalisers take some ten captures to learn: modes with the same cells share them.
std::shared_ptr<Equalizers> ScreenTrack::equalizers_for(const Layout& layout) {
  const Mode& mode = layout.mode();
  auto& equalizers = equalizers_[{mode.cell_px, mode.colouring, mode.bits_per_level}];
  if (!equalizers) {
    equalizers = std::make_shared<Equalizers>(make_equalizers(layout, options_.techniques));
  }
  learn_fast(*equalizers);
  return equalizers;
}

void ScreenTrack::adopt(const FrameHeader& header) {
  if (header.panel != header_.panel) {
    equalizers_.clear();
  }
  const bool same_kind = layout_ != nullptr && header.panel == header_.panel &&
                         header.mode == header_.mode && header.node == header_.node;
  const bool same_session = same_kind && header.epoch == header_.epoch;
  header_ = header;
  if (!same_kind) {
    layout_ = std::make_shared<const Layout>(header.panel, header.mode);
    reader_.emplace(layout_, header.node, options_, equalizers_for(*layout_));
  } else if (!same_session) {
    reader_->restart(header.node);
  }
}

bool ScreenTrack::relocate(const YuvView& capture, const DetectedScreen& screen) {
  const FrameHeader& header = *screen.headers.any();
  const double k = estimate_lens_k(capture.y, header, screen.finders, screen.lens_k);
  const auto geometry = ScreenGeometry::from_finders(
      header.panel, screen.finders, Lens::of(capture.y.width, capture.y.height, k));
  if (!geometry) {
    return false;
  }
  adopt(header);
  geometry_ = *geometry;
  captures_missed_ = 0;
  register_pilots(capture);
  return true;
}

void ScreenTrack::register_pilots(const YuvView& capture) {
  for (int round = 0; round < kAcquireRounds; ++round) {
    sampler_.sample_luma(capture, *layout_, geometry_, samples_);
    fit_ = fit_pilots(*layout_, samples_, geometry_);
    geometry_ = corrected(geometry_, fit_, 1.0);
    if (fit_.rms_px < kSettledPx) {
      break;
    }
  }
}

/// Samples the screen where it is now: one that moved since the capture before is sampled again.
void ScreenTrack::follow_motion(const YuvView& capture) {
  const PanelSize panel = layout_->panel();
  const double cell_px =
      layout_->mode().cell_px * geometry_.scale({0.5 * panel.width_px, 0.5 * panel.height_px});
  const double moved_px = std::max(kMovedPx, kMovedCells * cell_px);
  for (int round = 0;; ++round) {
    sampler_.sample_luma(capture, *layout_, geometry_, samples_);
    fit_ = fit_pilots(*layout_, samples_, geometry_);
    if (round == kMotionRounds || !fit_.locked || fit_.rms_px < moved_px) {
      break;
    }
    geometry_ = corrected(geometry_, fit_, 1.0);
  }
  sampler_.sample_chroma(capture, samples_);
}

std::optional<ScreenReception> ScreenTrack::receive(const YuvView& capture) {
  begin(Stage::kLocate);
  const HeaderReading headers = read_headers_at(capture, geometry_);
  bool teaches = true;
  if (headers.any() != nullptr) {
    if (!is_same_screen(*headers.any())) {
      ++captures_missed_;  // Another screen in the same place: it has to be found afresh.
      return std::nullopt;
    }
    const ModeId mode_before = header_.mode;
    adopt(*headers.any());
    teaches = shows_one_mode(headers, header_.mode == mode_before);
    // Other pilots see other errors of the place: those of large cells are few and leave more.
    if (header_.mode != mode_before) {
      register_pilots(capture);
    }
    captures_since_header_ = 0;
  } else {
    ++captures_since_header_;
  }
  begin(Stage::kSample);
  follow_motion(capture);
  if (headers.any() == nullptr && !fit_.locked) {
    ++captures_missed_;
    return std::nullopt;
  }
  captures_missed_ = 0;
  ScreenReception reception;
  for (const auto& header : headers.strips) {
    if (header && header->node == header_.node && header->mode == header_.mode &&
        header->epoch == header_.epoch) {
      reader_->add_header(*header);
    }
  }
  std::optional<FramePhases> phases;
  if (captures_since_header_ <= kSureWithoutHeader) {
    phases = FramePhases::read(capture.y, geometry_);
    resolve_phases(*phases, headers);
    reception.shares = phases->shares();
  }
  FrameAssembler::Result result = reader_->read(samples_, phases ? &*phases : nullptr, teaches);
  begin(Stage::kLocate);
  reception.frames = std::move(result.frames);
  reception.blocks_bad = result.blocks_bad;
  describe(capture, reception);
  geometry_ = corrected(geometry_, fit_, kTrackShare);
  return reception;
}

/// A laptop that gets its number keeps its epoch, one that begins anew its number.
bool ScreenTrack::is_same_screen(const FrameHeader& header) const {
  return header.panel == header_.panel &&
         (header.node == header_.node || header.epoch == header_.epoch);
}

void ScreenTrack::resolve_phases(FramePhases& phases, const HeaderReading& headers) const {
  if (headers.any() != nullptr) {
    phases.resolve(headers.any()->sequence, 2.0F);
  } else {
    // Since the newest header time can only have gone on.
    phases.resolve(header_.sequence, 0.5F);
  }
}

void ScreenTrack::describe(const YuvView& capture, ScreenReception& reception) const {
  const double width = header_.panel.width_px;
  const double height = header_.panel.height_px;
  reception.node = header_.node;
  reception.epoch = header_.epoch;
  reception.corners = {geometry_.map({0, 0}), geometry_.map({width, 0}),
                       geometry_.map({width, height}), geometry_.map({0, height})};
  const auto side = [&](std::size_t a, std::size_t b) {
    return std::hypot(reception.corners[a].x - reception.corners[b].x,
                      reception.corners[a].y - reception.corners[b].y);
  };
  reception.width_share = 0.5 * (side(0, 1) + side(3, 2)) / capture.y.width;
  ScreenQuality& quality = reception.quality;
  for (int channel = 0; channel < layout_->channels(); ++channel) {
    quality.snr_db[static_cast<std::size_t>(channel)] = reader_->snr_db(channel);
  }
  quality.cell_px = geometry_.scale({0.5 * width, 0.5 * height}) * layout_->mode().cell_px;
  quality.residual_px = fit_.rms_px;
  quality.levels = measure_cell_levels(capture, *layout_, geometry_);
}

bool ScreenTrack::covers(Point point) const {
  const double width = header_.panel.width_px;
  const double height = header_.panel.height_px;
  const std::array<Point, 4> corners{geometry_.map({0, 0}), geometry_.map({width, 0}),
                                     geometry_.map({width, height}), geometry_.map({0, height})};
  for (std::size_t i = 0; i < 4; ++i) {
    const Point& a = corners[i];
    const Point& b = corners[(i + 1) % 4];
    if ((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x) < 0) {
      return false;
    }
  }
  return true;
}

}  // namespace wccl::phy
