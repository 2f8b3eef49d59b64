#include "eval/plan.h"

#include <set>

#include <gmock/gmock.h>

namespace wccl::eval {
namespace {

using testing::HasSubstr;

PlanRequest request_of(const std::string& sweep) {
  PlanRequest request;
  request.scenes = {"face_1080p"};
  request.modes = {"luma8-0.5"};
  request.axes = parse_sweep(sweep).value();
  return request;
}

std::string error_of(const std::string& sweep) {
  const auto plan = make_plan(request_of(sweep));
  return plan ? "no error" : plan.error().message;
}

TEST(Plan, WithoutAnythingItMeasuresAFewModesInTheNamedScenes) {
  const Plan plan = make_plan({}).value();
  EXPECT_EQ(plan.points.size(), default_scenes().size() * default_modes().size());
  EXPECT_TRUE(plan.notes.empty());
}

TEST(Plan, AxesMultiply) {
  const Plan plan = make_plan(request_of("hold=2..4,yaw=0,20")).value();
  ASSERT_EQ(plan.points.size(), 6U);
  EXPECT_EQ(plan.points[1].hold, 2);
  EXPECT_EQ(plan.points[1].set.front().first, "layout.turn_deg");
  EXPECT_EQ(plan.points[1].set.front().second, "20");
}

TEST(Plan, FiltersChooseModesOfTheLadderAndSayWhichValuesItLacks) {
  PlanRequest request = request_of("cell=5..7,colours=luma");
  request.modes.clear();
  const Plan plan = make_plan(request).value();
  ASSERT_EQ(plan.points.size(), 2U);  // luma6 and luma5; nothing has 7.
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_THAT(plan.notes[0], HasSubstr("cell=7"));
}

TEST(Plan, FramesASecondBecomeHolds) {
  const Plan plan = make_plan(request_of("fps=10..30:5")).value();
  std::multiset<int> holds;
  for (const Point& point : plan.points) {
    holds.insert(point.hold);
  }
  EXPECT_EQ(holds, (std::multiset<int>{6, 4, 3, 2}));
  ASSERT_EQ(plan.notes.size(), 1U);
  EXPECT_THAT(plan.notes[0], HasSubstr("25"));
}

TEST(Plan, EveryShortNameOfTheRoomReachesIt) {
  for (const char* sweep :
       {"distance=0.4", "yaw=10", "tilt=5", "exposure=8", "gain=2", "ambient=100", "glare=50",
        "blur=1", "noise=5", "quality=80", "readout=15", "camera_fps=15", "camera=1280x720",
        "panel=1366x768", "light.veil_nits=3", "node1.camera.k1=0"}) {
    EXPECT_EQ(error_of(sweep), "no error") << sweep;
  }
}

TEST(Plan, TheSamePointIsMeasuredOnce) {
  EXPECT_EQ(make_plan(request_of("hold=3,fps=20")).value().points.size(), 1U);
}

TEST(Plan, WhatDoesNotExistIsAnErrorThatListsWhatDoes) {
  EXPECT_THAT(error_of("sell=3"), HasSubstr("cell, levels"));
  EXPECT_THAT(error_of("camera.sell=3"), HasSubstr("camera.sell"));
  EXPECT_THAT(error_of("hold=0"), HasSubstr("from 1 to 60"));
  EXPECT_THAT(error_of("hold=x"), HasSubstr("from 1 to 60"));
  EXPECT_THAT(error_of("phase=2"), HasSubstr("from 0 to 1"));
  EXPECT_THAT(error_of("seed=-1"), HasSubstr("whole number"));
  EXPECT_THAT(error_of("blur=99"), HasSubstr("Gaussian blur"));
  EXPECT_THAT(error_of("camera=big"), HasSubstr("1280x720"));
  EXPECT_THAT(error_of("panel=100x80"), HasSubstr("too small"));
  EXPECT_THAT(error_of("cell=7"), HasSubstr("the modes are luma16-0.5"));
  EXPECT_THAT(error_of("mode=fast"), HasSubstr("the modes are luma16-0.5"));
  EXPECT_THAT(error_of("fps=25"), HasSubstr("nothing is left"));
  PlanRequest request;
  request.scenes = {"moon"};
  EXPECT_THAT(make_plan(request).error().message, HasSubstr("face_1080p"));
}

TEST(Plan, KeysTellAllPointsApart) {
  std::set<std::string> keys;
  const Plan plan = make_plan(request_of("hold=2,3,seed=1,2,phase=0,0.5,yaw=0,10")).value();
  for (const Point& point : plan.points) {
    keys.insert(key_of(point));
  }
  EXPECT_EQ(keys.size(), 16U);
}

}  // namespace
}  // namespace wccl::eval
