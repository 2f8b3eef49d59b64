#include "session/real_time_driver.h"

#include <numeric>
#include <thread>

#include <gmock/gmock.h>

#include "fake_desk.h"
#include "session/device_rank.h"
#include "session/farewell.h"
#include "session/laptop.h"

namespace wccl::session {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kWidth = 640;
constexpr int kHeight = 400;

/// One of two laptops that face each other.
struct Seat {
  Seat(Rank rank,
       const FakeScreen& other,
       FakeScreen& own,
       Duration period,
       const device::SteadyTime& time)
      : screen(own),
        camera(other, period, time),
        laptop(options(rank), LaptopWatch{}),
        driver({&own, &camera, &time},
               laptop,
               {[this] { return presses >= 1; }, [this] { return presses >= 2; }}) {}

  static link::NodeOptions options(Rank rank) {
    link::NodeOptions node;
    node.rank = rank;
    node.panel = {kWidth, kHeight};
    node.epoch = static_cast<std::uint16_t>(100 + rank);
    return node;
  }

  /// Runs a rank's program from calibration to farewell.
  Status run(const std::function<Status(RankContext&)>& program, Duration timeout = seconds(20)) {
    Status status;
    driver.run([&] {
      DeviceRank self(driver, laptop.node(), timeout);
      const auto calibrated =
          self.wait([&] { return laptop.node().calibrated(); }, self.now() + seconds(60));
      if (!calibrated || !*calibrated) {
        status = calibrated ? fail(ErrorCode::kTimeout, "not calibrated")
                            : tl::make_unexpected(calibrated.error());
        return;
      }
      status = program(self);
      if (status) {
        status = say_farewell(self);
      } else {
        status = tl::make_unexpected(say_why_it_leaves(self, status.error()));
      }
    });
    return status;
  }

  std::atomic<int> presses{0};  ///< Of Ctrl-C.
  FakeScreen& screen;
  FakeCamera camera;
  Laptop laptop;
  RealTimeDriver driver;
};

class RealTimeDriverTest : public testing::Test {
 protected:
  explicit RealTimeDriverTest(Duration slow_period = milliseconds(60))
      : a(0, screen_b, screen_a, milliseconds(60), time),
        b(1, screen_a, screen_b, slow_period, time) {}

  void run_both(const std::function<Status(RankContext&)>& program_a,
                const std::function<Status(RankContext&)>& program_b,
                Duration timeout = seconds(20)) {
    std::thread other([&] { status_b = b.run(program_b, timeout); });
    status_a = a.run(program_a, timeout);
    other.join();
  }

