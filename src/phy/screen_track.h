#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "phy/cell_sampler.h"
#include "phy/equalizers.h"
#include "phy/layout.h"
#include "phy/payload_reader.h"
#include "phy/receiver.h"
#include "phy/registration.h"
#include "phy/screen_detector.h"
#include "phy/screen_geometry.h"
#include "phy/sync_columns.h"

namespace wccl::phy {

/// One screen, followed from capture to capture: its place, its colours, its half-read frames.
class ScreenTrack {
 public:
  /// Nothing to follow yet: `relocate` says where.
  explicit ScreenTrack(const ReceiverOptions& options) : options_(options) {}

  /// Reads a capture in which the screen should be where it was.
  /// @return nothing when it is not there.
  [[nodiscard]] std::optional<ScreenReception> receive(const YuvView& capture);
  /// Takes a new place; frames and, if nothing changed in kind, colours stay.
  /// @return false if no projection shows the finders there: then nothing changes.
  [[nodiscard]] bool relocate(const YuvView& capture, const DetectedScreen& screen);

  [[nodiscard]] std::uint8_t node() const { return header_.node; }
  [[nodiscard]] std::uint16_t epoch() const { return header_.epoch; }
  [[nodiscard]] double lens_k() const { return geometry_.lens().k; }
  /// Whether a point of the capture lies on this screen.
  [[nodiscard]] bool covers(Point point) const;
  [[nodiscard]] int captures_missed() const { return captures_missed_; }
  /// A capture went by in which the screen was not looked for.
  void skip() { ++captures_missed_; }

 private:
  void begin(Stage stage) const;
  void adopt(const FrameHeader& header);
  [[nodiscard]] std::shared_ptr<Equalizers> equalizers_for(const Layout& layout);
  [[nodiscard]] bool is_same_screen(const FrameHeader& header) const;
  void register_pilots(const YuvView& capture);
  void follow_motion(const YuvView& capture);
  void resolve_phases(FramePhases& phases, const HeaderReading& headers) const;
  void describe(const YuvView& capture, ScreenReception& reception) const;

  ReceiverOptions options_;
  FrameHeader header_;  ///< Newest that was read.
  ScreenGeometry geometry_;
  std::shared_ptr<const Layout> layout_;
  /// By size, colouring and bits of a level of the cells.
  std::map<std::tuple<int, Colouring, int>, std::shared_ptr<Equalizers>> equalizers_;
  std::optional<PayloadReader> reader_;
  CellSampler sampler_;
  CellSamples samples_;
  PilotFit fit_;
  int captures_missed_ = 0;
  int captures_since_header_ = 0;
};

}  // namespace wccl::phy
