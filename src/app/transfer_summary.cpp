#include "app/transfer_summary.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/print.h"
#include "app/stages_json.h"
#include "app/units.h"
#include "phy/mode.h"

namespace wccl::app {
namespace {

double bits_per_second(std::uint64_t bytes, Duration duration) {
  return duration > Duration::zero() ? 8 * static_cast<double>(bytes) / to_seconds(duration) : 0;
}

}  // namespace

void note_link(TransferSummary& summary, const link::Node& node, Instant now) {
  const auto rate = node.rate(now);
  summary.mode = phy::find_mode(rate.mode)->name;
  summary.hold = rate.hold;
  const link::SentBytes sent = node.sent_bytes();
  const auto all =
      static_cast<double>(std::max<std::uint64_t>(sent.fresh + sent.again + sent.repeated, 1));
  summary.resent_share = static_cast<double>(sent.again) / all;
  summary.repeated_share = static_cast<double>(sent.repeated) / all;
}

double goodput_bps(const TransferSummary& summary) {
  return bits_per_second(summary.bytes_came, summary.last_byte - summary.first_byte);
}

double goodput_from_start_bps(const TransferSummary& summary) {
  return bits_per_second(summary.bytes_came, summary.end);
}

nlohmann::ordered_json to_json(const TransferSummary& summary) {
  return {{"files", summary.files},
          {"bytes", summary.bytes},
          {"bytes_by_light", summary.bytes_came},
          {"receivers", summary.receivers},
          {"goodput_bps", goodput_bps(summary)},
          {"goodput_from_start_bps", goodput_from_start_bps(summary)},
          {"calibrated_s", to_seconds(summary.calibrated)},
          {"first_byte_s", to_seconds(summary.first_byte)},
          {"last_byte_s", to_seconds(summary.last_byte)},
          {"total_s", to_seconds(summary.end)},
          {"mode", summary.mode},
          {"hold", summary.hold},
          {"resent_share", summary.resent_share},
          {"repeated_share", summary.repeated_share},
          {"stages", to_json(std::span(summary.stages))},
          {"captures_dropped", summary.captures_dropped}};
}

std::string to_text(const TransferSummary& summary) {
  if (summary.bytes == 0) {
    return fmt::format("{}: done", summary.what);
  }
  if (summary.bytes_came == 0) {
    return fmt::format("{}: all of it was there already", summary.what);
  }
  return fmt::format("{} in {:.1f} s: {}, {} from the cold start on; first byte after {:.1f} s",
                     summary.what, to_seconds(summary.end), bit_rate(goodput_bps(summary)),
                     bit_rate(goodput_from_start_bps(summary)), to_seconds(summary.first_byte));
}

void print_summary(const TransferSummary& summary, bool json) {
  if (json) {
    app::print("{}\n", to_json(summary).dump(2, ' ', false,
                                             nlohmann::ordered_json::error_handler_t::replace));
  } else {
    app::print("{}\n", to_text(summary));
  }
}

}  // namespace wccl::app
