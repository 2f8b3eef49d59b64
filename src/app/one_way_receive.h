#pragma once

#include "wccl/result.h"

#include "app/device_choice.h"
#include "app/one_way_summary.h"
#include "base/clock.h"
#include "transfer/destination.h"

namespace wccl::app {

struct OneWayReceive {
  /// Its screen is not used; its camera may be a film or a folder; within the time for calibration
  /// something must have come.
  DeviceChoice devices;
  Duration timeout = std::chrono::seconds(30);  ///< Without anything new, once something has come.
};

/// Watches until all that a one-way sender shows is in place.
/// @return kTimeout, with what is there and what would help, when nothing new comes or a film has
/// ended; kCancelled; what keeps files from their places.
[[nodiscard]] Result<TransferFigures> receive_one_way(const OneWayReceive& options,
                                                      const transfer::Destination& destination);

}  // namespace wccl::app
