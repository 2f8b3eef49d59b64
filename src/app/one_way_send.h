#pragma once

#include "wccl/result.h"

#include "app/device_choice.h"
#include "app/one_way_frames.h"
#include "transfer/source_files.h"

namespace wccl::app {

struct OneWaySend {
  DeviceChoice devices;  ///< Its camera is not used.
  OneWayChoice frames;
  double duration_s = 0;  ///< 0: until the user leaves.
};

struct OneWayShown {
  std::uint64_t frames = 0;
  double rounds = 0;  ///< Times that all of the files was shown.
  double seconds = 0;
  std::string modes;
};

/// Shows files on this laptop's screen, for receivers that it cannot see, until the user leaves.
/// @return kCancelled for Ctrl-C only: Esc is how one leaves.
[[nodiscard]] Result<OneWayShown> send_one_way(const OneWaySend& options,
                                               transfer::SourceFiles& files);

}  // namespace wccl::app
