#include "phy/receiver.h"

#include <set>

#include <gtest/gtest.h>

#include "phy/transmitter.h"
#include "test_camera.h"

namespace wccl::phy {
namespace {

constexpr PanelSize kPanel{1280, 800};

TestCamera small_camera() {
  TestCamera camera;
  camera.width = 960;
  camera.height = 640;
  return camera;
}

TestView view_of(
    const TestFrame& frame, Point centre, double width_px, double yaw_deg, double roll_deg) {
  TestView view;
  view.panel = &frame.image;
  view.corners = view_corners(frame.header.panel, centre, width_px, yaw_deg, roll_deg);
  return view;
}

/// Blocks of `frame` in the reception; every one must be right.
std::size_t count_blocks(const ScreenReception& screen, const TestFrame& frame) {
  std::size_t n = 0;
  for (const FrameReception& received : screen.frames) {
    if (received.header.sequence != frame.header.sequence) {
      continue;
    }
    EXPECT_EQ(received.header, frame.header);
    for (const ReceivedBlock& block : received.blocks) {
      EXPECT_EQ(block.payload, frame.payloads.at(static_cast<std::size_t>(block.index)));
      ++n;
    }
  }
  return n;
}

struct Case {
  const char* mode;
  double width_px;
  double yaw_deg;
  double roll_deg;
  double k1;
};

class ReceiverViews : public testing::TestWithParam<Case> {};

TEST_P(ReceiverViews, EveryBlockOfACleanCaptureArrives) {
  const Case c = GetParam();
  Rng rng(21);
  const TestFrame frame = make_frame(kPanel, *find_mode(c.mode), 3, 77, rng);
  TestCamera camera = small_camera();
  camera.k1 = c.k1;
  const TestView view = view_of(frame, {470, 330}, c.width_px, c.yaw_deg, c.roll_deg);
  const YuvImage picture = take_picture(camera, {&view, 1}, rng);
  Receiver receiver;
  const CaptureReception reception = receiver.receive(picture.view(), Instant{});
  ASSERT_EQ(reception.screens.size(), 1U);
  const ScreenReception& screen = reception.screens[0];
  EXPECT_EQ(screen.node, 3);
  EXPECT_EQ(count_blocks(screen, frame), frame.payloads.size());
  for (std::size_t corner = 0; corner < 4 && c.k1 == 0; ++corner) {
    EXPECT_NEAR(screen.corners[corner].x, view.corners[corner].x, 1.2);
    EXPECT_NEAR(screen.corners[corner].y, view.corners[corner].y, 1.2);
  }
}

INSTANTIATE_TEST_SUITE_P(SizesAnglesAndModes,
                         ReceiverViews,
                         testing::Values(Case{"luma16-0.5", 290, 0, 1, 0},
                                         Case{"luma12-0.5", 340, 20, 0, 0},
                                         Case{"luma8-0.5", 420, 30, 3, 0},
                                         Case{"luma8-0.5", 500, 0, 90, 0},
                                         Case{"luma8-0.5", 500, 10, 181, 0},
                                         Case{"luma8-0.5", 450, 0, 45, 0},
                                         Case{"rgb8-1.5", 600, 0, 0.5, 0},
                                         Case{"rgb6-1.5", 640, 10, 1, 0},
                                         Case{"rgb5-1.5", 800, 0, 1, -0.03},
                                         Case{"rgb8-1.5", 900, 0, 0, -0.06},
                                         Case{"luma8-0.5", 700, 0, 2, -0.15},
                                         Case{"luma8-0.5", 700, 0, 2, 0.15},
                                         Case{"luma8-0.5", 700, 0, 2, -0.2}));

TEST(Receiver, AScreenHigherThanThePictureIsRead) {
  Rng rng(23);
  const TestFrame frame = make_frame(kPanel, *find_mode("luma8-0.5"), 3, 77, rng);
  TestCamera camera = small_camera();
  camera.height = 564;  // 15 rows of the panel's are cut off above and below.
  const TestView view = view_of(frame, {480, 282}, 950, 0, 0);
  Receiver receiver;
  const auto reception = receiver.receive(take_picture(camera, {&view, 1}, rng).view(), Instant{});
  ASSERT_EQ(reception.screens.size(), 1U);
  EXPECT_EQ(count_blocks(reception.screens[0], frame), frame.payloads.size());
}

TEST(Receiver, PicturesOfManyPixelsAreSearchedAtHalfTheirSize) {
  Rng rng(24);
  const TestFrame frame = make_frame(kPanel, *find_mode("luma8-0.5"), 3, 77, rng);
  TestCamera camera;
  camera.width = 2720;
  camera.height = 720;
  const TestView view = view_of(frame, {1400, 350}, 900, 5, 3);
  Receiver receiver;
  const auto reception = receiver.receive(take_picture(camera, {&view, 1}, rng).view(), Instant{});
  ASSERT_EQ(reception.screens.size(), 1U);
  EXPECT_EQ(count_blocks(reception.screens[0], frame), frame.payloads.size());
}

TEST(Receiver, ACaptureThatMixesTwoFramesByRowsServesBoth) {
  Rng rng(4);
  const ModeId mode = *find_mode("luma8-0.5");
  const TestFrame first = make_frame(kPanel, mode, 2, 9, rng);
  const TestFrame second = make_frame(kPanel, mode, 2, 10, rng);
  Receiver receiver;
  std::size_t of_first = 0;
  std::size_t of_second = 0;
  // The switch moves up the picture: no capture has either frame as a whole.
  for (const double switch_row : {380.0, 260.0}) {
    TestView view = view_of(first, {480, 320}, 620, 5, 1);
    view.next = &second.image;
    view.switch_row = switch_row;
    const YuvImage picture = take_picture(small_camera(), {&view, 1}, rng);
    const auto reception = receiver.receive(picture.view(), Instant{});
    ASSERT_EQ(reception.screens.size(), 1U);
    of_first += count_blocks(reception.screens[0], first);
    of_second += count_blocks(reception.screens[0], second);
  }
  EXPECT_EQ(of_first, first.payloads.size());
  EXPECT_EQ(of_second, second.payloads.size());
}

TEST(Receiver, BlocksAreGivenOutOnceAndFramesThatNeverDecodedCountAsBad) {
  Rng rng(6);
  const ModeId mode = *find_mode("luma8-0.5");
  const TestFrame good = make_frame(kPanel, mode, 2, 1, rng);
  TestFrame torn = make_frame(kPanel, mode, 2, 2, rng);
  for (int y = 200; y < 600; ++y) {  // A hand over the middle.
    std::fill(torn.image.row(y), torn.image.row(y) + 3 * 1280, std::uint8_t{90});
  }
  const TestFrame last = make_frame(kPanel, mode, 2, 4, rng);
  Receiver receiver;
  int bad = 0;
  std::vector<std::size_t> blocks;
  const std::array<const TestFrame*, 4> shown{&good, &good, &torn, &last};
  for (const TestFrame* frame : shown) {
    const TestView view = view_of(*frame, {480, 320}, 620, 0, 1);
    const YuvImage picture = take_picture(small_camera(), {&view, 1}, rng);
    const auto reception = receiver.receive(picture.view(), Instant{});
    ASSERT_EQ(reception.screens.size(), 1U);
    blocks.push_back(count_blocks(reception.screens[0], *frame));
    bad += reception.screens[0].blocks_bad;
  }
  const std::size_t all = good.payloads.size();
  EXPECT_EQ(blocks, (std::vector<std::size_t>{all, 0, 0, all}));
  EXPECT_EQ(bad, static_cast<int>(all));
}

TEST(Receiver, FillerIsNeitherReportedNorBad) {
  Rng rng(6);
  const ModeId mode = *find_mode("luma8-0.5");
  Receiver receiver;
  int bad = 0;
  std::size_t blocks = 0;
  for (std::uint16_t sequence = 0; sequence < 6; ++sequence) {
    TestFrame frame = make_frame(kPanel, mode, 1, sequence, rng);
    frame.payloads.resize(2);
    frame.image = Transmitter(kPanel).render(frame.header, frame.payloads);
    const TestView view = view_of(frame, {480, 320}, 620, 0, 1);
    const YuvImage picture = take_picture(small_camera(), {&view, 1}, rng);
    const auto reception = receiver.receive(picture.view(), Instant{});
    ASSERT_EQ(reception.screens.size(), 1U);
    blocks += count_blocks(reception.screens[0], frame);
    bad += reception.screens[0].blocks_bad;
  }
  EXPECT_EQ(blocks, 12U);
  EXPECT_EQ(bad, 0);
}

TEST(Receiver, TwoScreensInOnePictureAreReadEachOnItsOwn) {
  Rng rng(8);
  const TestFrame left = make_frame(kPanel, *find_mode("luma8-0.5"), 1, 5, rng);
  const TestFrame right = make_frame(kPanel, *find_mode("luma12-0.5"), 6, 900, rng);
  TestCamera camera;
  camera.width = 1280;
  camera.height = 640;
  const std::array<TestView, 2> views{view_of(left, {330, 330}, 480, 15, 0),
                                      view_of(right, {940, 300}, 520, -15, 2)};
  const YuvImage picture = take_picture(camera, views, rng);
  Receiver receiver;
  const auto reception = receiver.receive(picture.view(), Instant{});
  ASSERT_EQ(reception.screens.size(), 2U);
  EXPECT_EQ(reception.screens[0].node, 1);
  EXPECT_EQ(reception.screens[1].node, 6);
  EXPECT_EQ(count_blocks(reception.screens[0], left), left.payloads.size());
  EXPECT_EQ(count_blocks(reception.screens[1], right), right.payloads.size());
}

TEST(Receiver, AScreenThatMovedIsFoundAgain) {
  Rng rng(9);
  const ModeId mode = *find_mode("luma8-0.5");
  Receiver receiver;
  std::size_t found = 0;
  for (std::uint16_t sequence = 0; sequence < 3; ++sequence) {
    const TestFrame frame = make_frame(kPanel, mode, 1, sequence, rng);
    const TestView view = view_of(frame, {400.0 + 40 * sequence, 320}, 600, 0, 2);
    const YuvImage picture = take_picture(small_camera(), {&view, 1}, rng);
    const auto reception = receiver.receive(picture.view(), Instant{});
    if (reception.screens.size() == 1) {
      found += count_blocks(reception.screens[0], frame);
    }
  }
  EXPECT_EQ(found, 3 * make_frame(kPanel, mode, 1, 0, rng).payloads.size());
}

TEST(Receiver, ACameraHeldByHandLosesNothing) {
  Rng rng(23);
  Receiver receiver;
  std::size_t found = 0;
  std::size_t all = 0;
  for (std::uint16_t sequence = 0; sequence < 5; ++sequence) {
    const TestFrame frame = make_frame(kPanel, *find_mode("rgb8-1.5"), 1, sequence, rng);
    const TestView view =
        view_of(frame, {470 + 1.7 * sequence, 320 + 1.0 * sequence}, 700, 5, 1 + 0.15 * sequence);
    const YuvImage picture = take_picture(small_camera(), {&view, 1}, rng);
    const auto reception = receiver.receive(picture.view(), Instant{});
    all += frame.payloads.size();
    if (reception.screens.size() == 1) {
      found += count_blocks(reception.screens[0], frame);
    }
  }
  EXPECT_EQ(found, all);
}

TEST(Receiver, ARestartedSenderBeginsAfresh) {
  Rng rng(10);
  const ModeId mode = *find_mode("luma8-0.5");
  Receiver receiver;
  for (std::uint16_t epoch = 1; epoch < 3; ++epoch) {
    TestFrame frame = make_frame(kPanel, mode, 1, 0, rng);
    frame.header.epoch = epoch;
    frame.image = Transmitter(kPanel).render(frame.header, frame.payloads);
    const TestView view = view_of(frame, {480, 320}, 600, 0, 2);
    const YuvImage picture = take_picture(small_camera(), {&view, 1}, rng);
    const auto reception = receiver.receive(picture.view(), Instant{});
    ASSERT_EQ(reception.screens.size(), 1U);
    EXPECT_EQ(count_blocks(reception.screens[0], frame), frame.payloads.size());
  }
}

TEST(Receiver, ScreensWithOneNumberAreToldApartByTheirEpochs) {
  Rng rng(17);
  TestCamera camera;
  camera.width = 1280;
  camera.height = 640;
  Receiver receiver;
  for (std::uint16_t sequence = 0; sequence < 3; ++sequence) {
    const TestFrame left =
        make_frame(kPanel, *find_mode("luma8-0.5"), kUnnumberedNode, sequence, rng);
    TestFrame right = make_frame(kPanel, *find_mode("luma8-0.5"), kUnnumberedNode, 900, rng);
    right.header.epoch = 8;
    right.image = Transmitter(kPanel).render(right.header, right.payloads);
    const std::array<TestView, 2> views{view_of(left, {330, 330}, 480, 15, 0),
                                        view_of(right, {940, 300}, 520, -15, 2)};
    const auto reception = receiver.receive(take_picture(camera, views, rng).view(), Instant{});
    ASSERT_EQ(reception.screens.size(), 2U);
    EXPECT_EQ(reception.screens[0].epoch, 7);
    EXPECT_EQ(reception.screens[1].epoch, 8);
    EXPECT_EQ(count_blocks(reception.screens[0], left), left.payloads.size());
  }
}

TEST(Receiver, ASecondImageOfTheSameScreenIsLeftOut) {
  Rng rng(18);
  TestCamera camera;
  camera.width = 1280;
  camera.height = 640;
  const TestFrame frame = make_frame(kPanel, *find_mode("luma8-0.5"), 3, 5, rng);
  const std::array<TestView, 2> views{view_of(frame, {330, 330}, 480, 15, 0),
                                      view_of(frame, {940, 300}, 520, -15, 2)};
  Receiver receiver;
  for (int i = 0; i < 2; ++i) {
    const auto reception = receiver.receive(take_picture(camera, views, rng).view(), Instant{});
    EXPECT_EQ(reception.screens.size(), 1U);
  }
}

TEST(Receiver, AScreenThatGetsItsNumberIsReadOnInPlace) {
  Rng rng(19);
  Receiver receiver;
  for (const std::uint8_t node : {kUnnumberedNode, std::uint8_t{2}}) {
    // The number's sequences begin anew.
    const auto sequence = static_cast<std::uint16_t>(node == kUnnumberedNode ? 40 : 0);
    const TestFrame frame = make_frame(kPanel, *find_mode("luma8-0.5"), node, sequence, rng);
    const TestView view = view_of(frame, {480, 320}, 600, 0, 2);
    const auto reception =
        receiver.receive(take_picture(small_camera(), {&view, 1}, rng).view(), Instant{});
    ASSERT_EQ(reception.screens.size(), 1U);
    EXPECT_EQ(reception.screens[0].node, node);
    EXPECT_EQ(count_blocks(reception.screens[0], frame), frame.payloads.size());
  }
}

TEST(Receiver, AScreenOfAnotherVersionIsReported) {
  Rng rng(20);
  TestFrame foreign = make_frame(kPanel, *find_mode("luma8-0.5"), 3, 5, rng);
  foreign.header.version = 3;
  foreign.image = Transmitter(kPanel).render(foreign.header, foreign.payloads);
  const TestView view = view_of(foreign, {480, 320}, 600, 0, 2);
  Receiver receiver;
  const auto reception =
      receiver.receive(take_picture(small_camera(), {&view, 1}, rng).view(), Instant{});
  EXPECT_TRUE(reception.screens.empty());
  EXPECT_EQ(reception.foreign_versions, std::vector<std::uint8_t>{3});
}

TEST(Receiver, SequencesGoRound) {
  Rng rng(12);
  const ModeId mode = *find_mode("luma8-0.5");
  Receiver receiver;
  for (const int sequence : {65534, 65535, 0, 1}) {
    const TestFrame frame = make_frame(kPanel, mode, 1, static_cast<std::uint16_t>(sequence), rng);
    const TestView view = view_of(frame, {480, 320}, 600, 0, 2);
    const YuvImage picture = take_picture(small_camera(), {&view, 1}, rng);
    const auto reception = receiver.receive(picture.view(), Instant{});
    ASSERT_EQ(reception.screens.size(), 1U);
    EXPECT_EQ(count_blocks(reception.screens[0], frame), frame.payloads.size()) << sequence;
  }
}

TEST(Receiver, TheSameCapturesGiveTheSameResult) {
  Rng rng(13);
  const TestFrame frame = make_frame(kPanel, *find_mode("rgb6-1.5"), 1, 1, rng);
  const TestView view = view_of(frame, {480, 320}, 560, 12, 2);
  const YuvImage picture = take_picture(small_camera(), {&view, 1}, rng);
  Receiver a;
  Receiver b;
  const auto first = a.receive(picture.view(), Instant{});
  const auto second = b.receive(picture.view(), Instant{});
  ASSERT_EQ(first.screens.size(), 1U);
  ASSERT_EQ(second.screens.size(), 1U);
  EXPECT_EQ(first.screens[0].quality.snr_db, second.screens[0].quality.snr_db);
  EXPECT_EQ(first.screens[0].frames[0].blocks.size(), second.screens[0].frames[0].blocks.size());
}

TEST(Receiver, PicturesWithoutAScreenGiveNone) {
  Rng rng(14);
  for (const auto& [width, height] : {std::pair{1, 1}, {2, 3}, {64, 64}, {65, 131}, {641, 359}}) {
    for (int kind = 0; kind < 4; ++kind) {
      YuvImage picture(width, height);
      for (std::size_t i = 0; i < picture.y.size(); ++i) {
        const auto x = static_cast<int>(i) % width;
        picture.y[i] = static_cast<std::uint8_t>(kind == 0   ? 0
                                                 : kind == 1 ? 255
                                                 : kind == 2 ? x / 3 % 2 * 255
                                                             : static_cast<int>(rng.below(256)));
      }
      Receiver receiver;
      EXPECT_TRUE(receiver.receive(picture.view(), Instant{}).screens.empty());
      EXPECT_TRUE(receiver.receive(picture.view(), Instant{}).screens.empty());
    }
  }
}

/// A receiver that knows a screen is then shown anything at all: sizes that change, stripes, noise
/// over parts.
TEST(Receiver, GarbageAfterAScreenDoesNoHarm) {
  Rng rng(15);
  const TestFrame frame = make_frame(kPanel, *find_mode("luma8-0.5"), 1, 1, rng);
  const TestView view = view_of(frame, {480, 320}, 560, 0, 0);
  const YuvImage good = take_picture(small_camera(), {&view, 1}, rng);
  for (int round = 0; round < 6; ++round) {
    Receiver receiver;
    ASSERT_EQ(receiver.receive(good.view(), Instant{}).screens.size(), 1U);
    YuvImage bad = round % 2 == 0 ? good
                                  : YuvImage(static_cast<int>(1 + rng.below(900)),
                                             static_cast<int>(1 + rng.below(600)));
    const std::size_t first = rng.below(bad.y.size());
    for (std::size_t i = first; i < bad.y.size(); ++i) {
      bad.y[i] = static_cast<std::uint8_t>(rng.below(256));
    }
    for (auto& pixel : bad.cb) {
      pixel = static_cast<std::uint8_t>(rng.below(256));
    }
    for (int repeat = 0; repeat < 4; ++repeat) {
      (void)receiver.receive(bad.view(), Instant{});
    }
    const auto after = receiver.receive(good.view(), Instant{});
    EXPECT_EQ(after.screens.size(), 1U);
  }
}

}  // namespace
}  // namespace wccl::phy
