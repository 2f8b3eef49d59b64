#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wccl/result.h"
#include "wccl/transport.h"

#include "base/clock.h"
#include "phy/mode.h"
#include "phy/transmitter.h"

namespace wccl::eval {

/// What laptops on a desk show one another, one after the other: each mode with each hold.
struct DeskPlan {
  std::vector<phy::ModeId> modes;
  std::vector<int> holds;  ///< Refreshes of each screen's own panel.
  Duration length{};       ///< For which each is measured.

  [[nodiscard]] std::size_t n_steps() const { return modes.size() * holds.size(); }
  friend bool operator==(const DeskPlan&, const DeskPlan&) = default;
};

struct DeskStep {
  phy::ModeId mode = 0;
  int hold = 0;
};
/// All holds of a mode, then the next mode.
[[nodiscard]] DeskStep step_of(const DeskPlan& plan, std::size_t index);

/// A few modes from a safe to a dense one, at holds 2 and 3.
[[nodiscard]] DeskPlan default_desk_plan();

/// What a laptop tells the others before anything is measured.
struct DeskWish {
  DeskPlan plan;
  bool is_asked_for = false;  ///< Somebody asked for it here; else it is the default.
  phy::PanelSize panel;
  friend bool operator==(const DeskWish&, const DeskWish&) = default;
};

[[nodiscard]] Bytes encode(const DeskWish& wish);
/// @return kCorrupt for what is no wish, or one beyond reason.
[[nodiscard]] Result<DeskWish> decode_wish(std::span<const std::byte> message);

struct DeskAgreement {
  DeskPlan plan;
  std::vector<phy::ModeId> left_out;  ///< Asked for, but some panel is too small for them.
};
/// What all do: the plan of the laptops where one was asked for, else rank 0's.
/// @param wishes  By rank.
/// @return kInvalidArgument when two were asked for different ones, or nothing is left.
[[nodiscard]] Result<DeskAgreement> agree(std::span<const DeskWish> wishes);

/// Whether a panel has room for frames of this mode.
[[nodiscard]] bool fits(phy::PanelSize panel, phy::ModeId mode);
/// The mode with the least on this panel: the most robust one.
[[nodiscard]] phy::ModeId safest_mode(phy::PanelSize panel);

}  // namespace wccl::eval
