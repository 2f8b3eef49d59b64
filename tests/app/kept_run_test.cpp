#include "app/kept_run.h"

#include <fstream>
#include <string>

#include <gmock/gmock.h>

#include "../temporary_folder.h"

namespace wccl::app {
namespace {

using testing::HasSubstr;

void put_config(const std::filesystem::path& folder, const std::string& text) {
  std::ofstream(folder / "config.json") << text;
}

constexpr const char* kConfig = R"({"wccl_version": "0.1.0", "backend": "room",
  "strategy": "data-parallel", "nodes": 3, "inner_steps": 2, "batch_size": 1024,
  "target_accuracy": 0.7, "max_air_time_s": 60.5, "timeout_s": 12.5,
  "seed": 18446744073709551615, "data": "/digits", "scene": "dim", "arrangement": "horseshoe",
  "overrides": ["camera.fps=15"], "mode": "auto"})";

TEST(KeptRun, GivesItsOptions) {
  const TemporaryFolder folder;
  put_config(folder.path(), kConfig);
  TrainOptionTexts texts;
  ASSERT_TRUE(take_kept_options(folder.path(), texts));
  const auto settings = to_settings(texts);
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->strategy, train::Strategy::kDataParallel);
  EXPECT_EQ(settings->nodes, 3);
  EXPECT_EQ(settings->inner_steps, 2);
  EXPECT_EQ(settings->target_accuracy, 0.7);
  EXPECT_EQ(settings->max_air_time_s, 60.5);
  EXPECT_EQ(settings->timeout_s, 12.5);
  EXPECT_EQ(settings->seed, 18446744073709551615U);
  EXPECT_EQ(settings->data, "/digits");
  EXPECT_EQ(settings->scene, "dim");
  EXPECT_EQ(settings->arrangement, "horseshoe");
  EXPECT_EQ(settings->overrides, std::vector<std::string>{"camera.fps=15"});
}

TEST(KeptRun, AnotherNumberOfLaptopsStandsInItsOwnWay) {
  const TemporaryFolder folder;
  put_config(folder.path(), kConfig);
  TrainOptionTexts texts;
  ASSERT_TRUE(take_kept_options(folder.path(), texts));
  texts.settings.nodes = 2;
  EXPECT_EQ(to_settings(texts)->arrangement, "pair");
}

constexpr const char* kLightConfig = R"({"wccl_version": "0.1.0", "backend": "light",
  "strategy": "diloco", "nodes": 2, "inner_steps": 100, "target_accuracy": 0.9,
  "max_air_time_s": 60, "timeout_s": 30, "seed": 1, "data": "/digits", "screen": "window",
  "camera": "x11grab::1"})";

TEST(KeptRun, ALaptopKeepsItsDevicesAndItsRank) {
  const TemporaryFolder folder;
  put_config(folder.path(), kLightConfig);
  std::ofstream(folder.path() / "state-rank1.safetensors") << "state";
  TrainOptionTexts texts;
  ASSERT_TRUE(take_kept_options(folder.path(), texts));
  const auto settings = to_settings(texts);
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->backend, Backend::kLight);
  EXPECT_EQ(settings->devices.screen, "window");
  EXPECT_EQ(settings->devices.camera, "x11grab::1");
  EXPECT_EQ(settings->rank, 1);
}

TEST(KeptRun, AnotherWayToTheOthersMayBeTyped) {
  const TemporaryFolder folder;
  put_config(folder.path(), kLightConfig);
  TrainOptionTexts texts;
  texts.backend = "room";
  ASSERT_TRUE(take_kept_options(folder.path(), texts));
  const auto settings = to_settings(texts);
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->backend, Backend::kRoom);
  put_config(folder.path(), kConfig);
  TrainOptionTexts with_camera;
  with_camera.settings.devices.camera = "0";
  ASSERT_TRUE(take_kept_options(folder.path(), with_camera));
  EXPECT_EQ(to_settings(with_camera)->backend, Backend::kLight);
}

TEST(KeptRun, AFolderWithoutARunIsNotFound) {
  const TemporaryFolder folder;
  TrainOptionTexts texts;
  const auto status = take_kept_options(folder.path(), texts);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kNotFound);
}

TEST(KeptRun, NumbersThatAreNoWholeOnesAreRefused) {
  for (const char* nodes : {"1e300", "2.5", "3000000000", "true"}) {
    std::string config = kConfig;
    const std::string good = "\"nodes\": 3";
    config.replace(config.find(good), good.size(), std::string("\"nodes\": ") + nodes);
    const TemporaryFolder folder;
    put_config(folder.path(), config);
    TrainOptionTexts texts;
    const auto status = take_kept_options(folder.path(), texts);
    ASSERT_FALSE(status) << nodes;
    EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
  }
}

TEST(KeptRun, OptionsThatMakeNoSenseAreRefused) {
  for (const char* config : {"", "{", "[]", "{}", R"({"backend": 3})", R"({"backend": "room"})"}) {
    const TemporaryFolder folder;
    put_config(folder.path(), config);
    TrainOptionTexts texts;
    const auto status = take_kept_options(folder.path(), texts);
    ASSERT_FALSE(status) << config;
    EXPECT_EQ(status.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(status.error().message, HasSubstr("config.json"));
  }
}

}  // namespace
}  // namespace wccl::app
