#include "link/receiver_views.h"

#include <cmath>

#include <gtest/gtest.h>

namespace wccl::link {
namespace {

const phy::Mode& mode(std::string_view name) {
  return *phy::find_mode(*phy::find_mode(name));
}

AckPacket ack_of(std::string_view name, double snr_db, double cell_px) {
  AckPacket ack;
  ack.quality_mode = *phy::find_mode(name);
  ack.snr.fill(static_cast<std::uint8_t>(std::lround(4 * (snr_db - kLeastSnrDb))));
  ack.cell_px = static_cast<std::uint8_t>(std::lround(8 * cell_px));
  return ack;
}

class Views : public testing::Test {
 protected:
  Views() { views_.set_needed(0b10, 0, Instant{}); }
  ReceiverViews views_{phy::modes()};
};

TEST_F(Views, GoByHowThePeerIsSeenUntilItReports) {
  EXPECT_FALSE(views_.all_known());
  views_.on_view(1, {*phy::find_mode("rgb3-1.8"), {0, 3.5, 0}, 1.84}, Instant{});
  EXPECT_TRUE(views_.all_known());
  EXPECT_FALSE(views_.all_report());
  const double mirrored_db = views_.margin(mode("rgb3-1.5")).db;
  EXPECT_TRUE(std::isfinite(mirrored_db));
  EXPECT_FALSE(views_.on_ack(1, ack_of("rgb3-1.8", 1.5, 1.84), Instant{}));
  EXPECT_LT(views_.margin(mode("rgb3-1.5")).db, mirrored_db - 1);
}

TEST_F(Views, GlareOverLargeCellsTellsLittleOfColours) {
  EXPECT_FALSE(views_.on_ack(1, ack_of("luma16-0.5", 33, 9.8), Instant{}));
  const double clear_db = views_.margin(mode("rgb3-1.5")).db;
  ReceiverViews glare(phy::modes());
  glare.set_needed(0b10, 0, Instant{});
  EXPECT_FALSE(glare.on_ack(1, ack_of("luma16-0.5", 18, 9.8), Instant{}));
  EXPECT_NEAR(glare.margin(mode("rgb3-1.5")).db, clear_db, 0.6);
}

TEST_F(Views, FirstFiguresOfColoursAreNotBelievedToBeVeryGood) {
  EXPECT_FALSE(views_.on_ack(1, ack_of("rgb3-1.8", 6, 1.875), Instant{}));
  const double first_db = views_.margin(mode("rgb3-1.8")).db;
  for (int i = 0; i < 50; ++i) {
    EXPECT_FALSE(views_.on_ack(1, ack_of("rgb3-1.8", 6, 1.875), Instant{}));
  }
  EXPECT_GT(views_.margin(mode("rgb3-1.8")).db, first_db + 1);
}

TEST_F(Views, FirstFiguresOfColoursAreNoMeasureOfWhatIsUsual) {
  EXPECT_FALSE(views_.on_ack(1, ack_of("rgb3-1.8", 6, 1.84), Instant{}));
  EXPECT_FALSE(views_.on_ack(1, ack_of("rgb3-1.8", 3, 1.84), Instant{}));
}

TEST_F(Views, AJumpIsAnotherScene) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(views_.on_ack(1, ack_of("rgb3-1.8", 4, 1.84), Instant{}));
  }
  EXPECT_FALSE(views_.on_ack(1, ack_of("rgb3-1.8", 3.5, 1.84), Instant{}));
  EXPECT_TRUE(views_.on_ack(1, ack_of("rgb3-1.8", -2, 1.84), Instant{}));
}

}  // namespace
}  // namespace wccl::link
