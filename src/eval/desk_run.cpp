#include "eval/desk_run.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "eval/desk_meter.h"

namespace wccl::eval {
namespace {

using namespace std::chrono_literals;

constexpr Tag kWishTag = 0x64650000;
constexpr int kTalkHold = 4;
// Laptops do not begin a step at the same moment: so much longer than it counts each shows its own.
constexpr Duration kSlack = 2s;
// So long a laptop that has all messages goes on talking, when the others do not say that they
// have.
constexpr Duration kLinger = 3s;
// For the acknowledgements that others wait for.
constexpr Duration kCourtesy = 300ms;

class DeskRun {
 public:
  DeskRun(session::RankContext& self, const DeskOptions& options)
      : self_(self), options_(options), others_(self.transport().peers()) {
    self_.visit([this](link::Node& node) {
      panel_ = node.options().panel;
      talk_ = {safest_mode(panel_), kTalkHold, false};
      node.fix(talk_);
      node.watch([this](const phy::CaptureReception& reception) {
        for (DeskMeter& meter : meters_) {
          meter.note(reception);
        }
      });
    });
  }
  ~DeskRun() {
    self_.visit([](link::Node& node) {
      node.fix({});
      node.watch({});
    });
  }
  DeskRun(const DeskRun&) = delete;
  DeskRun& operator=(const DeskRun&) = delete;

  Status run() {
    auto plan = agree_on_plan();
    if (!plan) {
      return tl::make_unexpected(plan.error());
    }
    for (std::size_t index = 0; index < plan->n_steps(); ++index) {
      const DeskStep step = step_of(*plan, index);
      if (auto status = let_go(step); !status) {
        return status;
      }
      if (options_.on_step) {
        options_.on_step(index, step);
      }
      auto counts = measure(step, plan->length);
      if (!counts) {
        return tl::make_unexpected(counts.error());
      }
      if (auto status = share(index, step, *counts); !status) {
        return status;
      }
    }
    return {};
  }

 private:
  Result<DeskPlan> agree_on_plan();
  Status let_go(DeskStep next);
  Result<std::vector<DeskCount>> measure(DeskStep step, Duration length);
  Status share(std::size_t index, DeskStep step, std::span<const DeskCount> own);
  Status report(Rank to, DeskStep step, std::span<const DeskCount> counts);
  Result<std::vector<Bytes>> exchange(Tag tag, const Bytes& own);
  Status pause(Duration duration);

