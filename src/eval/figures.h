#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "eval/point.h"

namespace wccl::eval {

// docs/measurement.md defines each figure.

inline constexpr int kTilesAcross = 16;
inline constexpr int kTilesDown = 10;
inline constexpr int kHistogramBins = 48;  ///< From -kHistogramEnd to kHistogramEnd.
inline constexpr double kHistogramEnd = 2.5;

struct ChannelFigures {
  std::string name;  ///< luma; or red, green, blue.
  double symbol_error_rate = 0;
  double mutual_information = 0;  ///< Bits for each data cell on air.
  double snr_db = 0;
  int blocks = 0;  ///< On air while frames were counted; in recordings, of frames that were read.
  int blocks_ok = 0;
  std::vector<double> tiles;  ///< [kTilesDown][kTilesAcross] symbol error rate; -1 without cells.
  /// [level][bin] how often the equaliser said what, for cells that showed the level.
  std::vector<std::vector<int>> histogram;

  [[nodiscard]] double block_error_rate() const {
    return blocks > 0 ? 1 - static_cast<double>(blocks_ok) / blocks : 0;
  }
};

/// One cell: what the equaliser said in each channel, and which level was shown there.
struct ConstellationPoint {
  std::array<float, 3> estimate{};
  std::array<std::uint8_t, 3> level{};
};

/// CPU time of the receiver for one capture in ms: the machine's, not the seed's.
struct CpuFigures {
  double total = 0;
  double locate = 0;
  double sample = 0;
  double equalize = 0;
  double decode = 0;
};

struct Figures {
  int captures = 0;
  int located = 0;  ///< Captures in which the screen was found.
  int frames = 0;   ///< On air; in recordings, of which the header was read.
  int frames_read = 0;
  std::vector<ChannelFigures> channels;
  double goodput_bps = 0;
  double could_carry_bps = 0;
  bool has_soft_bits = true;  ///< Else symbol errors, information and what follows are unknown.
  std::optional<std::int64_t> wrong_bytes;  ///< Unknown in recordings and on desks.
  double mi_per_camera_px = 0;
  double cell_px = 0;      ///< In camera pixels.
  double width_share = 0;  ///< Of the screen in the picture.
  double mixed_share = 0;  ///< Of the cells that never showed 80% of their frame's light.
  double dark = 0;         ///< Mean luma of dark and of bright cells, 0 to 255.
  double bright = 0;
  std::optional<double> first_block_s;  ///< From the cold start.
  std::string limit;                    ///< What kept it from being faster.
  std::vector<ConstellationPoint> constellation;
  CpuFigures cpu_ms;

  [[nodiscard]] int blocks() const;
  [[nodiscard]] int blocks_ok() const;
  [[nodiscard]] double block_error_rate() const;
  [[nodiscard]] double mi_per_cell() const;  ///< All channels together.
};

/// What one point gave.
struct PointResult {
  Point point;
  Figures figures;
};

/// Says in a few words what to look at first.
[[nodiscard]] std::string what_limits(const Figures& figures, const phy::Mode& mode);

}  // namespace wccl::eval
