#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "phy/mode.h"
#include "room/script.h"

namespace wccl::eval {

inline constexpr double kTraceStepS = 0.25;

/// Two laptops that send each other endless random messages while the room follows a script.
struct LinkRunOptions {
  room::Script script;
  std::uint64_t seed = 1;
  std::optional<phy::ModeId> mode;  ///< Of both senders; else they choose.
  std::optional<int> hold;          ///< Likewise.
  int n_threads = 2;
  std::function<bool()> is_cancelled = {};
};

/// One sender over kTraceStepS.
struct TraceRow {
  double end_s = 0;
  int sender = 0;
  phy::ModeId mode = 0;  ///< At the end, as all that follows.
  int hold = 0;
  double goodput_bps = 0;          ///< Bytes of whole messages, each compared with what was sent.
  std::array<double, 3> snr_db{};  ///< As the receiver says.
  double margin_db = 0;
  double success = 0;  ///< Share of blocks that decoded lately.
  double mixed = 0;    ///< Share of other frames in captures at hold 2.
  std::string limit;
};

struct LinkTrace {
  std::vector<TraceRow> rows;  ///< In order of time, then sender.
  std::int64_t wrong_bytes = 0;

  /// Mean goodput of both senders from `from_s` to `to_s`.
  [[nodiscard]] double goodput_bps(double from_s, double to_s) const;
};

/// @return kCancelled.
[[nodiscard]] Result<LinkTrace> run_link(const LinkRunOptions& options);

}  // namespace wccl::eval
