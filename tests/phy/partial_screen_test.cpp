#include "phy/partial_screen.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "phy/receiver.h"
#include "test_camera.h"

namespace wccl::phy {
namespace {

constexpr PanelSize kPanel{1280, 800};
constexpr int kHandPx = 120;  // More than a finder with its white surroundings.

/// Covers a corner of the panel with something grey.
void cover(RgbImage& image, int corner) {
  const int x = corner == 1 || corner == 2 ? image.width - kHandPx : 0;
  const int y = corner >= 2 ? image.height - kHandPx : 0;
  for (int row = y; row < y + kHandPx; ++row) {
    const auto first = image.row(row) + std::ptrdiff_t{3} * x;
    std::fill(first, first + std::ptrdiff_t{3} * kHandPx, std::uint8_t{90});
  }
}

std::size_t count_right_blocks(const CaptureReception& reception, const TestFrame& frame) {
  std::size_t n = 0;
  for (const ScreenReception& screen : reception.screens) {
    EXPECT_EQ(screen.node, frame.header.node);
    for (const FrameReception& received : screen.frames) {
      for (const ReceivedBlock& block : received.blocks) {
        EXPECT_EQ(block.payload, frame.payloads.at(static_cast<std::size_t>(block.index)));
        ++n;
      }
    }
  }
  return n;
}

TestCamera small_camera() {
  TestCamera camera;
  camera.width = 960;
  camera.height = 640;
  return camera;
}

CaptureReception look(
    Receiver& receiver, const TestFrame& frame, Point centre, double yaw_deg, double roll_deg) {
  Rng rng(31);
  TestView view;
  view.panel = &frame.image;
  view.corners = view_corners(kPanel, centre, 700, yaw_deg, roll_deg);
  return receiver.receive(take_picture(small_camera(), {&view, 1}, rng).view(), Instant{});
}

class HiddenFinder : public testing::TestWithParam<int> {};

TEST_P(HiddenFinder, TheFirstCaptureIsReadNevertheless) {
  Rng rng(5);
  TestFrame frame = make_frame(kPanel, *find_mode("luma8-0.5"), 4, 12, rng);
  cover(frame.image, GetParam());
  Receiver receiver;
  const auto reception = look(receiver, frame, {480, 320}, 20, 7);
  ASSERT_EQ(reception.screens.size(), 1U);
  EXPECT_EQ(count_right_blocks(reception, frame), frame.payloads.size());
  const auto expected = view_corners(kPanel, {480, 320}, 700, 20, 7);
  for (std::size_t corner = 0; corner < 4; ++corner) {
    EXPECT_NEAR(reception.screens[0].corners[corner].x, expected[corner].x, 2.5);
    EXPECT_NEAR(reception.screens[0].corners[corner].y, expected[corner].y, 2.5);
  }
}

INSTANTIATE_TEST_SUITE_P(AllCorners, HiddenFinder, testing::Range(0, 4));

TEST(PartialScreen, ACornerOutsideThePictureLosesOnlyWhatIsThere) {
  Rng rng(6);
  const TestFrame frame = make_frame(kPanel, *find_mode("luma8-0.5"), 4, 12, rng);
  Receiver receiver;
  const auto reception = look(receiver, frame, {430, 240}, 0, 12);
  ASSERT_EQ(reception.screens.size(), 1U);
  EXPECT_LT(reception.screens[0].corners[0].y, -40);
  EXPECT_EQ(count_right_blocks(reception, frame), frame.payloads.size());
}

TEST(PartialScreen, TwoCoveredFindersDoNotEndATrack) {
  Rng rng(7);
  Receiver receiver;
  for (std::uint16_t sequence = 0; sequence < 3; ++sequence) {
    TestFrame frame = make_frame(kPanel, *find_mode("luma8-0.5"), 4, sequence, rng);
    if (sequence > 0) {
      cover(frame.image, 0);
      cover(frame.image, 1);
    }
    // Held by hand: it moves by two pixels from capture to capture.
    const auto reception = look(receiver, frame, {476.0 + 2 * sequence, 320}, 0, 2);
    ASSERT_EQ(reception.screens.size(), 1U);
    EXPECT_EQ(count_right_blocks(reception, frame), frame.payloads.size());
  }
}

TEST(PartialScreen, FindersAtRandomPlacesAreNoScreen) {
  Rng rng(8);
  YuvImage picture(640, 400);
  for (auto& pixel : picture.y) {
    pixel = static_cast<std::uint8_t>(rng.below(256));
  }
  std::vector<Finder> finders;
  for (int i = 0; i < 30; ++i) {
    finders.push_back({{static_cast<double>(rng.below(640)), static_cast<double>(rng.below(400))},
                       4.0 + static_cast<double>(rng.below(3)),
                       16,
                       0.8});
  }
  const std::array<double, 2> lens_ks{0, -0.05};
  EXPECT_TRUE(detect_partial_screens(picture.view().y, finders, lens_ks).empty());
}

}  // namespace
}  // namespace wccl::phy
