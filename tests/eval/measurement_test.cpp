#include <deque>
#include <memory>
#include <numeric>

#include <gmock/gmock.h>

#include "eval/recording_measurement.h"
#include "eval/result_text.h"
#include "eval/room_measurement.h"
#include "eval/runner.h"
#include "eval/sender.h"
#include "room/camera.h"
#include "small_room.h"

namespace wccl::eval {
namespace {

std::vector<PointResult> measure(const std::vector<Point>& points, int jobs) {
  std::vector<PointResult> results;
  RunOptions options;
  options.jobs = jobs;
  options.on_result = [&](const PointResult& result) {
    results.push_back(result);
    return Status();
  };
  EXPECT_TRUE(measure_all(points, options));
  return results;
}

std::string csv_of(const std::vector<PointResult>& results) {
  return std::accumulate(
      results.begin(), results.end(), csv_header(),
      [](std::string text, const PointResult& result) { return text + to_csv_line(result); });
}

TEST(RoomMeasurement, DeliversWithoutAWrongByteAndRepeatsFromItsSeed) {
  const auto points = make_plan(small_room()).value().points;
  ASSERT_EQ(points.size(), 2U);
  const auto results = measure(points, 2);
  ASSERT_EQ(results.size(), 2U);
  for (const PointResult& result : results) {
    const Figures& figures = result.figures;
    EXPECT_EQ(figures.wrong_bytes, 0);
    EXPECT_EQ(figures.captures, 4);
    EXPECT_EQ(figures.located, 4);
    EXPECT_EQ(figures.frames_read, figures.frames);
    EXPECT_GT(figures.goodput_bps, 0);
    // The bits of delivered blocks went through the cells that are measured here.
    EXPECT_GT(figures.could_carry_bps, 0.9 * figures.goodput_bps);
    EXPECT_NEAR(figures.width_share, 0.8, 0.02);
    EXPECT_GT(figures.cpu_ms.total, 0);
    EXPECT_FALSE(figures.limit.empty());
    EXPECT_FALSE(figures.constellation.empty());
    for (const ChannelFigures& channel : figures.channels) {
      EXPECT_LE(channel.mutual_information, 1);
      EXPECT_GT(channel.mutual_information, 0);
      EXPECT_LT(channel.symbol_error_rate, 0.5);
      EXPECT_EQ(channel.tiles.size(), static_cast<std::size_t>(kTilesAcross * kTilesDown));
    }
  }
  EXPECT_EQ(results[0].figures.channels.size(), 1U);
  EXPECT_EQ(results[1].figures.channels.size(), 3U);
  EXPECT_EQ(csv_of(measure(points, 1)), csv_of(results));
}

TEST(RoomMeasurement, ABlackPictureIsAResultAndNoError) {
  PlanRequest request = small_room();
  request.modes = {"luma12-0.5"};
  request.captures = 2;
  request.axes.push_back({"panel.white_nits", {"0.1"}});
  const auto points = make_plan(request).value().points;
  const Figures figures = measure_in_room(points.front(), {}).value();
  EXPECT_EQ(figures.located, 0);
  EXPECT_EQ(figures.goodput_bps, 0);
  EXPECT_EQ(figures.could_carry_bps, 0);
  EXPECT_EQ(figures.block_error_rate(), 1);
  EXPECT_EQ(figures.limit, "screen not found");
  EXPECT_FALSE(figures.first_block_s);
}

TEST(RoomMeasurement, StopsWhenAsked) {
  RunOptions options;
  options.is_cancelled = [] { return true; };
  const auto status = measure_all(make_plan(small_room()).value().points, options);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
}

class Captures final : public device::CaptureSource {
 public:
  std::optional<Result<YuvImage>> next() override {
    if (pictures.empty()) {
      return std::nullopt;
    }
    YuvImage picture = std::move(pictures.front());
    pictures.pop_front();
    return Result<YuvImage>(std::move(picture));
  }
  std::deque<YuvImage> pictures;
};

/// What a camera sees of `n_frames`, two captures each.
std::deque<YuvImage> film(const Point& point, int n_frames) {
  const auto scene = scene_of(point).value();
  const room::PanelSpec& panel = scene.nodes[0].panel;
  Sender sender(std::make_shared<const phy::Layout>(phy::PanelSize{panel.width_px, panel.height_px},
                                                    point.mode),
                point.seed);
  room::Camera camera(scene, 1, point.seed);
  std::deque<YuvImage> pictures;
  for (int n = 0; n < 2 * n_frames; ++n) {
    const auto begin_of = [](int frame) { return Instant(Duration(100'000 * frame)); };
    std::vector<room::PanelHistory> panels(2);
    for (int frame = std::max(n / 2 - 1, 0); frame <= n / 2; ++frame) {
      panels[0].push_back({begin_of(frame), sender.frame(frame).picture});
    }
    pictures.push_back(camera.capture(panels, Instant(Duration(50'000 * n + 50'000))));
  }
  return pictures;
}

TEST(RecordingMeasurement, KnowsCellsFromTheBlocksThatDecoded) {
  const auto points = make_plan(small_room()).value().points;
  Captures captures;
  captures.pictures = film(points[1], 6);
  const PointResult result = measure_recording(captures, {.fps = 20}).value();
  const Figures& figures = result.figures;
  EXPECT_EQ(result.point.mode, points[1].mode);
  EXPECT_EQ(figures.captures, 12);
  EXPECT_GE(figures.frames_read, 5);
  EXPECT_FALSE(figures.wrong_bytes);
  EXPECT_GT(figures.goodput_bps, 0);
  ASSERT_EQ(figures.channels.size(), 3U);
  EXPECT_GT(figures.channels[1].blocks_ok, 0);
  EXPECT_LT(figures.channels[1].symbol_error_rate, 0.2);
  EXPECT_GT(figures.channels[1].mutual_information, 0.3);
}

TEST(RecordingMeasurement, CapturesWithoutAScreenAreAnError) {
  Captures captures;
  captures.pictures.emplace_back(320, 240);
  const auto result = measure_recording(captures, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace wccl::eval
