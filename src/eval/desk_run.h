#pragma once

#include <functional>
#include <vector>

#include "wccl/result.h"
#include "wccl/transport.h"

#include "eval/desk_count.h"
#include "eval/desk_plan.h"
#include "session/rank_context.h"

namespace wccl::eval {

/// How one laptop read another's screen in one step.
struct DeskReading {
  Rank to = 0;  ///< Whose camera.
  DeskStep step;
  DeskCount count;
};

/// As a point of a sweep: the link is its scene.
[[nodiscard]] PointResult to_result(const DeskReading& reading);
/// "rank 1 to rank 0"
[[nodiscard]] std::string link_name(Rank from, Rank to);

struct DeskOptions {
  DeskPlan plan = default_desk_plan();
  bool is_asked_for = false;  ///< The plan is somebody's wish; else another laptop's wish counts.
  std::function<Status(const DeskAgreement&)> on_plan = {};       ///< All have agreed.
  std::function<void(std::size_t index, DeskStep)> on_step = {};  ///< It begins.
  std::function<Status(const DeskReading&)> on_reading = {};      ///< This and other laptops'.
};

/// One laptop's part of a measurement on a desk: all show each mode with each hold for some time,
/// count what they read of one another, and tell one another between two steps. A mode that nobody
/// reads costs its time and no more: laptops talk in the safest one.
/// @return the first error of a callback; kPeerLost with the rank that has gone.
[[nodiscard]] Status measure_desk(session::RankContext& self, const DeskOptions& options);

}  // namespace wccl::eval
