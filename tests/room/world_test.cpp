#include "room/world.h"

#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "base/rng.h"

namespace wccl::room {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// A small and fast room: what happens matters here, not how it looks.
Scene small_scene(int n_nodes = 2) {
  Scene scene = make_scene("face_1080p", "", n_nodes).value();
  for (const char* change :
       {"camera.width_px=160", "camera.height_px=120", "panel.width_px=96", "panel.height_px=64"}) {
    EXPECT_TRUE(override_parameter(scene, change));
  }
  return scene;
}

std::uint64_t digest(const YuvView& picture) {
  std::uint64_t hash = 1469598103934665603U;  // FNV-1a
  for (const PlaneView* plane : {&picture.y, &picture.cb, &picture.cr}) {
    for (int y = 0; y < plane->height; ++y) {
      for (const std::uint8_t byte :
           std::span(plane->row(y), static_cast<std::size_t>(plane->width))) {
        hash = (hash ^ byte) * 1099511628211U;
      }
    }
  }
  return hash;
}

/// Shows a new picture every third refresh and notes all that it lives through.
class Recorder final : public Occupant {
 public:
  explicit Recorder(std::uint64_t seed) : rng_(seed) {}

  Painting next_frame(Instant /*now*/) override {
    if (n_refreshes++ % 3 != 0) {
      return {};
    }
    auto frame = std::make_shared<RgbImage>(96, 64);
    for (auto& value : frame->pixels) {
      value = static_cast<std::uint8_t>(rng_.below(2) * 255);
    }
    return [frame] { return frame; };
  }

  std::function<void(Instant)> decode(const Capture& capture) override {
    return [this, hash = digest(capture.picture), captured_at = capture.captured_at](Instant now) {
      log.push_back({captured_at, now, hash});
    };
  }

  struct Entry {
    Instant captured_at;
    Instant arrived_at;
    std::uint64_t hash;
    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> log;
  int n_refreshes = 0;

