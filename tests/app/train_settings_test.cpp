#include "app/train_settings.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wccl::app {
namespace {

using testing::HasSubstr;

std::string complaint(const TrainSettings& settings) {
  const auto status = check(settings);
  if (status) {
    return "";
  }
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(status.error().message.find('\n'), std::string::npos) << "one line";
  return status.error().message;
}

TEST(TrainSettings, DefaultsAreSound) {
  EXPECT_TRUE(check(TrainSettings()));
}

TEST(TrainSettings, OneLaptopHasNobodyToTalkTo) {
  TrainSettings settings;
  settings.nodes = 1;
  EXPECT_THAT(complaint(settings), HasSubstr("--nodes must be 2 to 8, not 1"));
}

TEST(TrainSettings, NineLaptopsAreOneTooMany) {
  TrainSettings settings;
  settings.nodes = 9;
  EXPECT_THAT(complaint(settings), HasSubstr("not 9"));
}

TEST(TrainSettings, NumbersOutOfRangeAreNamed) {
  TrainSettings settings;
  settings.inner_steps = 0;
  EXPECT_THAT(complaint(settings), HasSubstr("--inner-steps"));
  settings = {};
  settings.target_accuracy = 90;
  EXPECT_THAT(complaint(settings), HasSubstr("--target-accuracy"));
  settings.target_accuracy = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(complaint(settings), HasSubstr("--target-accuracy"));
  settings = {};
  settings.max_air_time_s = 0;
  EXPECT_THAT(complaint(settings), HasSubstr("--max-air-time"));
}

TEST(TrainSettings, UnknownModeIsNamed) {
  TrainSettings settings;
  settings.mode = "semaphore";
  EXPECT_THAT(complaint(settings), HasSubstr("'semaphore'"));
}

TEST(TrainSettings, RankAndMasterBelongTogetherAndToGloo) {
  TrainSettings settings;
  settings.rank = 0;
  EXPECT_THAT(complaint(settings), HasSubstr("--master"));
  settings.master = Endpoint{"127.0.0.1", 29500};
  EXPECT_THAT(complaint(settings), HasSubstr("gloo"));
  settings.backend = Backend::kGloo;
  EXPECT_EQ(complaint(settings), "");
  settings.rank = 2;
  EXPECT_THAT(complaint(settings), HasSubstr("--rank must be 0 to 1"));
}

TEST(TrainSettings, ALaptopMayHaveARankButNoMaster) {
  TrainSettings settings;
  settings.backend = Backend::kLight;
  EXPECT_EQ(complaint(settings), "");
  settings.rank = 1;
  EXPECT_EQ(complaint(settings), "");
  settings.rank = 2;
  EXPECT_THAT(complaint(settings), HasSubstr("--rank must be 0 to 1"));
  settings.rank = 1;
  settings.master = Endpoint{"127.0.0.1", 29500};
  EXPECT_THAT(complaint(settings), HasSubstr("gloo"));
}

TEST(TrainSettings, TheRoomHasCamerasOfItsOwn) {
  TrainSettings settings;
  settings.devices.camera = "0";
  EXPECT_THAT(complaint(settings), HasSubstr("--backend"));
}

TEST(TrainSettings, EveryNameReadsBackAsItself) {
  for (const auto backend : {Backend::kRoom, Backend::kLight, Backend::kGloo}) {
    EXPECT_EQ(parse_backend(to_string(backend)), backend);
  }
  for (const auto strategy : {train::Strategy::kParameterServer, train::Strategy::kDataParallel,
                              train::Strategy::kDiloco}) {
    EXPECT_EQ(parse_strategy(to_string(strategy)), strategy);
  }
}

TEST(TrainSettings, UnknownNamesAreAnsweredWithTheKnownOnes) {
  EXPECT_THAT(parse_backend("smoke").error().message, HasSubstr("room, light or gloo"));
  EXPECT_THAT(parse_strategy("hope").error().message, HasSubstr("diloco"));
}

TEST(TrainSettings, TwoLaptopsFaceEachOtherAndMoreSitInAHorseshoe) {
  EXPECT_EQ(default_arrangement(2), "pair");
  EXPECT_EQ(default_arrangement(3), "horseshoe");
}

TEST(TrainSettings, DataFolderFollowsTheEnvironment) {
  setenv("HOME", "/home/ada", 1);
  unsetenv("WCCL_MNIST");
  unsetenv("WCCL_HOME");
  EXPECT_EQ(default_data_folder(), "/home/ada/.cache/wccl/mnist");
  setenv("WCCL_HOME", "/srv/wccl", 1);
  EXPECT_EQ(default_data_folder(), "/srv/wccl/mnist");
  setenv("WCCL_MNIST", "/data/digits", 1);
  EXPECT_EQ(default_data_folder(), "/data/digits");
  unsetenv("WCCL_MNIST");
  unsetenv("WCCL_HOME");
}

}  // namespace
}  // namespace wccl::app
