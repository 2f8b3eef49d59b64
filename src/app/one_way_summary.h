#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/clock.h"
#include "transfer/one_way_receiver.h"

namespace wccl::app {

/// What receiving from a one-way sender came to (docs/cli.md defines the figures).
struct OneWaySummary {
  std::string what;  ///< "photo.jpg (1.00 MB)", "3 files (4.20 MB)".
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t bytes_came = 0;  ///< By light and to this program; the rest was there before.
  int receivers = 1;             ///< The slowest one counts below.
  Duration first_byte{};         ///< Since the cold start, as all times: the first symbol came.
  Duration last_byte{};          ///< The last symbol that was needed.
  Duration end{};                ///< All verified and in place.
  std::string mode;              ///< Of the frame that had the last symbol.
};

/// Of one receiver that has all, with times on its clock.
/// @param now  All is in place.
[[nodiscard]] OneWaySummary summarize(const transfer::OneWayReceiver& receiver, Instant now);

[[nodiscard]] double goodput_bps(const OneWaySummary& summary);
[[nodiscard]] double goodput_from_start_bps(const OneWaySummary& summary);
[[nodiscard]] nlohmann::ordered_json to_json(const OneWaySummary& summary);
/// "photo.jpg (1.00 MB) in 4.2 s: 2.60 Mbit/s, ..."
[[nodiscard]] std::string to_text(const OneWaySummary& summary);
/// Either, to stdout.
void print_summary(const OneWaySummary& summary, bool json);

}  // namespace wccl::app
