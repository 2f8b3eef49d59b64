#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "phy/layout.h"
#include "phy/llr.h"

namespace wccl::phy {

/// What reading a capture consists of.
enum class Stage : std::uint8_t {
  kLocate,    ///< Finding screens; headers.
  kSample,    ///< Cells sampled, motion followed.
  kEqualize,  ///< Equalisers trained and applied, soft bits.
  kDecode,    ///< Blocks.
};

/// What one capture tells of the data cells of a row in one channel, for one of the frames that the
/// row shows; cells that are not asked about have a soft bit of 0. Borrowed for the call.
struct SoftRow {
  const Layout* layout = nullptr;
  std::uint8_t node = 0;
  std::uint16_t sequence = 0;
  int channel = 0;
  int half = kBothHalves;  ///< Of the checkerboard: the cells that were asked about.
  int row = 0;
  std::int32_t first_cell = 0;       ///< Number of the row's first data cell, in scan order.
  std::span<const float> estimates;  ///< [columns] equalised levels, gain * level + noise.
  std::span<const Llr> llrs;         ///< [data cells of the row * bits per level]
  float share_left = 0;              ///< Of the frame in the light: at the panel's left edge,
  float share_right = 0;             ///< and at its right edge.
};

/// For measurements: what a receiver does on the way from a capture to blocks. Calls that are not
/// set cost nothing.
struct ReceiverObserver {
  std::function<void(Stage)> on_stage;  ///< This one begins, the one before ends.
  std::function<void(const SoftRow&)> on_row;
  /// What on_row said of a frame's layer is dropped: better estimates follow.
  std::function<void(std::uint8_t node, std::uint16_t sequence, Layer layer)> on_reset;
};

}  // namespace wccl::phy
