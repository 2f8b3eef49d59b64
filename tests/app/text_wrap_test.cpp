#include "app/text_wrap.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wccl::app {
namespace {

using testing::ElementsAre;

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_THAT(wrap("move back: the screen", 12), ElementsAre("move back:", "the screen"));
}

TEST(Wrap, CutsWordsThatAreTooLong) {
  EXPECT_THAT(wrap("0123456789", 4), ElementsAre("0123", "4567", "89"));
}

TEST(Wrap, WhatFitsStaysWhole) {
  EXPECT_THAT(wrap("  fits", 6), ElementsAre("  fits"));
}

}  // namespace
}  // namespace wccl::app
