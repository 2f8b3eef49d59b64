#include "app/interrupt.h"

#include <csignal>
#include <cstdlib>

#include <gtest/gtest.h>

#include "app/exit_status.h"

namespace wccl::app {
namespace {

/// In a process of its own: what is counted stays counted.
[[noreturn]] void press(int n_times, const InterruptGuard& /*guard*/) {
  for (int i = 0; i < n_times; ++i) {
    std::raise(SIGINT);
  }
  std::_Exit(interrupted() && !interrupted_twice() ? 0 : 1);
}

TEST(InterruptDeathTest, FirstPressIsCountedAndSaid) {
  EXPECT_EXIT(press(1, InterruptGuard("stopping")), testing::ExitedWithCode(0), "^stopping\n$");
}

TEST(InterruptDeathTest, ThirdPressEndsWhatHangs) {
  EXPECT_EXIT(press(2, InterruptGuard()), testing::ExitedWithCode(1), "^$");
  EXPECT_EXIT(press(3, InterruptGuard()), testing::ExitedWithCode(kExitInterrupted), "^$");
}

TEST(InterruptDeathTest, LastPressCanComeSooner) {
  EXPECT_EXIT(press(2, InterruptGuard(nullptr, 2)), testing::ExitedWithCode(kExitInterrupted),
              "^$");
}

}  // namespace
}  // namespace wccl::app
