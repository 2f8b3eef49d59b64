#include "link/need_model.h"

#include <gtest/gtest.h>

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

TEST(NeedModel, BlocksThatFailRaiseTheNeed) {
  NeedModel needs(3);
  needs.learn(2, 1.0, 0.5);
  EXPECT_GT(needs.need_db(2), NeedModel::first_need_db(2));
}

TEST(NeedModel, SuccessWithLessThanNeededLowersTheNeedOfLongerHoldsToo) {
  NeedModel needs(3);
  needs.learn(2, -2.0, 1.0);
  EXPECT_EQ(needs.need_db(2), -2.0);
  EXPECT_EQ(needs.need_db(4), -2.0);
}

TEST(NeedModel, AProbeThatFailsBesideAModeThatWorksIsTheModesFault) {
  NeedModel needs(3);
  needs.learn_from_probe(1, 2, 2.0, 0.1, 0.5, 2);
  EXPECT_LE(needs.need_db(2), 0.5);
  EXPECT_LT(needs.bias_db(1), -1);
  EXPECT_EQ(needs.bias_db(2), 0);
}

TEST(NeedModel, AnotherSceneForgetsFailures) {
  NeedModel needs(3);
  needs.learn_from_probe(1, 2, 2.0, 0.1, 0.5, 2);
  needs.on_new_scene();
  EXPECT_EQ(needs.bias_db(1), 0);
  EXPECT_LE(needs.need_db(2), NeedModel::first_need_db(2));
}

TEST(NeedModel, TimeForgetsFailures) {
  NeedModel needs(3);
  needs.learn(2, 2.0, 0.1);
  const double before = needs.need_db(2);
  for (int second = 1; second <= 5; ++second) {
    needs.forget(2, Instant(second * 1s));
  }
  EXPECT_LT(needs.need_db(2), before - 0.3);
}

}  // namespace
}  // namespace wccl::link
