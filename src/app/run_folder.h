#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "wccl/result.h"

#include "base/image.h"

namespace wccl::app {

/// The folder that a run leaves: config.json, metrics.jsonl, checkpoint.safetensors, summary.json,
/// what each rank keeps to go on, and a camera picture a node. Each file appears whole or not at
/// all: it is written beside its place and renamed. While one lives no other run can have the
/// folder.
class RunFolder {
 public:
  /// Makes the folder, or empties it of an earlier run of ours, and proves that it can be written.
  /// @return kIo when it cannot, or another run has it; kInvalidArgument when it holds something
  /// that is not a run.
  [[nodiscard]] static Result<RunFolder> create(const std::filesystem::path& path);

  /// Takes over the folder of a run that goes on: all but what told its end stays.
  /// @return kNotFound when there is no run in it; else as create().
  [[nodiscard]] static Result<RunFolder> resume(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Takes away what was written, and the folder where create() made it: nothing came of the run.
  void discard() const;
  Status write(const std::string& name, std::span<const std::byte> bytes) const;
  Status write(const std::string& name, const nlohmann::ordered_json& json) const;
  Status write(const std::string& name, const RgbImage& picture) const;

 private:
  /// Proves that the folder can be written.
  [[nodiscard]] Status probe() const;

  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
  std::shared_ptr<const int> lock_;  ///< Of the open folder.
  bool is_new_ = false;
};

/// runs/DATE-TIME-seedK in the current folder, with a number behind it when that is taken.
/// @param rank  Of a process that is one of several: in the name, so that two on one machine
/// differ.
[[nodiscard]] std::filesystem::path default_run_folder(std::uint64_t seed,
                                                       std::optional<int> rank = std::nullopt);

}  // namespace wccl::app
