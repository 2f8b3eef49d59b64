#include "phy/finder_detector.h"

#include <cmath>

#include <gtest/gtest.h>

#include "phy/homography.h"
#include "phy/screen_geometry.h"
#include "test_camera.h"

namespace wccl::phy {
namespace {

constexpr PanelSize kPanel{1280, 800};

/// Distance from the finder that should be at a corner to the nearest one found.
double miss(const std::vector<Finder>& finders,
            const std::array<Point, 4>& corners,
            std::size_t corner) {
  const std::array<Point, 4> panel{{{0, 0}, {1280, 0}, {1280, 800}, {0, 800}}};
  const Point expected = Homography::fit(panel, corners)->map(finder_centres(kPanel)[corner]);
  double nearest = 1e9;
  for (const Finder& finder : finders) {
    nearest =
        std::min(nearest, std::hypot(finder.centre.x - expected.x, finder.centre.y - expected.y));
  }
  return nearest;
}

struct View {
  double width_px;
  double yaw_deg;
  double roll_deg;
};

class FinderViews : public testing::TestWithParam<View> {};

TEST_P(FinderViews, AllFourCornersAreFoundToAThirdOfAPixel) {
  const View view = GetParam();
  Rng rng(11);
  // Node 7: the most tags.
  const TestFrame frame = make_frame(kPanel, *find_mode("rgb6-1.5"), 7, 3, rng);
  TestCamera camera;
  camera.width = 960;
  camera.height = 640;
  TestView shown;
  shown.panel = &frame.image;
  shown.corners = view_corners(kPanel, {480, 320}, view.width_px, view.yaw_deg, view.roll_deg);
  const YuvImage picture = take_picture(camera, {&shown, 1}, rng);
  const auto finders = detect_finders(picture.view().y, FinderScan::kBoth);
  for (std::size_t corner = 0; corner < 4; ++corner) {
    EXPECT_LT(miss(finders, shown.corners, corner), 0.34) << corner;
  }
}

INSTANTIATE_TEST_SUITE_P(SizesAndAngles,
                         FinderViews,
                         testing::Values(View{290, 0, 0},
                                         View{340, 20, 0},
                                         View{420, 30, 10},
                                         View{400, 0, 45},
                                         View{500, 0, 90},
                                         View{500, 10, 200},
                                         View{600, 0, 3},
                                         View{900, 0, 0}));

TEST(FinderDetector, NoiseOnBrightAreasHidesNoFinder) {
  Rng rng(12);
  const TestFrame frame = make_frame(kPanel, *find_mode("rgb6-1.5"), 0, 3, rng);
  TestCamera camera;
  camera.width = 960;
  camera.height = 640;
  camera.noise = 20;
  camera.white = 235;
  TestView shown;
  shown.panel = &frame.image;
  shown.corners = view_corners(kPanel, {480, 320}, 700, 5, 3);
  const YuvImage picture = take_picture(camera, {&shown, 1}, rng);
  const auto finders = detect_large_finders(picture.view().y);
  for (std::size_t corner = 0; corner < 4; ++corner) {
    EXPECT_LT(miss(finders, shown.corners, corner), 1.5) << corner;
  }
}

TEST(FinderDetector, FindersCutByThePicturesEdgeAreFound) {
  Rng rng(13);
  const TestFrame frame = make_frame(kPanel, *find_mode("luma8-0.5"), 5, 3, rng);
  TestCamera camera;
  camera.width = 960;
  camera.height = 564;
  TestView shown;
  shown.panel = &frame.image;
  shown.corners = view_corners(kPanel, {480, 282}, 950, 0, 0);
  const YuvImage picture = take_picture(camera, {&shown, 1}, rng);
  const auto finders = detect_finders(picture.view().y, FinderScan::kRows);
  for (std::size_t corner = 0; corner < 4; ++corner) {
    EXPECT_LT(miss(finders, shown.corners, corner), 1) << corner;
  }
}

TEST(FinderDetector, KnownScreensAreLeftOut) {
  Rng rng(14);
  const TestFrame frame = make_frame(kPanel, *find_mode("luma8-0.5"), 5, 3, rng);
  TestCamera camera;
  camera.width = 640;
  camera.height = 400;
  TestView shown;
  shown.panel = &frame.image;
  shown.corners = view_corners(kPanel, {320, 200}, 500, 0, 0);
  const YuvImage picture = take_picture(camera, {&shown, 1}, rng);
  EXPECT_GE(detect_large_finders(picture.view().y).size(), 4U);
  EXPECT_TRUE(detect_large_finders(picture.view().y, {{shown.corners}}).empty());
  EXPECT_TRUE(detect_small_finders(picture.view().y, FinderScan::kRows, {{shown.corners}}).empty());
}

TEST(FinderDetector, NoiseHasNoFinders) {
  Rng rng(5);
  YuvImage picture(320, 240);
  for (auto& pixel : picture.y) {
    pixel = static_cast<std::uint8_t>(rng.below(256));
  }
  EXPECT_LT(detect_finders(picture.view().y, FinderScan::kBoth).size(), 8U);
}

TEST(FinderDetector, TinyPicturesAreEmpty) {
  const std::uint8_t pixel = 0;
  EXPECT_TRUE(detect_finders({&pixel, 1, 1, 1}, FinderScan::kBoth).empty());
}

}  // namespace
}  // namespace wccl::phy
