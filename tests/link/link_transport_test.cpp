#include "link/link_transport.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "link/endpoint.h"
#include "simulated_air.h"

namespace wccl::link {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr phy::PanelSize kPanel{640, 400};

NodeOptions options_of(Rank rank, int world_size) {
  NodeOptions options;
  options.rank = rank;
  options.world_size = world_size;
  options.panel = kPanel;
  options.mode = 3;
  return options;
}

std::vector<std::size_t> block_sizes(phy::ModeId mode) {
  return std::vector(phy::block_slots(kPanel, mode).size(), phy::kBlockPayloadBytes);
}

phy::CaptureReception show(const OutgoingFrame& frame, bool with_blocks, Instant now) {
  phy::ScreenReception screen;
  screen.node = frame.header.node;
  screen.quality.levels[1][0] = 100;
  phy::FrameReception reception{frame.header, {}};
  for (std::size_t i = 0; with_blocks && i < frame.payloads.size(); ++i) {
    reception.blocks.push_back({static_cast<int>(i), frame.payloads[i]});
  }
  screen.frames.push_back(std::move(reception));
  return {now, {screen}};
}

/// Rank 0 is a Node under test, the others are endpoints whose frames it is shown. Nobody sees rank
/// 0.
class Room final : public Waiter {
 public:
  explicit Room(int world_size) : node_(options_of(0, world_size)) {
    for (Rank rank = 1; rank < world_size; ++rank) {
      peers_.push_back(
          std::make_unique<Endpoint>(options_of(rank, world_size), phy::modes(), block_sizes));
    }
  }

  Node& node() { return node_; }
  Endpoint& peer(Rank rank) { return *peers_.at(static_cast<std::size_t>(rank - 1)); }
  void hide(Rank rank) { hidden_ |= 1U << rank; }
  void drop_blocks() { with_blocks_ = false; }
  void cancel_at(Instant instant) { cancelled_ = instant; }

  [[nodiscard]] Instant now() override { return now_; }
  Result<bool> wait(const std::function<bool()>& ready, Instant deadline) override {
    while (!ready()) {
      if (now_ >= cancelled_) {
        return fail(ErrorCode::kCancelled, "the session ends");
      }
      if (now_ >= deadline) {
        return false;
      }
      step();
    }
    return true;
  }

