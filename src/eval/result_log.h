#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "eval/figures.h"

namespace wccl::eval {

/// results.csv and results.jsonl of a folder: each result is in both files before the next one is
/// measured, so that a sweep can be killed and gone on with.
class ResultLog {
 public:
  enum class Start {
    kNew,      ///< The folder must not have results.
    kResume,   ///< Those that are whole stay; a torn last line is cut off.
    kReplace,  ///< They go.
  };

  /// @return kInvalidArgument for results that are in the way, kCorrupt for a file that is none of
  /// ours, kIo.
  [[nodiscard]] static Result<ResultLog> open(const std::filesystem::path& folder, Start start);

  [[nodiscard]] bool has(const Point& point) const;
  Status add(const PointResult& result);
  /// In the order of the files.
  [[nodiscard]] const std::vector<PointResult>& results() const { return results_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;

  ResultLog(File csv, File jsonl, std::vector<PointResult> results)
      : csv_(std::move(csv)), jsonl_(std::move(jsonl)), results_(std::move(results)) {}

  File csv_;
  File jsonl_;
  std::vector<PointResult> results_;
};

/// Writes a file beside its place and renames it. @return kIo with its name.
Status write_whole(const std::filesystem::path& path, const std::string& text);

}  // namespace wccl::eval
