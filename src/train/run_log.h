#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <vector>

#include "train/trainer.h"

namespace wccl::train {

/// A rank's record in its run folder: metrics.jsonl, a line a sync, and checkpoint.safetensors.
/// Both are whole after every sync, so that an interrupted run keeps all up to there.
class RunLog {
 public:
  /// Begins a new record.
  /// @param folder  Made when absent; empty: nothing is kept.
  [[nodiscard]] static Result<RunLog> open(const std::filesystem::path& folder);

  /// Goes on with the record that is there. @param history  Its lines from now on.
  [[nodiscard]] static Result<RunLog> go_on(const std::filesystem::path& folder,
                                            const std::vector<Progress>& history);

  Status add(const Progress& progress, std::span<const float> weights);

 private:
  std::filesystem::path folder_;
  std::ofstream metrics_;
};

/// What metrics.jsonl tells up to a sync. Lines that cannot be read, and all behind them, are left
/// out.
[[nodiscard]] std::vector<Progress> read_history(const std::filesystem::path& folder,
                                                 int last_sync,
                                                 int rank);

}  // namespace wccl::train
