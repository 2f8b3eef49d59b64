#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "train/dataset.h"
#include "train/trainer.h"

namespace wccl::train {

/// The options that make a run what it is: equal on all ranks, and the same when it is resumed. How
/// long it goes on (its target, the number of syncs) is none of them.
struct RunIdentity {
  struct Option {
    std::string key;    ///< In files.
    std::string label;  ///< For people: as on the command line, where it has a place there.
    std::string value;
  };
  std::vector<Option> options;
};

/// @param options  With their defaults in place.
[[nodiscard]] RunIdentity identify(const TrainOptions& options, const Mnist& data);

/// Tells runs apart whose ranks must not meet: by their identity and by how long they go on. Time
/// and paths may differ between ranks.
[[nodiscard]] std::uint64_t hash_run(const RunIdentity& identity, const TrainOptions& options);

}  // namespace wccl::train