  session::RankContext& self_;
  const DeskOptions& options_;
  std::vector<Rank> others_;
  phy::PanelSize panel_;
  link::FixedSending talk_;
  std::vector<DeskMeter> meters_;  ///< Of the step of now; only touched while the node is visited.
};

Result<DeskPlan> DeskRun::agree_on_plan() {
  const DeskWish own{options_.plan, options_.is_asked_for, panel_};
  const auto messages = exchange(kWishTag, encode(own));
  if (!messages) {
    return tl::make_unexpected(messages.error());
  }
  std::vector<DeskWish> wishes(static_cast<std::size_t>(self_.world_size()), own);
  for (std::size_t i = 0; i < others_.size(); ++i) {
    auto wish = decode_wish((*messages)[i]);
    if (!wish) {
      return tl::make_unexpected(wish.error());
    }
    wishes[static_cast<std::size_t>(others_[i])] = std::move(*wish);
  }
  auto agreement = agree(wishes);
  if (!agreement) {
    return tl::make_unexpected(agreement.error());
  }
  if (options_.on_plan) {
    if (auto status = options_.on_plan(*agreement); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  return std::move(agreement->plan);
}

/// Stays until the others have this laptop's last message: they acknowledge it, or have gone on to
/// the next step, as the headers of their frames show in modes, too, of which nothing else is read.
Status DeskRun::let_go(DeskStep next) {
  const auto all_have_it = [&] {
    bool all_have = true;
    self_.visit([&](link::Node& node) {
      const auto waiting = node.unacknowledged_by();
      for (const link::LinkStats& link : node.stats()) {
        const bool has_gone_on = link.mode == next.mode && next.mode != *talk_.mode;
        all_have =
            all_have && (has_gone_on || std::ranges::find(waiting, link.peer) == waiting.end());
      }
    });
    return all_have;
  };
  if (auto waited = self_.wait(all_have_it, self_.now() + kLinger); !waited) {
    return tl::make_unexpected(waited.error());
  }
  return pause(kCourtesy);
}

Result<std::vector<DeskCount>> DeskRun::measure(DeskStep step, Duration length) {
  self_.visit([&](link::Node& node) {
    for (const Rank rank : others_) {
      meters_.emplace_back(rank, step.mode, length);
    }
    node.fix({step.mode, step.hold, true});
  });
  if (auto status = pause(length + kSlack); !status) {
    return tl::make_unexpected(status.error());
  }
  std::vector<DeskCount> counts;
  self_.visit([&](link::Node& node) {
    node.fix(talk_);
    for (const DeskMeter& meter : meters_) {
      counts.push_back(meter.count());
    }
    meters_.clear();
  });
  return counts;
}

Status DeskRun::share(std::size_t index, DeskStep step, std::span<const DeskCount> own) {
  if (auto status = report(self_.rank(), step, own); !status) {
    return status;
  }
  const auto messages = exchange(kWishTag + 1 + static_cast<Tag>(index), encode(own));
  if (!messages) {
    return tl::make_unexpected(messages.error());
  }
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const auto counts = decode_counts((*messages)[i], step.mode, others_[i], self_.world_size());
    if (!counts) {
      return tl::make_unexpected(counts.error());
    }
    if (auto status = report(others_[i], step, *counts); !status) {
      return status;
    }
  }
  return {};
}

Status DeskRun::report(Rank to, DeskStep step, std::span<const DeskCount> counts) {
  for (const DeskCount& count : counts) {
    if (auto status = options_.on_reading ? options_.on_reading({to, step, count}) : Status();
        !status) {
      return status;
    }
  }
  return {};
}

/// @return the others' messages, in their order.
Result<std::vector<Bytes>> DeskRun::exchange(Tag tag, const Bytes& own) {
  if (auto status = self_.transport().send(others_, tag, own); !status) {
    return tl::make_unexpected(status.error());
  }
  std::vector<Bytes> messages;
  for (const Rank rank : others_) {
    auto message = self_.transport().receive(rank, tag);
    if (!message) {
      return tl::make_unexpected(message.error());
    }
    messages.push_back(std::move(*message));
  }
  return messages;
}

/// Without the others there is nothing to wait for.
Status DeskRun::pause(Duration duration) {
  std::optional<link::Departure> departure;
  const auto is_left_alone = [&] {
    self_.visit([&](link::Node& node) {
      for (const Rank rank : others_) {
        departure = departure ? departure : node.departure(rank);
      }
    });
    return departure.has_value();
  };
  const auto waited = self_.wait(is_left_alone, self_.now() + duration);
  if (!waited) {
    return tl::make_unexpected(waited.error());
  }
  return departure ? fail(ErrorCode::kPeerLost, departure->text()) : Status();
}

}  // namespace

std::string link_name(Rank from, Rank to) {
  return fmt::format("rank {} to rank {}", from, to);
}

PointResult to_result(const DeskReading& reading) {
  PointResult result;
  result.point.scene = link_name(reading.count.from, reading.to);
  result.point.mode = reading.step.mode;
  result.point.hold = reading.step.hold;
  result.point.seed = 0;
  result.point.captures = reading.count.captures;
  result.point.set = {{"seconds", fmt::format("{:.3g}", reading.count.seconds)}};
  result.figures = figures_of(reading.count, reading.step.mode);
  return result;
}

Status measure_desk(session::RankContext& self, const DeskOptions& options) {
  return DeskRun(self, options).run();
}

}  // namespace wccl::eval
