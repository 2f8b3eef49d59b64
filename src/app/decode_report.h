#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "phy/receiver.h"

namespace wccl::app {

/// What the captures of a decoding were like; from it, what would help.
struct CaptureTally {
  int captures = 0;
  int unreadable = 0;  ///< Pictures that could not be opened; they count as captures.
  int located = 0;     ///< With at least one screen.
  int with_data = 0;   ///< That added at least one block.
  int blocks_ok = 0;
  int blocks_bad = 0;

  // Of one screen a capture, over those located:
  std::vector<double> cell_px;      ///< Side of a cell in camera pixels.
  std::vector<double> snr_db;       ///< Of the best channel.
  std::vector<double> bright;       ///< Luma of bright cells.
  std::vector<double> dark;         ///< Luma of dark cells.
  std::vector<double> width_share;  ///< Of the picture.

  void add(const phy::CaptureReception& reception);
};

struct DecodeOutcome {
  std::optional<std::string> file;  ///< Set when the file is whole and its hash held.
  std::string renamed;              ///< transfer::describe_renamed().
  std::size_t bytes = 0;
  std::string sha256;
  std::string mode;  ///< Empty when no frame was read.
  double share = 0;  ///< Of the symbols that are needed, those that are there.
  int objects_corrupt = 0;
  CaptureTally tally;
  double fps = 30;
  double cpu_s = 0;
};

/// File bytes in bits over the time that the captures used took; 0 when incomplete.
[[nodiscard]] double goodput_bps(const DecodeOutcome& outcome);
[[nodiscard]] nlohmann::ordered_json to_json(const DecodeOutcome& outcome);

/// Why a file is not whole and what would help, the likeliest first; never empty.
[[nodiscard]] std::vector<std::string> advice(const DecodeOutcome& outcome);

}  // namespace wccl::app
