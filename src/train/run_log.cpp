#include "train/run_log.h"

#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "train/digit_network.h"
#include "train/safetensors.h"

namespace wccl::train {
namespace {

Safetensors to_checkpoint(const Progress& progress, std::span<const float> weights) {
  Safetensors checkpoint;
  checkpoint.metadata = {{"syncs", std::to_string(progress.syncs)},
                         {"steps", std::to_string(progress.steps)}};
  for (const TensorSpec& spec : DigitNetwork::tensors()) {
    const auto values = weights.subspan(spec.offset, spec.size);
    checkpoint.tensors.push_back({std::string(spec.name),
                                  {spec.shape.begin(), spec.shape.begin() + spec.n_dimensions},
                                  {values.begin(), values.end()}});
  }
  return checkpoint;
}

}  // namespace

Result<RunLog> RunLog::open(const std::filesystem::path& folder) {
  RunLog log;
  if (folder.empty()) {
    return log;
  }
  log.folder_ = folder;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  log.metrics_.open(folder / "metrics.jsonl", std::ios::trunc);
  if (!log.metrics_) {
    return fail(
        ErrorCode::kIo,
        fmt::format("run folder {} cannot be written; name another with --out", folder.string()));
  }
  return log;
}

Status RunLog::add(const Progress& progress, std::span<const float> weights) {
  if (folder_.empty()) {
    return {};
  }
  const nlohmann::ordered_json line{{"sync", progress.syncs},
                                    {"steps", progress.steps},
                                    {"loss", progress.loss},
                                    {"accuracy", progress.accuracy},
                                    {"elapsed_s", to_seconds(progress.elapsed)}};
  metrics_ << line.dump() << '\n' << std::flush;
  if (!metrics_) {
    return fail(ErrorCode::kIo, fmt::format("{} cannot be written; is the disk full?",
                                            (folder_ / "metrics.jsonl").string()));
  }
  return write_safetensors(folder_ / "checkpoint.safetensors", to_checkpoint(progress, weights));
}

}  // namespace wccl::train
