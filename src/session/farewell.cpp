#include "session/farewell.h"

#include <vector>

namespace wccl::session {
namespace {

constexpr Tag kGoodbye = 0xFFFFFFFF;
// A peer that has left already says nothing any more: its goodbye or our acknowledgement was lost.
constexpr Duration kPatience = std::chrono::seconds(10);
// For the acknowledgements of the last goodbyes: a few frames to the slowest of cameras.
constexpr Duration kLinger = std::chrono::seconds(1);

}  // namespace

Status say_farewell(RankContext& self) {
  if (auto status = self.transport().flush(); !status) {
    return status;
  }
  std::vector<Rank> awaited = self.transport().peers();
  if (auto status = self.transport().send(awaited, kGoodbye, {}); !status) {
    return status;
  }
  const auto all_have_left = [&] {
    std::erase_if(awaited, [&](Rank rank) {
      return self.transport().try_receive(rank, kGoodbye).has_value();
    });
    bool acknowledged = false;
    self.visit([&](link::Node& node) { acknowledged = node.all_acknowledged(); });
    return awaited.empty() && acknowledged;
  };
  const auto left = self.wait(all_have_left, self.now() + kPatience);
  if (left && *left) {
    static_cast<void>(self.wait(nullptr, self.now() + kLinger));
  }
  return {};
}

}  // namespace wccl::session
