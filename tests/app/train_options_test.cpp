#include "app/train_options.h"

#include <algorithm>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

namespace wccl::app {
namespace {

Result<TrainSettings> parse(std::vector<std::string> arguments) {
  CLI::App program;
  TrainOptionTexts texts;
  add_train_options(program, texts);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes a stack.
  program.parse(arguments);
  return to_settings(texts);
}

TEST(TrainOptions, NoOptionsMeanTheDemo) {
  const auto settings = parse({"train"});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->nodes, 2);
  EXPECT_EQ(settings->scene, "face_1080p");
  EXPECT_EQ(settings->arrangement, "pair");
  EXPECT_EQ(settings->backend, Backend::kRoom);
  EXPECT_EQ(settings->strategy, train::Strategy::kDiloco);
  EXPECT_EQ(settings->target_accuracy, 0.90);
  EXPECT_EQ(settings->max_air_time_s, 120);
  EXPECT_EQ(settings->seed, 1U);
}

TEST(TrainOptions, ThreeLaptopsSitInAHorseshoeUnlessToldOtherwise) {
  EXPECT_EQ(parse({"train", "--nodes", "3"})->arrangement, "horseshoe");
  EXPECT_EQ(parse({"train", "--nodes", "3", "--arrangement", "circle"})->arrangement, "circle");
}

TEST(TrainOptions, RoomAndRealDevicesExcludeEachOther) {
  EXPECT_THROW(static_cast<void>(parse({"train", "--screen", "0", "--scene", "dim"})),
               CLI::ExcludesError);
  EXPECT_THROW(static_cast<void>(parse({"train", "--camera", "0", "--arrangement", "pair"})),
               CLI::ExcludesError);
  EXPECT_THROW(static_cast<void>(parse({"train", "--screen", "0", "--set", "camera.fps=15"})),
               CLI::ExcludesError);
}

TEST(TrainOptions, SetCanBeRepeated) {
  const auto settings = parse({"train", "--set", "camera.fps=15", "--set", "light.ambient_lux=9"});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->overrides,
            (std::vector<std::string>{"camera.fps=15", "light.ambient_lux=9"}));
}

TEST(TrainOptions, NumbersThatAreNoneAreRefused) {
  EXPECT_THROW(parse({"train", "--nodes", "two"}), CLI::ParseError);
  EXPECT_THROW(parse({"train", "--seed", "-1"}), CLI::ParseError);
  EXPECT_THROW(parse({"train", "--seed", "1.5"}), CLI::ParseError);
  EXPECT_THROW(parse({"train", "--seed", "99999999999999999999"}), CLI::ParseError);
  EXPECT_THROW(parse({"train", "--max-air-time", "soon"}), CLI::ParseError);
}

TEST(TrainOptions, NamesAreLookedUp) {
  EXPECT_FALSE(parse({"train", "--strategy", "hope"}));
  EXPECT_FALSE(parse({"train", "--backend", "smoke"}));
}

TEST(TrainOptions, AScreenOrACameraMakesItThisLaptops) {
  const auto room = parse({"train"});
  ASSERT_TRUE(room);
  EXPECT_EQ(room->backend, Backend::kRoom);
  const auto light = parse({"train", "--camera", "x11grab::2"});
  ASSERT_TRUE(light);
  EXPECT_EQ(light->backend, Backend::kLight);
  EXPECT_EQ(light->devices.camera, "x11grab::2");
}

// How a process starts its peers: what is lost here, a rank would not know.
TEST(TrainOptions, SettingsSurviveTheWayThroughArguments) {
  const auto asked = parse({"train",
                            "--nodes",
                            "3",
                            "--scene",
                            "dim",
                            "--set",
                            "a=1",
                            "--set",
                            "b=2",
                            "--backend",
                            "gloo",
                            "--strategy",
                            "data-parallel",
                            "--inner-steps",
                            "7",
                            "--target-accuracy",
                            "0.123456789",
                            "--max-air-time",
                            "0.1",
                            "--timeout",
                            "2.5",
                            "--seed",
                            "18446744073709551615",
                            "--data",
                            "/with space",
                            "--out",
                            "/run",
                            "--json",
                            "--rank",
                            "2",
                            "--master",
                            "10.0.0.1:29500"});
  ASSERT_TRUE(asked);
  const auto heard = parse(to_arguments(*asked));
  ASSERT_TRUE(heard);
  EXPECT_EQ(to_arguments(*heard), to_arguments(*asked));
  EXPECT_EQ(heard->seed, 18446744073709551615U);
  EXPECT_EQ(heard->target_accuracy, 0.123456789);
  EXPECT_EQ(heard->inner_steps, 7);
  EXPECT_EQ(heard->timeout_s, 2.5);
  EXPECT_EQ(heard->rank, 2);
  EXPECT_EQ(heard->master->port, 29500);
  EXPECT_EQ(heard->data, "/with space");
}

}  // namespace
}  // namespace wccl::app
