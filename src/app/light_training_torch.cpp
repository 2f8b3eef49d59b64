#include <algorithm>
#include <cstring>

#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "wccl/communicator.h"

#include "app/light_training.h"
#include "c10d/backend.h"

namespace wccl::app {
namespace {

/// RankReport as it travels.
struct WireReport {
  std::array<char, 64> weights_sha256{};
  std::uint64_t bytes_on_air = 0;
};
static_assert(sizeof(WireReport) == 72);

}  // namespace

Result<train::TrainResult> train_by_light(session::RankContext& self,
                                          const TrainingJob& job,
                                          const std::function<Duration()>& elapsed) {
  Communicator communicator(self.transport());
  const auto backend = c10d::make_backend(communicator);
  train::Environment environment;
  environment.backend = backend.get();
  environment.rank = self.rank();
  environment.world_size = self.world_size();
  environment.charge = [&](Duration duration) { return self.charge(duration); };
  attend(environment, job, elapsed);
  return train::train(trainer_options(job, self.rank()), job.data, environment);
}

Result<std::vector<RankReport>> exchange_reports(session::RankContext& self,
                                                 const RankReport& own) {
  WireReport wire;
  std::memcpy(wire.weights_sha256.data(), own.weights_sha256.data(),
              std::min(own.weights_sha256.size(), wire.weights_sha256.size()));
  wire.bytes_on_air = own.bytes_on_air;
  std::vector<WireReport> all(static_cast<std::size_t>(self.world_size()));
  const auto gathered =
      Communicator(self.transport())
          .all_gather(std::as_bytes(std::span(&wire, 1)), std::as_writable_bytes(std::span(all)));
  if (!gathered) {
    return tl::make_unexpected(gathered.error());
  }
  std::vector<RankReport> reports;
  for (const WireReport& report : all) {
    const auto& hash = report.weights_sha256;
    reports.push_back(
        {std::string(hash.data(), strnlen(hash.data(), hash.size())), report.bytes_on_air});
  }
  return reports;
}

}  // namespace wccl::app