 private:
  void step() {
    now_ += Duration(16'667);
    for (const auto& peer : peers_) {
      const auto frame = peer->next_frame(now_);
      if (!frame || ((hidden_ >> peer->options().rank) & 1U) != 0) {
        continue;
      }
      node_.on_reception(show(*frame, with_blocks_, now_), now_);
    }
  }

  Node node_;
  std::vector<std::unique_ptr<Endpoint>> peers_;
  unsigned hidden_ = 0;
  bool with_blocks_ = true;
  Instant now_{};
  Instant cancelled_ = Instant::max();
};

TEST(LinkTransport, ReceivesWhatAPeerSends) {
  Room room(3);
  LinkTransport transport(room.node(), room, 30s);
  const Bytes message = random_bytes(2'680, 1);
  ASSERT_TRUE(room.peer(2).send(std::array{0}, 5, message).has_value());
  EXPECT_EQ(transport.receive(2, 5).value(), message);
  EXPECT_FALSE(transport.try_receive(2, 5).has_value());
  EXPECT_EQ(transport.rank(), 0);
  EXPECT_EQ(transport.world_size(), 3);
}

TEST(LinkTransport, NamesTheRankThatIsOutOfView) {
  Room room(3);
  LinkTransport transport(room.node(), room, 30s);
  room.hide(2);
  const auto result = transport.receive(2, 1);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kPeerLost);
  EXPECT_EQ(
      result.error().message,
      "rank 2 did not answer within 30 s: its screen is out of view, or it was stopped there");
}

TEST(LinkTransport, NamesTheRankThatIsInViewButSilent) {
  Room room(3);
  LinkTransport transport(room.node(), room, 2500ms);
  const auto result = transport.receive(1, 1);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(result.error().message, "rank 1 did not answer within 2.5 s: in view but silent");
}

TEST(LinkTransport, FlushNamesAllThatDoNotAcknowledge) {
  Room room(3);
  LinkTransport transport(room.node(), room, 5s);
  ASSERT_TRUE(transport.flush().has_value());
  ASSERT_TRUE(transport.send(std::array{1, 2}, 1, random_bytes(10, 1)).has_value());
  const auto status = transport.flush();
  ASSERT_FALSE(status.has_value());
  EXPECT_THAT(status.error().message, HasSubstr("ranks 1 and 2 did not answer within 5 s"));
}

TEST(LinkTransport, WhoWaitsForARankThatHasLeftEndsAtOnceWithItsReason) {
  Room room(3);
  LinkTransport transport(room.node(), room, 30s);
  ASSERT_TRUE(room.peer(1).say_goodbye(std::array{0}, Departure{1, "the disk is full"}));
  const auto result = transport.receive(1, 5);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kPeerLost);
  EXPECT_EQ(result.error().message, "rank 1 has left: the disk is full");
  EXPECT_LT(room.now(), Instant(1s));
}

TEST(LinkTransport, WhoLeavesBecauseOfAnotherNamesThatOne) {
  Room room(3);
  LinkTransport transport(room.node(), room, 30s);
  ASSERT_TRUE(room.peer(1).say_goodbye(std::array{0}, Departure{2, "the disk is full"}));
  EXPECT_EQ(transport.receive(1, 5).error().message, "rank 2 has left: the disk is full");
}

TEST(LinkTransport, ADepartureThatNobodyCanHaveHeardOfIsThatOfWhoSaysIt) {
  for (const Rank rank : {0, 7}) {
    Room room(3);
    LinkTransport transport(room.node(), room, 30s);
    ASSERT_TRUE(room.peer(1).say_goodbye(std::array{0}, Departure{rank, "I say so"}));
    EXPECT_EQ(transport.receive(1, 5).error().message, "rank 1 has left: I say so");
  }
}

TEST(LinkTransport, ARankThatLeavesEndsNoWaitForAnother) {
  Room room(3);
  LinkTransport transport(room.node(), room, 1s);
  ASSERT_TRUE(room.peer(1).say_goodbye(std::array{0}, Departure{1, "the disk is full"}));
  ASSERT_TRUE(room.peer(2).send(std::array{0}, 5, random_bytes(100'000, 1)));
  EXPECT_TRUE(transport.receive(2, 5).has_value());
}

TEST(LinkTransport, WhatCameBeforeARankLeftIsReceived) {
  Room room(2);
  LinkTransport transport(room.node(), room, 30s);
  ASSERT_TRUE(room.peer(1).send(std::array{0}, 4, random_bytes(10, 1)));
  ASSERT_TRUE(room.peer(1).send(std::array{0}, 5, random_bytes(10, 1)));
  ASSERT_TRUE(transport.receive(1, 4));
  ASSERT_TRUE(room.peer(1).say_goodbye(std::array{0}, Departure{1, "the disk is full"}));
  EXPECT_FALSE(transport.receive(1, 6));
  EXPECT_TRUE(transport.receive(1, 5));
}

TEST(LinkTransport, FlushNamesWhoHasLeftWithoutItsMessage) {
  Room room(2);
  LinkTransport transport(room.node(), room, 30s);
  ASSERT_TRUE(transport.send(std::array{1}, 1, random_bytes(10, 1)));
  ASSERT_TRUE(room.peer(1).say_goodbye(std::array{0}, Departure{1, "the disk is full"}));
  const auto status = transport.flush();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message, "rank 1 has left: the disk is full");
}

TEST(LinkTransport, AGoodbyeIsNoMessage) {
  Room room(2);
  LinkTransport transport(room.node(), room, 1s);
  ASSERT_TRUE(room.peer(1).say_goodbye(std::array{0}, Departure{1, "the disk is full"}));
  EXPECT_FALSE(transport.receive(1, kGoodbyeTag));
  EXPECT_FALSE(transport.try_receive(1, kGoodbyeTag));
  EXPECT_TRUE(room.node().departure(1));
  EXPECT_EQ(transport.send(std::array{1}, kGoodbyeTag, {}).error().code,
            ErrorCode::kInvalidArgument);
}

TEST(LinkTransport, WhoHasDoneAllIsWaitedForAsAnyOther) {
  Room room(2);
  LinkTransport transport(room.node(), room, 2s);
  ASSERT_TRUE(room.peer(1).say_goodbye(std::array{0}, std::nullopt));
  EXPECT_EQ(transport.receive(1, 1).error().message,
            "rank 1 did not answer within 2 s: in view but silent");
  EXPECT_TRUE(room.node().has_said_goodbye(1));
}

TEST(LinkTransport, ALongMessageMayTakeLongerThanTheTimeout) {
  Room room(2);
  LinkTransport transport(room.node(), room, 500ms);
  const Bytes message = random_bytes(100'000, 1);
  ASSERT_TRUE(room.peer(1).send(std::array{0}, 5, message).has_value());
  EXPECT_EQ(transport.receive(1, 5).value(), message);
  EXPECT_GT(room.now(), Instant(1s));
}

TEST(LinkTransport, TeardownCancelsTheWait) {
  Room room(2);
  LinkTransport transport(room.node(), room, 30s);
  room.cancel_at(Instant(1s));
  const auto result = transport.receive(1, 1);
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

TEST(LinkTransport, RefusesRanksThatAreNoPeers) {
  Room room(2);
  LinkTransport transport(room.node(), room, 30s);
  for (const Rank rank : {-1, 0, 2}) {
    EXPECT_EQ(transport.receive(rank, 1).error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(transport.send(std::array{rank}, 1, {}).error().code, ErrorCode::kInvalidArgument);
  }
}

TEST(Node, PaintsAFrameEveryHold) {
  NodeOptions options = options_of(0, 2);
  options.hold_refreshes = 4;
  Node node(options);
  int n_pictures = 0;
  for (int refresh = 0; refresh < 60; ++refresh) {
    const auto paint = node.next_frame(Instant(refresh * Duration(16'667)));
    if (!paint) {
      continue;
    }
    const auto picture = paint();
    ++n_pictures;
    EXPECT_EQ(picture->width, kPanel.width_px);
    EXPECT_EQ(picture->height, kPanel.height_px);
  }
  EXPECT_EQ(n_pictures, 15);
  EXPECT_GT(node.bytes_on_air(), 15U * 18U);
}

}  // namespace
}  // namespace wccl::link
