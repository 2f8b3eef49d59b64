#include "eval/figures.h"

#include <algorithm>

#include <fmt/format.h>

namespace wccl::eval {
namespace {

constexpr double kDarkLuma = 70;      // Of bright cells: below it noise has the word.
constexpr double kClippedLuma = 252;  // Of bright cells: there is nothing left above.
constexpr double kLittleContrast = 60;
constexpr double kSmallCellPx = 1.7;    // In camera pixels: below it colours cannot be told apart.
constexpr double kManyMixed = 0.35;     // Of the cells.
constexpr double kFewErrors = 0.002;    // Of the blocks: a faster mode may pay.
constexpr double kBlurredCellPx = 3;    // Cells that large are told apart by any sharp lens.
constexpr double kBlurredErrors = 0.1;  // Of the cells.

const ChannelFigures& worst_channel(const Figures& figures) {
  return *std::max_element(figures.channels.begin(), figures.channels.end(),
                           [](const ChannelFigures& a, const ChannelFigures& b) {
                             return a.block_error_rate() < b.block_error_rate();
                           });
}

}  // namespace

int Figures::blocks() const {
  int n = 0;
  for (const ChannelFigures& channel : channels) {
    n += channel.blocks;
  }
  return n;
}

int Figures::blocks_ok() const {
  int n = 0;
  for (const ChannelFigures& channel : channels) {
    n += channel.blocks_ok;
  }
  return n;
}

double Figures::block_error_rate() const {
  return blocks() > 0 ? 1 - static_cast<double>(blocks_ok()) / blocks() : 0;
}

double Figures::mi_per_cell() const {
  double sum = 0;
  for (const ChannelFigures& channel : channels) {
    sum += channel.mutual_information;
  }
  return sum;
}

std::string what_limits(const Figures& figures, const phy::Mode& mode) {
  if (figures.located == 0) {
    return "screen not found";
  }
  if (figures.frames_read == 0) {
    return "headers unreadable";
  }
  if (figures.block_error_rate() <= kFewErrors) {
    return "hardly a block lost: a faster mode or a shorter hold may bring more";
  }
  if (2 * figures.located < figures.captures) {
    return "screen lost in most captures";
  }
  if (figures.bright < kDarkLuma) {
    return "too dark";
  }
  if (figures.bright > kClippedLuma) {
    return "clipped: too bright";
  }
  if (figures.bright - figures.dark < kLittleContrast) {
    return "little contrast";
  }
  if (figures.mixed_share > kManyMixed) {
    return "frames mixed: a longer hold would help";
  }
  if (figures.cell_px < kSmallCellPx) {
    return fmt::format("cells too small: {:.1f} camera pixels", figures.cell_px);
  }
  const ChannelFigures& worst = worst_channel(figures);
  if (figures.cell_px > kBlurredCellPx && worst.symbol_error_rate > kBlurredErrors) {
    return "blurred";
  }
  if (mode.colouring == phy::Colouring::kLuma) {
    return "too noisy";
  }
  return worst.name + " too noisy";
}

}  // namespace wccl::eval
