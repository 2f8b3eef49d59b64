#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <span>

#include "train/trainer.h"

namespace wccl::train {

/// A rank's record in its run folder: metrics.jsonl, a line a sync, and checkpoint.safetensors.
/// Both are whole after every sync, so that an interrupted run keeps all up to there.
class RunLog {
 public:
  /// @param folder  Made when absent; empty: nothing is kept.
  [[nodiscard]] static Result<RunLog> open(const std::filesystem::path& folder);

  Status add(const Progress& progress, std::span<const float> weights);

 private:
  std::filesystem::path folder_;
  std::ofstream metrics_;
};

}  // namespace wccl::train
