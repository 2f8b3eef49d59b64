#include "link/view_model.h"

#include <gtest/gtest.h>

#include "phy/code_rate.h"

namespace wccl::link {
namespace {

const phy::Mode& mode(std::string_view name) {
  return *phy::find_mode(*phy::find_mode(name));
}

TEST(PredictMargin, OfTheSameModeIsWhatWasMeasured) {
  const phy::Mode luma{"", 16, phy::Colouring::kLuma, 1, {phy::CodeRate::k1_2}};
  EXPECT_NEAR(predict_margin({0, {12, 0, 0}, 8}, luma, luma).db,
              12 - phy::required_snr_db(phy::CodeRate::k1_2), 1e-9);
}

TEST(PredictMargin, FallsWithSmallerCellsAndWeakerCodes) {
  const ViewQuality view{0, {6, 10, 6}, 4.9};
  double last = 100;
  for (const char* to : {"rgb8-1.5", "rgb6-1.5", "rgb6-1.8", "rgb4-1.8", "rgb4-2.4", "rgb3-2.4"}) {
    const double margin = predict_margin(view, mode("rgb8-1.5"), mode(to)).db;
    EXPECT_LT(margin, last) << to;
    last = margin;
  }
}

TEST(PredictMargin, RulesOutCellsBelowTheCamerasResolution) {
  const ViewQuality view{0, {40, 0, 0}, 4};
  EXPECT_LT(predict_margin(view, mode("luma16-0.5"), mode("rgb3-1.5")).db, -1e9);
}

/// What the room showed: green's SNR in one mode, and the weakest layer's margin that its SNR in
/// another means. That of green in dB behind the equaliser, measured with `wccl eval`.
struct Showing {
  const char* scene;
  const char* from;
  double from_px;
  std::array<double, 3> from_snr;
  const char* to;
  double to_px;
  double to_green;
};

TEST(PredictMargin, AgreesWithWhatTheRoomShowed) {
  const Showing showings[] = {
      {"face_1080p", "luma16-0.5", 9.8, {33.2, 0, 0}, "rgb4-1.5", 2.45, 6.48},
      {"face_1080p", "rgb8-1.5", 4.9, {11.6, 15.2, 10.6}, "rgb3-1.5", 1.84, 3.51},
      {"face_1080p", "rgb3-1.5", 1.84, {1.2, 3.5, 1.0}, "rgb6-1.5", 3.6, 11.09},
      {"side_view", "luma16-0.5", 6.3, {34.2, 0, 0}, "rgb4-1.5", 1.57, 1.59},
      {"side_view", "rgb6-1.5", 2.36, {2.1, 6.3, 1.8}, "rgb3-1.5", 1.18, -2.1},
      {"dim", "rgb5-1.5", 3.03, {3.1, 8.3, 2.0}, "rgb3-1.5", 1.81, 3.05},
  };
  for (const Showing& showing : showings) {
    const double predicted =
        predict_margin({0, showing.from_snr, showing.from_px}, mode(showing.from), mode(showing.to))
            .db;
    const double known = predict_margin({0, {0, showing.to_green, 0}, showing.to_px},
                                        mode(showing.to), mode(showing.to))
                             .db;
    EXPECT_NEAR(predicted, known, 1.4) << showing.scene << ' ' << showing.from << ' ' << showing.to;
  }
}

}  // namespace
}  // namespace wccl::link
