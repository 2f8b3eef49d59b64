#include "eval/sweep.h"

#include <gmock/gmock.h>

namespace wccl::eval {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> values_of(const std::string& text) {
  return parse_sweep("x=" + text).value().front().values;
}

std::string error_of(const std::string& text) {
  const auto axes = parse_sweep(text);
  return axes ? "no error" : axes.error().message;
}

TEST(Sweep, ListsKeepTheirOrderAndText) {
  EXPECT_THAT(values_of("4,2"), ElementsAre("4", "2"));
  EXPECT_THAT(values_of("1/2-3/4-1/2,luma"), ElementsAre("1/2-3/4-1/2", "luma"));
}

TEST(Sweep, RangesIncludeBothEnds) {
  EXPECT_THAT(values_of("3..6"), ElementsAre("3", "4", "5", "6"));
  EXPECT_THAT(values_of("10..30:10"), ElementsAre("10", "20", "30"));
  EXPECT_THAT(values_of("0.1..0.4:0.1"), ElementsAre("0.1", "0.2", "0.3", "0.4"));
  EXPECT_THAT(values_of("-20..20:20"), ElementsAre("-20", "0", "20"));
  EXPECT_THAT(values_of("10..30:15"), ElementsAre("10", "25"));
  EXPECT_THAT(values_of("2..4,9"), ElementsAre("2", "3", "4", "9"));
}

TEST(Sweep, SeveralParametersFitIntoOneText) {
  const auto axes = parse_sweep("cell=3..4,levels=2,4,fps=20").value();
  ASSERT_EQ(axes.size(), 3U);
  EXPECT_EQ(axes[0].name, "cell");
  EXPECT_THAT(axes[0].values, ElementsAre("3", "4"));
  EXPECT_EQ(axes[1].name, "levels");
  EXPECT_THAT(axes[1].values, ElementsAre("2", "4"));
  EXPECT_EQ(axes[2].name, "fps");
}

TEST(Sweep, WhatCannotBeIsAnErrorThatShowsHow) {
  EXPECT_THAT(error_of("cell"), HasSubstr("NAME=VALUES"));
  EXPECT_THAT(error_of(""), HasSubstr("NAME=VALUES"));
  EXPECT_THAT(error_of("=3"), HasSubstr("NAME=VALUES"));
  EXPECT_THAT(error_of("cell="), HasSubstr("value is missing"));
  EXPECT_THAT(error_of("cell=3,,4"), HasSubstr("value is missing"));
  EXPECT_THAT(error_of("cell=8..3"), HasSubstr("goes nowhere"));
  EXPECT_THAT(error_of("cell=3..8:0"), HasSubstr("goes nowhere"));
  EXPECT_THAT(error_of("cell=a..b"), HasSubstr("FIRST..LAST"));
  EXPECT_THAT(error_of("cell=1..1e9"), HasSubstr("more than"));
  EXPECT_THAT(error_of("cell=1..nan"), HasSubstr("FIRST..LAST"));
}

}  // namespace
}  // namespace wccl::eval
