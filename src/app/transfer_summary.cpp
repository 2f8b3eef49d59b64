#include "app/transfer_summary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/units.h"

namespace wccl::app {
namespace {

double bits_per_second(std::uint64_t bytes, Duration duration) {
  return duration > Duration::zero() ? 8 * static_cast<double>(bytes) / to_seconds(duration) : 0;
}

}  // namespace

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
          {"repeated_share", summary.repeated_share}};
}

std::string to_text(const TransferSummary& summary) {
  if (summary.bytes_came == 0) {
    return fmt::format("{}: all of it was there already", summary.what);
  }
  return fmt::format("{} in {:.1f} s: {}, {} from the cold start on; first byte after {:.1f} s",
                     summary.what, to_seconds(summary.end), bit_rate(goodput_bps(summary)),
                     bit_rate(goodput_from_start_bps(summary)), to_seconds(summary.first_byte));
}

}  // namespace wccl::app
