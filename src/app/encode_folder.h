#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "wccl/result.h"

#include "phy/frame_header.h"

namespace wccl::app {

inline constexpr int kMostHold = 600;

/// What manifest.json says of the frames beside it.
struct EncodeManifest {
  phy::PanelSize panel;
  int refresh_hz = 60;
  int hold = 4;  ///< Refreshes that each frame is shown.
  std::string mode;
  std::string file;
  std::size_t bytes = 0;
  std::string sha256;
  std::size_t frames = 0;
};

/// frame-00000.png and so on.
[[nodiscard]] std::string frame_name(std::size_t frame);

/// Makes the folder; frames and manifest of an earlier `wccl encode` go.
/// @return kInvalidArgument when it holds anything else, kIo when it cannot be written.
[[nodiscard]] Status prepare_encode_folder(const std::filesystem::path& folder);
/// Takes away what was written so far.
void abandon_encode_folder(const std::filesystem::path& folder);

/// What makes the folder whole, so it comes last.
[[nodiscard]] Status write_manifest(const std::filesystem::path& folder,
                                    const EncodeManifest& manifest);
/// @return kNotFound or kCorrupt naming the folder.
[[nodiscard]] Result<EncodeManifest> read_manifest(const std::filesystem::path& folder);

}  // namespace wccl::app
