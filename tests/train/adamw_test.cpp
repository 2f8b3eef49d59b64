#include "train/adamw.h"

#include <array>
#include <cmath>
#include <vector>

#include <gmock/gmock.h>

namespace wccl::train {
namespace {

TEST(AdamWTest, FirstStepIsTheRateAgainstTheSignOfTheGradient) {
  AdamW optimiser(3, {});
  std::array<float, 3> weights{1.0F, 1.0F, 1.0F};
  optimiser.step(weights, std::array<float, 3>{0.5F, -1e-3F, 0.0F}, 0.1);
  EXPECT_NEAR(weights[0], 0.9F, 1e-6);
  EXPECT_NEAR(weights[1], 1.1F, 1e-5);
  EXPECT_EQ(weights[2], 1.0F);
}

TEST(AdamWTest, FollowsThePapersRecursion) {
  AdamWOptions options;
  options.weight_decay = 0.1F;
  AdamW optimiser(1, options);
  std::array<float, 1> weight{0.5F};
  double theta = 0.5;
  double m = 0;
  double v = 0;
  for (int t = 1; t <= 50; ++t) {
    const double g = std::sin(t);
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    theta -= 0.01 * (m / (1 - std::pow(0.9, t)) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8) +
                     0.1 * theta);
    optimiser.step(weight, std::array<float, 1>{static_cast<float>(g)}, 0.01);
    EXPECT_NEAR(weight[0], theta, 1e-5) << "step " << t;
  }
}

TEST(AdamWTest, FindsTheBottomOfABowl) {
  AdamW optimiser(1, {});
  std::array<float, 1> weight{3.0F};
  for (int i = 0; i < 1000; ++i) {
    optimiser.step(weight, std::array<float, 1>{2.0F * (weight[0] - 1.0F)}, 0.01);
  }
  EXPECT_NEAR(weight[0], 1.0F, 1e-2);
}

}  // namespace
}  // namespace wccl::train
