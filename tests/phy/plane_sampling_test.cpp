#include "phy/plane_sampling.h"

#include <array>
#include <limits>

#include <gtest/gtest.h>

namespace wccl::phy {
namespace {

// 3 x 2 pixels.
constexpr std::array<std::uint8_t, 6> kPixels{10, 20, 30, 40, 50, 60};

PlaneView plane() {
  return {kPixels.data(), 3, 2, 3};
}

TEST(SampleBilinear, IsExactAtCentresAndLinearBetween) {
  EXPECT_FLOAT_EQ(sample_bilinear(plane(), 1.5, 0.5), 20);
  EXPECT_FLOAT_EQ(sample_bilinear(plane(), 1.0, 0.5), 15);
  EXPECT_FLOAT_EQ(sample_bilinear(plane(), 1.0, 1.0), 30);
}

TEST(SampleBilinear, EdgesGoOnOutside) {
  EXPECT_FLOAT_EQ(sample_bilinear(plane(), -7, -7), 10);
  EXPECT_FLOAT_EQ(sample_bilinear(plane(), 1e30, 1e30), 60);
}

TEST(SampleBilinear, WhatIsNoPlaceStaysInThePicture) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_FLOAT_EQ(sample_bilinear(plane(), nan, nan), 10);
  EXPECT_FLOAT_EQ(sample_bilinear(plane(), infinity, -infinity), 30);
}

}  // namespace
}  // namespace wccl::phy
