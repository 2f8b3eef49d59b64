#include "app/modes_command.h"

#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "app/exit_status.h"
#include "app/print.h"
#include "phy/mode.h"
#include "phy/transmitter.h"

namespace wccl::app {
namespace {

constexpr phy::PanelSize kPanel{1920, 1200};

int channels(const phy::Mode& mode) {
  return mode.colouring == phy::Colouring::kLuma ? 1 : 3;
}

std::size_t bytes_per_frame(phy::ModeId id) {
  return phy::block_slots(kPanel, id).size() * phy::kBlockPayloadBytes;
}

/// Of both halves of the checkerboard, "1/2+3/4", or of both at once if they are equal.
std::string rates_of(const phy::Mode& mode, int channel) {
  const std::string_view first = name_of(mode.code_rate({channel, 0}));
  const std::string_view second = name_of(mode.code_rate({channel, 1}));
  return mode.colouring == phy::Colouring::kLuma || first == second
             ? std::string(first)
             : fmt::format("{}+{}", first, second);
}

nlohmann::ordered_json to_json(phy::ModeId id, const phy::Mode& mode) {
  auto rates = nlohmann::ordered_json::array();
  for (int i = 0; i < channels(mode); ++i) {
    rates.push_back(rates_of(mode, i));
  }
  return {{"id", id},
          {"name", mode.name},
          {"cell_px", mode.cell_px},
          {"channels", channels(mode)},
          {"levels", 1 << mode.bits_per_level},
          {"code_rates", rates},
          {"bytes_per_frame", bytes_per_frame(id)}};
}

std::string rates_text(const phy::Mode& mode) {
  std::string text = rates_of(mode, 0);
  for (int i = 1; i < channels(mode); ++i) {
    text += ' ' + rates_of(mode, i);
  }
  return text;
}

}  // namespace

int modes_command(bool json) {
  const auto modes = phy::modes();
  auto list = nlohmann::ordered_json::array();
  if (!json) {
    app::print("{:>2}  {:<20} {:>7}  {:<6} {:>6}  {:<12} {:>11}\n", "id", "name", "cell px",
               "colour", "levels", "code rates", "bytes/frame");
  }
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const auto id = static_cast<phy::ModeId>(i);
    const auto& mode = modes[i];
    if (json) {
      list.push_back(to_json(id, mode));
      continue;
    }
    app::print("{:>2}  {:<20} {:>7}  {:<6} {:>6}  {:<12} {:>11}\n", i, mode.name, mode.cell_px,
               channels(mode) == 1 ? "luma" : "R,G,B", 1 << mode.bits_per_level, rates_text(mode),
               bytes_per_frame(id));
  }
  if (json) {
    app::print("{}\n", list.dump(2));
  }
  return kExitOk;
}

}  // namespace wccl::app
