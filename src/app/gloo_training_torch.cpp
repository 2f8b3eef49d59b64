#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "app/print.h"
#include "app/training.h"
#include "c10d/gloo.h"

namespace wccl::app {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Long enough to start a process on the next machine by hand.
constexpr Duration kMeeting = std::chrono::seconds(60);

/// What each rank tells the others at the end, so that every summary is complete.
struct Report {
  std::array<char, 64> weights_sha256{};
  std::uint64_t network_bytes = 0;
  std::uint64_t network_counted = 0;  ///< 0: this rank's system cannot count.
};

/// Reports of all ranks. @throw what c10d throws.
std::vector<Report> exchange(::c10d::Backend& backend, const Report& own, int world_size) {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Report));
  std::vector<at::Tensor> input = {at::empty({kBytes}, at::kByte)};
  std::memcpy(input[0].data_ptr(), &own, sizeof(Report));
  std::vector<std::vector<at::Tensor>> output(1);
  for (int rank = 0; rank < world_size; ++rank) {
    output[0].push_back(at::empty({kBytes}, at::kByte));
  }
  backend.allgather(output, input)->wait();
  std::vector<Report> reports(static_cast<std::size_t>(world_size));
  for (std::size_t rank = 0; rank < reports.size(); ++rank) {
    std::memcpy(&reports[rank], output[0][rank].data_ptr(), sizeof(Report));
  }
  return reports;
}

void take_reports(RunSummary& summary, const std::vector<Report>& reports) {
  summary.weights_sha256.clear();
  summary.network_bytes = 0;
  for (const auto& report : reports) {
    const auto& hash = report.weights_sha256;
    summary.weights_sha256.emplace_back(hash.data(), strnlen(hash.data(), hash.size()));
    if (report.network_counted == 0) {
      summary.network_bytes.reset();
    }
    if (summary.network_bytes) {
      *summary.network_bytes += report.network_bytes;
    }
  }
}

/// Gloo says which socket broke, with a path of its own source; a user wants to know which rank,
/// and what to do.
/// @param missing  Ranks that are gone; may be empty.
Error explain(Error error, const std::vector<int>& missing, double timeout_s) {
  const bool silent = error.message.find("imed out") != std::string::npos;
  if (missing.empty()) {
    error.message = silent ? fmt::format(
                                 "another rank did not answer within {:g} s, though all are "
                                 "running; look at what they say",
                                 timeout_s)
                           : "another rank left before the end: its own last line says why";
    return error;
  }
  const std::string who =
      fmt::format("rank{} {}", missing.size() == 1 ? "" : "s", fmt::join(missing, ", "));
  error.message =
      silent ? fmt::format("{} did not answer within {:g} s: stopped, or cut off from the network",
                           who, timeout_s)
             : who + " left: ended or killed (its own last lines say why), or cut off";
  return error;
}

class GlooRank {
 public:
  GlooRank(const TrainingJob& job) : job_(job), start_(SteadyClock::now()) {}

  RunSummary run() {
    RunSummary summary = begin_summary(job_.settings);
    job_.monitor.set_phase(Phase::kCalibrating, elapsed());
    const Status status = train_rank(summary);
    if (!status) {
      summary.network_bytes = job_.monitor.network_bytes();  // Ours, of what was seen.
    }
    take_history(summary, job_.monitor.history(rank()));
    summary.air_time_s = to_seconds(job_.monitor.total(rank(), elapsed()));
    conclude(summary, job_.settings, status);
    return summary;
  }

 private:
  [[nodiscard]] int rank() const { return *job_.settings.rank; }
  [[nodiscard]] Duration elapsed() const {
    return std::chrono::duration_cast<Duration>(SteadyClock::now() - start_);
  }

  Status train_rank(RunSummary& summary) {
    const auto& settings = job_.settings;
    const Duration timeout = from_seconds(settings.timeout_s);
    const Duration meeting = std::max(kMeeting, timeout);
    if (!settings.launched) {
      app::print(stderr, "wccl train: waits up to {:g} s until all {} ranks have come to {}:{}\n",
                 to_seconds(meeting), settings.nodes, settings.master->host, settings.master->port);
    }
    const auto group = c10d::make_gloo_group(rank(), settings.nodes, settings.master->host,
                                             settings.master->port, {meeting, timeout});
    if (!group) {
      return tl::make_unexpected(group.error());
    }
    job_.monitor.set_phase(Phase::kTraining, elapsed());
    auto result =
        train::train(trainer_options(job_, rank()), job_.data, environment(*group->backend));
    if (!result && result.error().code == ErrorCode::kPeerLost) {
      return tl::make_unexpected(
          explain(result.error(), group->attendance->missing(), settings.timeout_s));
    }
    if (!result) {
      return tl::make_unexpected(result.error());
    }
    return share_results(summary, *group->backend, result->weights_sha256);
  }

  train::Environment environment(::c10d::Backend& backend) {
    train::Environment environment;
    environment.backend = &backend;
    environment.rank = rank();
    environment.world_size = job_.settings.nodes;
    environment.charge = [](Duration) { return Status(); };
    attend(environment, job_, [this] { return elapsed(); });
    return environment;
  }

  Status share_results(RunSummary& summary, ::c10d::Backend& backend, const std::string& sha256) {
    job_.monitor.sample_network();
    Report own;
    std::memcpy(own.weights_sha256.data(), sha256.data(),
                std::min(sha256.size(), own.weights_sha256.size()));
    const auto network_bytes = job_.monitor.network_bytes();
    own.network_bytes = network_bytes.value_or(0);
    own.network_counted = network_bytes ? 1 : 0;
    try {
      take_reports(summary, exchange(backend, own, job_.settings.nodes));
    } catch (const std::exception& error) {
      return fail(ErrorCode::kPeerLost,
                  "another rank left before the end; weights were not compared");
    }
    return {};
  }

  const TrainingJob& job_;
  SteadyClock::time_point start_;
};

}  // namespace

RunSummary train_over_gloo(const TrainingJob& job) {
  return GlooRank(job).run();
}

}  // namespace wccl::app
