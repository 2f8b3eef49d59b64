#include "eval/desk_plan.h"

#include <algorithm>
#include <exception>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/whole_number.h"
#include "eval/plan.h"
#include "phy/layout.h"

namespace wccl::eval {
namespace {

using Json = nlohmann::ordered_json;

// What another laptop may ask of this one.
constexpr int kMostHold = 60;
constexpr std::size_t kMostHolds = 16;
constexpr std::chrono::seconds kMostLength{600};

bool is_sane(const DeskPlan& plan) {
  return !plan.modes.empty() && plan.modes.size() <= phy::modes().size() && !plan.holds.empty() &&
         plan.holds.size() <= kMostHolds && plan.length > Duration::zero() &&
         plan.length <= kMostLength &&
         std::ranges::all_of(plan.holds, [](int hold) { return hold >= 1 && hold <= kMostHold; });
}

DeskWish wish_of(const Json& json) {
  DeskWish wish;
  for (const Json& name : json.at("modes")) {
    const auto mode = phy::find_mode(name.get<std::string>());
    if (!mode) {
      throw std::runtime_error("an unknown mode");
    }
    wish.plan.modes.push_back(*mode);
  }
  for (const Json& hold : json.at("holds")) {
    wish.plan.holds.push_back(whole_number<int>(hold));
  }
  wish.plan.length = Duration(whole_number<std::int64_t>(json.at("length_us")));
  wish.is_asked_for = json.at("asked_for").get<bool>();
  const Json& panel = json.at("panel");
  wish.panel = {whole_number<int>(panel.at(0)), whole_number<int>(panel.at(1))};
  return wish;
}

}  // namespace

DeskStep step_of(const DeskPlan& plan, std::size_t index) {
  return {plan.modes[index / plan.holds.size()], plan.holds[index % plan.holds.size()]};
}

DeskPlan default_desk_plan() {
  DeskPlan plan;
  for (const std::string& name : default_modes()) {
    plan.modes.push_back(*phy::find_mode(name));
  }
  plan.holds = {2, 3};
  plan.length = std::chrono::seconds(3);
  return plan;
}

Bytes encode(const DeskWish& wish) {
  Json modes = Json::array();
  for (const phy::ModeId mode : wish.plan.modes) {
    modes.push_back(phy::find_mode(mode)->name);
  }
  const Json json = {{"modes", modes},
                     {"holds", wish.plan.holds},
                     {"length_us", wish.plan.length.count()},
                     {"asked_for", wish.is_asked_for},
                     {"panel", {wish.panel.width_px, wish.panel.height_px}}};
  const std::string text = json.dump();
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Result<DeskWish> decode_wish(std::span<const std::byte> message) {
  try {
    const auto* text = reinterpret_cast<const char*>(message.data());
    DeskWish wish = wish_of(Json::parse(text, text + message.size()));
    if (is_sane(wish.plan) && phy::is_panel_supported(wish.panel)) {
      return wish;
    }
  } catch (const std::exception&) {
  }
  return fail(ErrorCode::kCorrupt,
              "another laptop asks for what is no plan; do all run the same version?");
}

Result<DeskAgreement> agree(std::span<const DeskWish> wishes) {
  std::optional<std::size_t> first;
  for (std::size_t rank = 0; rank < wishes.size(); ++rank) {
    if (!wishes[rank].is_asked_for) {
      continue;
    }
    if (first && wishes[*first].plan != wishes[rank].plan) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("ranks {} and {} were started with different --modes, --holds or "
                              "--seconds: give the same to both, or to one of them only",
                              *first, rank));
    }
    first = first.value_or(rank);
  }
  DeskAgreement agreement{wishes[first.value_or(0)].plan, {}};
  std::erase_if(agreement.plan.modes, [&](phy::ModeId mode) {
    const bool is_too_large =
        std::ranges::any_of(wishes, [&](const DeskWish& wish) { return !fits(wish.panel, mode); });
    if (is_too_large) {
      agreement.left_out.push_back(mode);
    }
    return is_too_large;
  });
  if (agreement.plan.modes.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "the screens are too small for all of the modes; `wccl modes` lists others");
  }
  return agreement;
}

bool fits(phy::PanelSize panel, phy::ModeId mode) {
  return !phy::block_slots(panel, mode).empty();
}

phy::ModeId safest_mode(phy::PanelSize panel) {
  std::size_t least = 0;
  phy::ModeId safest = 0;
  for (std::size_t i = 0; i < phy::modes().size(); ++i) {
    const auto mode = static_cast<phy::ModeId>(i);
    const std::size_t n = phy::block_slots(panel, mode).size();
    if (n > 0 && (least == 0 || n < least)) {
      least = n;
      safest = mode;
    }
  }
  return safest;
}

}  // namespace wccl::eval
