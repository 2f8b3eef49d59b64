#pragma once

#include <cstdint>
#include <filesystem>

#include "wccl/result.h"

#include "app/one_way_frames.h"
#include "app/one_way_summary.h"
#include "app/room_setup.h"
#include "base/clock.h"
#include "transfer/source_files.h"

namespace wccl::app {

struct RoomOneWay {
  std::filesystem::path out;  ///< Of laptop 1; with more receivers each has a folder in it.
  bool replace = false;
  OneWayChoice frames;
  std::uint64_t seed = 1;
  Duration timeout = std::chrono::seconds(30);  ///< That a receiver may get nothing new.
  double duration_s = 0;                        ///< Then the sender leaves; 0: when all have all.
};

/// Shows the files on laptop 0 of a room to all others, which it does not see, from the cold start.
[[nodiscard]] Result<TransferFigures> send_one_way_in_room(const RoomOneWay& options,
                                                           const Room& room,
                                                           transfer::SourceFiles& files);

}  // namespace wccl::app
