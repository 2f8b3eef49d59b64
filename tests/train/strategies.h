#pragma once

#include <string>

#include <gtest/gtest.h>

#include "train/trainer.h"

namespace wccl::train {

/// For tests of what holds whatever the strategy.
inline auto all_strategies() {
  return ::testing::Values(Strategy::kParameterServer, Strategy::kDataParallel, Strategy::kDiloco);
}

inline std::string name_of(const ::testing::TestParamInfo<Strategy>& strategy) {
  switch (strategy.param) {
    case Strategy::kParameterServer:
      return "ParameterServer";
    case Strategy::kDataParallel:
      return "DataParallel";
    case Strategy::kDiloco:
      break;
  }
  return "Diloco";
}

}  // namespace wccl::train
