#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/clock.h"

namespace wccl::app {

/// What every transfer of files came to, two-way or one-way (docs/cli.md defines the figures).
struct TransferFigures {
  std::string what;  ///< "photo.jpg (1.00 MB)", "3 files (4.20 MB)".
  std::size_t files = 0;
  std::uint64_t bytes = 0;       ///< Of all files.
  std::uint64_t bytes_came = 0;  ///< By light; the rest was there before.
  int receivers = 1;             ///< The slowest one counts below.
  Duration first_byte{};         ///< Since the cold start, as all times.
  Duration last_byte{};          ///< The last content that was needed.
  Duration end{};                ///< All verified and in place.
  std::string mode;              ///< Of the sender's last frames.
  /// From when on the text counts: there need not be anybody to receive from at the cold start.
  Duration start{};
  std::string renamed;           ///< transfer::describe_renamed(): of what was received.
  std::filesystem::path folder;  ///< Where that is, unless it was thrown away.
};

/// Verified content bits over the time from the first to the last byte.
[[nodiscard]] double goodput_bps(const TransferFigures& figures);
/// The same over all of the time from the cold start.
[[nodiscard]] double goodput_from_start_bps(const TransferFigures& figures);

/// "photo.jpg (1.00 MB) in 1.6 s: 5.00 Mbit/s", from start to end, and a line each for what else is
/// to be known.
[[nodiscard]] std::string to_text(const TransferFigures& figures);
[[nodiscard]] nlohmann::ordered_json to_json(const TransferFigures& figures);
/// Either, to stdout.
void print_summary(const TransferFigures& figures, bool json);
/// The same, for those that have more to say as JSON: null prints the text.
void print_figures(const TransferFigures& figures, const nlohmann::ordered_json* json);

}  // namespace wccl::app
