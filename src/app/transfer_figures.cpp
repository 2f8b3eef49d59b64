#include "app/transfer_figures.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/print.h"
#include "app/units.h"

namespace wccl::app {
namespace {

/// Of a folder, whose own name "." tells nobody where it is.
std::string full_name(const std::filesystem::path& folder) {
  std::error_code ignored;
  const auto full = std::filesystem::absolute(folder, ignored).lexically_normal();
  return (full.has_filename() || !full.has_relative_path() ? full : full.parent_path()).string();
}

double bits_per_second(std::uint64_t bytes, Duration duration) {
  return duration > Duration::zero() ? 8 * static_cast<double>(bytes) / to_seconds(duration) : 0;
}

}  // namespace

double goodput_bps(const TransferFigures& figures) {
  return bits_per_second(figures.bytes_came, figures.last_byte - figures.first_byte);
}

double goodput_from_start_bps(const TransferFigures& figures) {
  return bits_per_second(figures.bytes_came, figures.end);
}

namespace {

std::string headline(const TransferFigures& figures) {
  if (figures.bytes == 0) {
    return fmt::format("{}: done", figures.what);
  }
  if (figures.bytes_came == 0) {
    return fmt::format("{}: all of it was there already", figures.what);
  }
  // A small file is there with its first frame: from the first byte to the last it took no time.
  const Duration took = figures.end - figures.start;
  return fmt::format("{} in {:.1f} s: {}", figures.what, to_seconds(took),
                     bit_rate(bits_per_second(figures.bytes_came, took)));
}

}  // namespace

std::string to_text(const TransferFigures& figures) {
  std::string text = headline(figures);
  if (!figures.renamed.empty()) {
    text += "\n" + figures.renamed;
  }
  if (!figures.folder.empty()) {
    text += fmt::format("\nsaved in {}", full_name(figures.folder));
  }
  return text;
}

nlohmann::ordered_json to_json(const TransferFigures& figures) {
  return {{"files", figures.files},
          {"bytes", figures.bytes},
          {"bytes_by_light", figures.bytes_came},
          {"receivers", figures.receivers},
          {"goodput_bps", goodput_bps(figures)},
          {"goodput_from_start_bps", goodput_from_start_bps(figures)},
          {"first_byte_s", to_seconds(figures.first_byte)},
          {"last_byte_s", to_seconds(figures.last_byte)},
          {"total_s", to_seconds(figures.end)},
          {"mode", figures.mode}};
}

void print_summary(const TransferFigures& figures, bool json) {
  const auto object = to_json(figures);
  print_figures(figures, json ? &object : nullptr);
}

void print_figures(const TransferFigures& figures, const nlohmann::ordered_json* json) {
  // Names that are no UTF-8 must not keep it from being printed.
  app::print("{}\n", json != nullptr ? json->dump(2, ' ', false,
                                                  nlohmann::ordered_json::error_handler_t::replace)
                                     : to_text(figures));
}

}  // namespace wccl::app