  device::SteadyTime time;
  FakeScreen screen_a{kWidth, kHeight, time};
  FakeScreen screen_b{kWidth, kHeight, time};
  Seat a;
  Seat b;
  Status status_a;
  Status status_b;
};

Bytes some_bytes(std::size_t n) {
  Bytes bytes(n);
  for (std::size_t i = 0; i < n; ++i) {
    bytes[i] = static_cast<std::byte>(i * 7 + i / 251);
  }
  return bytes;
}

TEST_F(RealTimeDriverTest, TwoLaptopsExchangeMessages) {
  const Bytes from_a = some_bytes(5000);
  const Bytes from_b = some_bytes(3000);
  Bytes at_a;
  Bytes at_b;
  const auto exchange = [](RankContext& self, Rank other, const Bytes& own,
                           Bytes& theirs) -> Status {
    const std::array to{other};
    if (auto sent = self.transport().send(to, 5, own); !sent) {
      return sent;
    }
    auto received = self.transport().receive(other, 5);
    if (!received) {
      return tl::make_unexpected(received.error());
    }
    theirs = std::move(*received);
    return {};
  };
  run_both([&](RankContext& self) { return exchange(self, 1, from_a, at_a); },
           [&](RankContext& self) { return exchange(self, 0, from_b, at_b); });
  ASSERT_TRUE(status_a) << status_a.error().message;
  ASSERT_TRUE(status_b) << status_b.error().message;
  EXPECT_EQ(at_a, from_b);
  EXPECT_EQ(at_b, from_a);
  for (const StageUse& stage : a.driver.use()) {
    EXPECT_GT(stage.items, 0U) << stage.name;
    EXPECT_GE(stage.slowest, stage.mean()) << stage.name;
  }
}

TEST_F(RealTimeDriverTest, ACoveredPeerIsNamed) {
  run_both(
      [&](RankContext& self) -> Status {
        a.camera.cover(true);
        const auto message = self.transport().receive(1, 5);
        return message ? Status() : tl::make_unexpected(message.error());
      },
      [](RankContext& self) -> Status {
        // Long enough for the other to have seen that all see one another.
        static_cast<void>(self.wait(nullptr, self.now() + seconds(3)));
        return fail(ErrorCode::kIo, "left without a word");
      },
      seconds(4));
  ASSERT_FALSE(status_a);
  EXPECT_EQ(status_a.error().code, ErrorCode::kPeerLost);
  EXPECT_THAT(status_a.error().message, testing::HasSubstr("rank 1"));
}

TEST_F(RealTimeDriverTest, EscEndsEveryWait) {
  std::thread user([this] {
    std::this_thread::sleep_for(milliseconds(100));
    screen_a.leave();
  });
  const Status status = a.run([](RankContext&) { return Status(); });
  user.join();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
}

TEST_F(RealTimeDriverTest, ACameraThatIsGoneForGoodEndsTheProgram) {
  a.camera.break_for_good();
  const Status status = a.run([](RankContext&) { return Status(); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "a fake camera has gone");
}

TEST_F(RealTimeDriverTest, AbortEndsEveryWait) {
  a.presses = 1;
  const Status status = a.run([](RankContext&) { return Status(); });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
}

/// Waits for a message that never comes.
Status wait_for_rank(RankContext& self, Rank from) {
  const auto message = self.transport().receive(from, 5);
  return message ? Status() : tl::make_unexpected(message.error());
}

TEST_F(RealTimeDriverTest, ALaptopThatIsInterruptedSaysSoToWhoWaitsForIt) {
  run_both([](RankContext& self) { return wait_for_rank(self, 1); },
           [this](RankContext& self) {
             b.presses = 1;
             return wait_for_rank(self, 0);
           });
  ASSERT_FALSE(status_a);
  EXPECT_EQ(status_a.error().message, "rank 1 has left: interrupted there");
  EXPECT_EQ(status_b.error().code, ErrorCode::kCancelled);
}

TEST_F(RealTimeDriverTest, ALaptopWhoseScreenIsClosedSaysSoToo) {
  run_both([](RankContext& self) { return wait_for_rank(self, 1); },
           [this](RankContext& self) {
             screen_b.leave();
             return wait_for_rank(self, 0);
           });
  ASSERT_FALSE(status_a);
  EXPECT_EQ(status_a.error().message, "rank 1 has left: interrupted there");
  EXPECT_EQ(status_b.error().code, ErrorCode::kCancelled);
}

TEST_F(RealTimeDriverTest, ALaptopWhoseCameraHasGoneSaysSoToo) {
  run_both([](RankContext& self) { return wait_for_rank(self, 1); },
           [this](RankContext& self) {
             b.camera.break_for_good();
             return wait_for_rank(self, 0);
           });
  ASSERT_FALSE(status_a);
  EXPECT_EQ(status_a.error().message, "rank 1 has left: a fake camera has gone");
  EXPECT_EQ(status_b.error().message, "a fake camera has gone");
}

TEST_F(RealTimeDriverTest, LeavingIsCancelledWhateverTheProgramMakesOfIt) {
  run_both([](RankContext& self) { return wait_for_rank(self, 1); },
           [this](RankContext& self) -> Status {
             screen_b.leave();
             EXPECT_FALSE(wait_for_rank(self, 0));
             return fail(ErrorCode::kPeerLost, "the collective was aborted");
           });
  ASSERT_FALSE(status_b);
  EXPECT_EQ(status_b.error().code, ErrorCode::kCancelled);
}

TEST_F(RealTimeDriverTest, ALaptopWhoseProgramFailsSaysWhy) {
  run_both([](RankContext& self) { return wait_for_rank(self, 1); },
           [](RankContext&) -> Status { return fail(ErrorCode::kIo, "the disk is full"); });
  ASSERT_FALSE(status_a);
  EXPECT_EQ(status_a.error().message, "rank 1 has left: the disk is full");
}

TEST_F(RealTimeDriverTest, AGoodbyeEndsAtTheSecondPress) {
  run_both([](RankContext& self) { return wait_for_rank(self, 1); },
           [this](RankContext& self) {
             b.presses = 1;
             EXPECT_FALSE(self.wait(nullptr, self.now()));
             EXPECT_TRUE(self.take_leave());
             EXPECT_TRUE(self.wait(nullptr, self.now()));
             b.presses = 2;
             return wait_for_rank(self, 0);
           });
  EXPECT_EQ(status_b.error().code, ErrorCode::kCancelled);
}

TEST_F(RealTimeDriverTest, AProgramsExceptionComesOutOfRun) {
  EXPECT_THROW(a.driver.run([] { throw std::logic_error("program is broken"); }), std::logic_error);
}

}  // namespace
}  // namespace wccl::session