 private:
  Rng rng_;
};

struct Room {
  explicit Room(WorldOptions options) : a(1), b(2), world(std::move(options), {&a, &b}) {}
  Recorder a;
  Recorder b;
  World world;
};

WorldOptions small_options(std::uint64_t seed = 1, int n_threads = 2) {
  WorldOptions options;
  options.scene = small_scene();
  options.seed = seed;
  options.n_threads = n_threads;
  return options;
}

void sleep_until(World& world, int node, Instant when) {
  EXPECT_TRUE(world.charge(node, when - world.now()));
}

std::vector<Recorder::Entry> log_of_a_second(std::uint64_t seed, int n_threads) {
  Room room(small_options(seed, n_threads));
  const auto program = [&room](int node) {
    return [&room, node] { sleep_until(room.world, node, Instant(seconds(1))); };
  };
  room.world.run({program(0), program(1)});
  auto log = room.a.log;
  log.insert(log.end(), room.b.log.begin(), room.b.log.end());
  return log;
}

TEST(World, SameSeedGivesSameBytesWithAnyNumberOfThreads) {
  const auto log = log_of_a_second(7, 1);
  EXPECT_GT(log.size(), 40U);
  EXPECT_EQ(log, log_of_a_second(7, 2));
  EXPECT_EQ(log, log_of_a_second(7, 4));
}

TEST(World, AnotherSeedGivesOtherBytes) {
  EXPECT_NE(log_of_a_second(7, 2), log_of_a_second(8, 2));
}

TEST(World, ChargeTakesExactlyItsVirtualTime) {
  Room room(small_options());
  room.world.run({[&] {
                    EXPECT_TRUE(room.world.charge(0, milliseconds(250)));
                    EXPECT_EQ(room.world.now(), Instant(milliseconds(250)));
                    EXPECT_TRUE(room.world.charge(0, Duration::zero()));
                    EXPECT_EQ(room.world.now(), Instant(milliseconds(250)));
                  },
                  [] {}});
}

TEST(World, PanelsRefreshAndCamerasCaptureAtTheirRates) {
  Room room(small_options());
  room.world.run({[&] { sleep_until(room.world, 0, Instant(seconds(2))); }, [] {}});
  EXPECT_NEAR(room.a.n_refreshes, 120, 1);
  EXPECT_NEAR(static_cast<double>(room.a.log.size()), 57,
              2);  // the last ones are still on their way
}

TEST(World, CapturesArriveInOrderAfterReadOutAndLatency) {
  Room room(small_options());
  room.world.run({[&] { sleep_until(room.world, 0, Instant(seconds(1))); }, [] {}});
  Instant last_capture = Instant::min();
  Instant last_arrival = Instant::min();
  for (const auto& entry : room.a.log) {
    EXPECT_GE(entry.arrived_at - entry.captured_at, milliseconds(20 + 80));
    EXPECT_GT(entry.captured_at, last_capture);
    EXPECT_GE(entry.arrived_at, last_arrival);
    last_capture = entry.captured_at;
    last_arrival = entry.arrived_at;
  }
}

TEST(World, WaitReturnsWhenItsConditionComesTrue) {
  Room room(small_options());
  room.world.run({[&] {
                    const auto met =
                        room.world.wait(0, [&] { return room.a.log.size() >= 3; }, Instant::max());
                    ASSERT_TRUE(met);
                    EXPECT_TRUE(*met);
                    EXPECT_EQ(room.a.log.size(), 3U);
                    EXPECT_EQ(room.world.now(), room.a.log.back().arrived_at);
                  },
                  [] {}});
}

TEST(World, WaitReturnsAtItsDeadline) {
  Room room(small_options());
  room.world.run({[&] {
                    const auto met =
                        room.world.wait(0, [] { return false; }, Instant(milliseconds(123)));
                    ASSERT_TRUE(met);
                    EXPECT_FALSE(*met);
                    EXPECT_EQ(room.world.now(), Instant(milliseconds(123)));
                  },
                  [] {}});
}

TEST(World, WaitForWhatHoldsAlreadyTakesNoTime) {
  Room room(small_options());
  room.world.run({[&] {
                    EXPECT_TRUE(room.world.wait(0, [] { return true; }, Instant::max()).value());
                    EXPECT_FALSE(room.world.wait(0, [] { return false; }, Instant{}).value());
                    EXPECT_EQ(room.world.now(), Instant{});
                  },
                  [] {}});
}

TEST(World, WaitingProgramsAreCancelledAtTheEnd) {
  WorldOptions options = small_options();
  options.end = Instant(milliseconds(300));
  Room room(std::move(options));
  ErrorCode codes[3] = {};
  room.world.run({[&] {
                    codes[0] =
                        room.world.wait(0, [] { return false; }, Instant::max()).error().code;
                    codes[1] = room.world.charge(0, milliseconds(1)).error().code;
                  },
                  [&] { codes[2] = room.world.charge(1, seconds(5)).error().code; }});
  EXPECT_THAT(codes, testing::Each(ErrorCode::kCancelled));
  EXPECT_EQ(room.world.now(), Instant(milliseconds(300)));
}

TEST(World, WhatAProgramThrowsComesOutOfRunAndCancelsTheOthers) {
  Room room(small_options());
  bool other_cancelled = false;
  const auto thrower = [&] {
    EXPECT_TRUE(room.world.charge(0, milliseconds(50)));
    throw std::runtime_error("rank 0 is ill");
  };
  const auto waiter = [&] {
    other_cancelled = !room.world.wait(1, [] { return false; }, Instant::max());
  };
  EXPECT_THROW(room.world.run({thrower, waiter}), std::runtime_error);
  EXPECT_TRUE(other_cancelled);
}

class Thrower final : public Occupant {
 public:
  Painting next_frame(Instant /*now*/) override { return {}; }
  std::function<void(Instant)> decode(const Capture& /*capture*/) override {
    throw std::logic_error("decoder is broken");
  }
};

TEST(World, WhatADecoderThrowsComesOutOfRun) {
  Thrower broken;
  Recorder sound(1);
  World world(small_options(), {&broken, &sound});
  const auto sleep = [&world](int node) {
    return [&world, node] {
      EXPECT_EQ(world.charge(node, seconds(9)).error().code, ErrorCode::kCancelled);
    };
  };
  EXPECT_THROW(world.run({sleep(0), sleep(1)}), std::logic_error);
}

TEST(World, ProgramsRunOneAfterAnotherWhileTimeStandsStill) {
  Room room(small_options());
  std::vector<std::string>
      order;  // no lock: the world lets only one of them run at a time after the start
  const auto program = [&](int node, int step_ms) {
    return [&, node, step_ms] {
      EXPECT_TRUE(room.world.charge(node, milliseconds(1 + node)));
      for (int i = 0; i < 20; ++i) {
        order.push_back(std::to_string(node) + "@" +
                        std::to_string(room.world.now().time_since_epoch().count()));
        EXPECT_TRUE(room.world.charge(node, milliseconds(step_ms)));
      }
    };
  };
  room.world.run({program(0, 7), program(1, 5)});
  EXPECT_EQ(order.size(), 40U);
  EXPECT_THAT(order, testing::Contains("0@8000"));
  EXPECT_THAT(order, testing::Contains("1@7000"));
}

TEST(World, LastCaptureIsWhatArrivedLast) {
  Room room(small_options());
  room.world.run(
      {[&] {
         EXPECT_EQ(room.world.last_capture(0), nullptr);
         EXPECT_TRUE(
             room.world.wait(0, [&] { return room.a.log.size() == 5; }, Instant::max()).value());
         EXPECT_EQ(digest(room.world.last_capture(0)->view()), room.a.log.back().hash);
       },
       [] {}});
}

TEST(World, RunsAgainFromWhereItStopped) {
  Room room(small_options());
  room.world.run({[&] { sleep_until(room.world, 0, Instant(milliseconds(200))); }, [] {}});
  room.world.run({[] {}, [&] { EXPECT_TRUE(room.world.charge(1, milliseconds(100))); }});
  EXPECT_EQ(room.world.now(), Instant(milliseconds(300)));
}

}  // namespace
}  // namespace wccl::room
