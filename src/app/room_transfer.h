#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "wccl/result.h"

#include "app/room_setup.h"
#include "app/transfer_summary.h"
#include "base/clock.h"
#include "phy/mode.h"
#include "transfer/source_files.h"

namespace wccl::app {

struct RoomTransfer {
  std::filesystem::path out;  ///< Of laptop 1; with more receivers each has a folder in it.
  bool replace = false;
  std::optional<phy::ModeId> mode;  ///< Fixed when set.
  std::uint64_t seed = 1;
  Duration timeout = std::chrono::seconds(30);
};

/// Sends the files from laptop 0 to all others of a room, from the cold start.
[[nodiscard]] Result<TransferSummary> transfer_in_room(const RoomTransfer& options,
                                                       const Room& room,
                                                       transfer::SourceFiles& files);

}  // namespace wccl::app
