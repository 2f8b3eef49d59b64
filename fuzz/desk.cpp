// eval: what laptops that measure one another wish and count, as the others say it.
#include <array>
#include <cmath>
#include <vector>

#include "eval/desk_count.h"
#include "eval/desk_plan.h"
#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

using namespace eval;

constexpr phy::ModeId kMode = 30;
constexpr int kWorldSize = 3;
constexpr Rank kReporter = 1;
constexpr int kMostSide = 4095;

void check_wish(std::span<const std::byte> input) {
  const auto wish = decode_wish(input);
  if (!wish) {
    require(!wish.error().message.empty());
    return;
  }
  require(wish->plan.n_steps() > 0 && wish->plan.length > Duration::zero());
  require(wish->panel.width_px <= kMostSide && wish->panel.height_px <= kMostSide);
  const auto again = decode_wish(encode(*wish));
  require(again.has_value() && *again == *wish);
  for (std::size_t i = 0; i < wish->plan.n_steps(); ++i) {
    require(step_of(wish->plan, i).hold >= 1);
  }
  DeskWish own;
  own.plan = default_desk_plan();
  own.panel = {640, 400};
  const auto agreement = agree(std::array{own, *wish});
  require(agreement.has_value() || !agreement.error().message.empty());
}

void check_counts(std::span<const std::byte> input) {
  const auto counts = decode_counts(input, kMode, kReporter, kWorldSize);
  if (!counts) {
    require(!counts.error().message.empty());
    return;
  }
  for (const DeskCount& count : *counts) {
    require(count.from >= 0 && count.from < kWorldSize && count.from != kReporter);
    require(count.frames_read <= count.frames && count.located <= count.captures);
    require(std::isfinite(count.captures_per_second()));
    const Figures figures = figures_of(count, kMode);
    require(figures.goodput_bps >= 0 && !figures.limit.empty());
  }
  const auto again = decode_counts(encode(*counts), kMode, kReporter, kWorldSize);
  require(again.has_value() && again->size() == counts->size());
}

DeskCount example_count() {
  DeskCount count;
  count.from = 2;
  count.seconds = 3.125;
  count.captures = 90;
  count.located = 88;
  count.frames = 60;
  count.frames_read = 59;
  count.cell_px = 2.5;
  count.width_share = 0.6;
  count.dark = 20;
  count.bright = 200;
  count.channels = std::vector<DeskCount::Channel>(3, {100, 98, 14.5});
  return count;
}

}  // namespace

void check(std::span<const std::byte> input) {
  check_wish(input);
  check_counts(input);
}

std::vector<Bytes> seeds() {
  DeskWish wish;
  wish.plan = default_desk_plan();
  wish.is_asked_for = true;
  wish.panel = {1920, 1200};
  return {encode(wish), encode(std::array{example_count(), example_count()}),
          encode(std::span<const DeskCount>{})};
}

}  // namespace wccl::fuzz
