#include "app/one_way_summary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/print.h"
#include "app/units.h"
#include "phy/mode.h"
#include "transfer/manifest.h"

namespace wccl::app {
namespace {

double bits_per_second(std::uint64_t bytes, Duration duration) {
  return duration > Duration::zero() ? 8 * static_cast<double>(bytes) / to_seconds(duration) : 0;
}

}  // namespace

OneWaySummary summarize(const transfer::OneWayReceiver& receiver, Instant now) {
  const transfer::Manifest& manifest = receiver.manifest();
  const auto progress = receiver.progress();
  OneWaySummary summary;
  summary.what = transfer::describe(manifest);
  summary.files = manifest.n_files();
  summary.bytes = manifest.n_bytes();
  summary.bytes_came = receiver.bytes_came();
  summary.first_byte = progress.first_symbol.value_or(progress.last_symbol).time_since_epoch();
  summary.last_byte = progress.last_symbol.time_since_epoch();
  summary.end = now.time_since_epoch();
  summary.mode = progress.mode ? phy::find_mode(*progress.mode)->name : "";
  return summary;
}

double goodput_bps(const OneWaySummary& summary) {
  return bits_per_second(summary.bytes_came, summary.last_byte - summary.first_byte);
}

double goodput_from_start_bps(const OneWaySummary& summary) {
  return bits_per_second(summary.bytes_came, summary.end);
}

nlohmann::ordered_json to_json(const OneWaySummary& summary) {
  return {{"files", summary.files},
          {"bytes", summary.bytes},
          {"bytes_by_light", summary.bytes_came},
          {"receivers", summary.receivers},
          {"goodput_bps", goodput_bps(summary)},
          {"goodput_from_start_bps", goodput_from_start_bps(summary)},
          {"first_byte_s", to_seconds(summary.first_byte)},
          {"last_byte_s", to_seconds(summary.last_byte)},
          {"total_s", to_seconds(summary.end)},
          {"mode", summary.mode}};
}

std::string to_text(const OneWaySummary& summary) {
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

void print_summary(const OneWaySummary& summary, bool json) {
  if (json) {
    app::print("{}\n", to_json(summary).dump(2, ' ', false,
                                             nlohmann::ordered_json::error_handler_t::replace));
  } else {
    app::print("{}\n", to_text(summary));
  }
}

}  // namespace wccl::app
