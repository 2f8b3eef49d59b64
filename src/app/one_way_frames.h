#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "base/image.h"
#include "link/file_broadcast.h"
#include "phy/transmitter.h"
#include "transfer/source_files.h"

namespace wccl::app {

/// How a one-way sender shows its files.
struct OneWayChoice {
  std::string mode = "auto";  ///< A mode by name; auto: for near and far receivers in turn.
  int hold = 3;               ///< Refreshes of 60 Hz for each frame.
};

/// @return kInvalidArgument for a mode that does not exist.
[[nodiscard]] Result<std::vector<link::FileBroadcast::Turn>> one_way_turns(const std::string& mode);

/// Files and folders as endless pictures for a panel.
class OneWayFrames {
 public:
  /// Reads all of the files.
  /// @return kInvalidArgument for a mode that does not exist, a panel that is too small, or more
  /// files than the modes carry; the files' errors.
  [[nodiscard]] static Result<OneWayFrames> of(transfer::SourceFiles& files,
                                               phy::PanelSize panel,
                                               const OneWayChoice& choice);

  /// @param frame  Counts all frames from the start. From any thread.
  [[nodiscard]] RgbImage render(std::uint64_t frame) const;
  [[nodiscard]] const link::FileBroadcast& broadcast() const { return broadcast_; }
  /// "rgb5-1.5, rgb8-1.5, luma8-0.5"
  [[nodiscard]] std::string mode_names() const;
  /// Seconds that so many frames take.
  [[nodiscard]] double seconds(std::uint64_t frames) const;

 private:
  OneWayFrames(link::FileBroadcast broadcast, phy::PanelSize panel, int hold)
      : broadcast_(std::move(broadcast)), transmitter_(panel), hold_(hold) {}

  link::FileBroadcast broadcast_;
  phy::Transmitter transmitter_;
  int hold_;
};

}  // namespace wccl::app
