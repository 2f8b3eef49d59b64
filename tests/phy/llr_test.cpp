#include "phy/llr.h"

#include <limits>

#include <gtest/gtest.h>

namespace wccl::phy {
namespace {

TEST(Llr, StepIsAnEighthOfANat) {
  EXPECT_EQ(to_llr(1.0F), 8);
  EXPECT_EQ(to_llr(-2.5F), -20);
}

TEST(Llr, RoundsToNearestAlikeOnBothSides) {
  EXPECT_EQ(to_llr(0.07F), 1);
  EXPECT_EQ(to_llr(-0.07F), -1);
  EXPECT_EQ(to_llr(0.06F), 0);
  EXPECT_EQ(to_llr(-0.06F), 0);
}

TEST(Llr, SaturatesSymmetrically) {
  EXPECT_EQ(to_llr(1e9F), 127);
  EXPECT_EQ(to_llr(-1e9F), -127);
  EXPECT_EQ(to_llr(std::numeric_limits<float>::infinity()), 127);
  EXPECT_EQ(to_llr(-std::numeric_limits<float>::infinity()), -127);
}

}  // namespace
}  // namespace wccl::phy
