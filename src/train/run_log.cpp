#include "train/run_log.h"

#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "train/progress_json.h"
#include "train/safetensors.h"
#include "train/weight_tensors.h"
#include "train/whole_file.h"

namespace wccl::train {
namespace {

constexpr const char* kMetrics = "metrics.jsonl";

Safetensors to_checkpoint(const Progress& progress, std::span<const float> weights) {
  Safetensors checkpoint;
  checkpoint.metadata = {{"syncs", std::to_string(progress.syncs)},
                         {"steps", std::to_string(progress.steps)}};
  checkpoint.tensors = weight_tensors(weights);
  return checkpoint;
}

}  // namespace

Result<RunLog> RunLog::open(const std::filesystem::path& folder) {
  return go_on(folder, {});
}

Result<RunLog> RunLog::go_on(const std::filesystem::path& folder,
                             const std::vector<Progress>& history) {
  RunLog log;
  if (folder.empty()) {
    return log;
  }
  log.folder_ = folder;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  std::string lines;
  for (const auto& progress : history) {
    lines += to_json_line(progress) + '\n';
  }
  const auto path = folder / kMetrics;
  if (const auto written = write_whole_file(path, std::as_bytes(std::span(lines))); written) {
    log.metrics_.open(path, std::ios::app);
  }
  if (!log.metrics_.is_open()) {
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
  metrics_ << to_json_line(progress) << '\n' << std::flush;
  if (!metrics_) {
    return fail(ErrorCode::kIo, fmt::format("{} cannot be written; is the disk full?",
                                            (folder_ / kMetrics).string()));
  }
  return write_safetensors(folder_ / "checkpoint.safetensors", to_checkpoint(progress, weights));
}

std::vector<Progress> read_history(const std::filesystem::path& folder, int last_sync, int rank) {
  std::vector<Progress> history;
  std::ifstream file(folder / kMetrics);
  for (std::string line; std::getline(file, line);) {
    const auto progress = parse_progress(line, rank);
    const int previous = history.empty() ? 0 : history.back().syncs;
    if (!progress || progress->syncs <= previous || progress->syncs > last_sync) {
      break;
    }
    history.push_back(*progress);
  }
  return history;
}

}  // namespace wccl::train
