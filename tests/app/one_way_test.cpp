#include <array>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../temporary_folder.h"
#include "app/one_way_frames.h"
#include "app/one_way_summary.h"

namespace wccl::app {
namespace {

using ::testing::HasSubstr;

constexpr phy::PanelSize kPanel{1920, 1200};

/// Frames of a file of so many bytes.
Result<OneWayFrames> frames_of(std::size_t n_bytes,
                               phy::PanelSize panel,
                               const OneWayChoice& choice) {
  const TemporaryFolder folder;
  const std::array paths{folder.path() / "file"};
  std::ofstream(paths[0], std::ios::binary) << std::string(n_bytes, 'x');
  auto files = transfer::SourceFiles::open(paths).value();
  return OneWayFrames::of(files, panel, choice);
}

TEST(OneWayFrames, AutoIsForNearAndFarReceivers) {
  const auto frames = frames_of(1000, kPanel, {});
  ASSERT_TRUE(frames) << frames.error().message;
  EXPECT_EQ(frames->mode_names(), "rgb5-1.5, rgb8-1.5, luma8-0.5");
  EXPECT_EQ(frames->broadcast().frames_needed(), 1U);
}

TEST(OneWayFrames, SmallWindowsLeaveOutLargeCells) {
  const auto frames = frames_of(1000, {640, 360}, {});
  ASSERT_TRUE(frames) << frames.error().message;
  EXPECT_THAT(frames->mode_names(), HasSubstr("rgb5-1.5"));
  EXPECT_THAT(frames->mode_names(), ::testing::Not(HasSubstr("luma8")));
}

TEST(OneWayFrames, FillThePanelAndNameTheirMode) {
  const auto frames = frames_of(1000, {640, 400}, {.mode = "rgb5-1.3"});
  ASSERT_TRUE(frames) << frames.error().message;
  EXPECT_EQ(frames->mode_names(), "rgb5-1.3");
  const auto picture = frames->render(70'000);
  EXPECT_EQ(picture.width, 640);
  EXPECT_EQ(picture.height, 400);
}

TEST(OneWayFrames, WhatCannotBeIsSaid) {
  EXPECT_THAT(frames_of(10, kPanel, {.mode = "fast"}).error().message, HasSubstr("fast"));
  EXPECT_FALSE(frames_of(10, {10, 10}, {}));
  const auto large = frames_of(12'000'000, {640, 400}, {.mode = "luma6-0.5"});
  ASSERT_FALSE(large);
  EXPECT_THAT(large.error().message, HasSubstr("faster mode"));
}

TEST(OneWayFrames, HoldIsTime) {
  const auto frames = frames_of(10, kPanel, {.mode = "luma8-0.5", .hold = 6});
  EXPECT_DOUBLE_EQ(frames->seconds(20), 2);
}

TEST(TransferFigures, GoodputIsOfContentOverTimeOnAir) {
  TransferFigures summary;
  summary.bytes = 3'000'000;
  summary.bytes_came = 1'000'000;
  summary.first_byte = std::chrono::seconds(1);
  summary.last_byte = std::chrono::seconds(3);
  summary.end = std::chrono::seconds(4);
  EXPECT_DOUBLE_EQ(goodput_bps(summary), 4e6);
  EXPECT_DOUBLE_EQ(goodput_from_start_bps(summary), 2e6);
  EXPECT_EQ(to_json(summary)["last_byte_s"], 3);
}

TEST(TransferFigures, AnEmptyFolderIsNotSaidToHaveBeenThere) {
  TransferFigures summary;
  summary.what = "e (empty folder)";
  EXPECT_EQ(to_text(summary), "e (empty folder): done");
  summary.bytes = 10;
  EXPECT_THAT(to_text(summary), HasSubstr("there already"));
}

TEST(TransferFigures, TheTextCountsFromTheStartToTheEnd) {
  TransferFigures summary;
  summary.what = "a (60.0 kB)";
  summary.bytes = summary.bytes_came = 60'000;
  summary.start = std::chrono::seconds(100);
  summary.first_byte = std::chrono::milliseconds(100'780);
  summary.last_byte = summary.end = std::chrono::milliseconds(100'800);
  EXPECT_EQ(to_text(summary), "a (60.0 kB) in 0.8 s: 600 kbit/s");
}

TEST(TransferFigures, TheTextSaysWhereItIsAndWhatWasRenamed) {
  TransferFigures summary;
  summary.what = "e (empty folder)";
  summary.renamed = "1 name was changed: a\\b -> a_b";
  summary.folder = "/home/me/inbox/";
  EXPECT_EQ(to_text(summary),
            "e (empty folder): done\n1 name was changed: a\\b -> a_b\nsaved in /home/me/inbox");
}

TEST(TransferFigures, OneFrameHasNoRate) {
  TransferFigures summary;
  summary.bytes_came = 10;
  EXPECT_EQ(goodput_bps(summary), 0);
}

}  // namespace
}  // namespace wccl::app
