#include "train/run_identity.h"

#include <fmt/format.h>

namespace wccl::train {
namespace {

const char* name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::kParameterServer:
      return "parameter-server";
    case Strategy::kDataParallel:
      return "data-parallel";
    case Strategy::kDiloco:
      break;
  }
  return "diloco";
}

}  // namespace

RunIdentity identify(const TrainOptions& options, const Mnist& data) {
  const auto text = [](auto number) { return fmt::format("{}", number); };
  return {{{"strategy", "--strategy", name_of(options.strategy)},
           {"seed", "--seed", text(options.seed)},
           {"inner_steps", "--inner-steps", text(options.inner_steps)},
           {"batch_size", "batch size", text(options.batch_size)},
           {"inner_lr", "learning rate", text(options.inner_lr)},
           {"outer_lr", "outer learning rate", text(options.outer_lr)},
           {"outer_momentum", "outer momentum", text(options.outer_momentum)},
           {"training_images", "number of training images", text(data.train.n_images)},
           {"test_images", "number of test images", text(data.test.n_images)}}};
}

std::uint64_t hash_run(const RunIdentity& identity, const TrainOptions& options) {
  std::string text = fmt::format("{} {}", options.max_syncs, options.target_accuracy);
  for (const auto& option : identity.options) {
    text += ' ' + option.value;
  }
  std::uint64_t hash = 0xCBF29CE484222325U;  // FNV-1a
  for (const char c : text) {
    hash = (hash ^ static_cast<std::uint8_t>(c)) * 0x100000001B3U;
  }
  return hash;
}

}  // namespace wccl::train
