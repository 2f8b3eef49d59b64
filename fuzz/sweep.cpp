// eval::parse_sweep() and make_plan(): what is to be measured, as somebody typed it.
#include "eval/sweep.h"

#include <string_view>

#include "eval/plan.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"

namespace wccl::fuzz {

void check(std::span<const std::byte> input) {
  const auto axes = eval::parse_sweep(as_text(input));
  if (!axes) {
    require(!axes.error().message.empty());
    return;
  }
  require(!axes->empty());
  std::size_t n_values = 0;
  for (const auto& axis : *axes) {
    require(!axis.name.empty() && !axis.values.empty());
    n_values += axis.values.size();
  }
  // Planning many takes long, and nothing new comes of it.
  if (n_values > 20) {
    return;
  }
  eval::PlanRequest request;
  request.scenes = {"face_1080p"};
  request.modes = {"luma8-0.5"};
  request.axes = *axes;
  const auto plan = eval::make_plan(request);
  require(plan.has_value() || !plan.error().message.empty());
  for (std::size_t i = 0; plan && i < plan->points.size(); ++i) {
    require(plan->points[i].hold >= 1 && eval::scene_of(plan->points[i]).has_value());
  }
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> seeds;
  for (const std::string_view text :
       {"cell=3..8,levels=2,4,fps=10..30:5", "hold=1..3,seed=7,phase=0..1:0.25",
        "without=none,soft,camera.width_px=640,size=1280x720", "mode=luma8-0.5,light.ambient_lux=5",
        "distance=0.3..0.6:0.1"}) {
    const auto bytes = std::as_bytes(std::span(text));
    seeds.emplace_back(bytes.begin(), bytes.end());
  }
  return seeds;
}

}  // namespace wccl::fuzz
