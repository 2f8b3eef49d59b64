#include "link/rendezvous.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "link/feedback.h"
#include "link/file_stream.h"
#include "link/identity_words.h"

namespace wccl::link {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr phy::PanelSize kPanel{640, 400};

/// A laptop on the table: in the rendezvous until it has agreed, then a node.
struct Player {
  explicit Player(Rendezvous::Options given) : options(given), rendezvous(given) {}

  Rendezvous::Options options;
  Rendezvous rendezvous;
  std::optional<phy::FrameHeader> shown;
  std::optional<Rendezvous::Agreement> agreement;
  bool sees_itself = false;  ///< In a mirror.
  int start_ms = 0;
  Duration capture_period{33'333};
  std::deque<std::pair<Instant, phy::CaptureReception>> arriving;
};

/// Laptops that see one another's headers, a camera's latency later.
class Table {
 public:
  Player& seat(std::uint16_t identity, int world_size = 0, bool first = false) {
    Rendezvous::Options options{identity, world_size, first, kPanel};
    players_.push_back(std::make_unique<Player>(options));
    return *players_.back();
  }
  void leave(const Player& player) {
    std::erase_if(players_, [&](const auto& other) { return other.get() == &player; });
  }
  /// A screen that all see and that takes part in nothing.
  void hang_up(const phy::FrameHeader& header) { posters_.push_back(header); }

  void run(Duration duration) {
    const Instant end = now_ + duration;
    for (; now_ < end; now_ += 4ms) {
      for (const auto& player : players_) {
        step(*player);
      }
    }
  }
  std::function<bool(const Player& from, const Player& to)> is_visible =
      [](const Player&, const Player&) { return true; };

 private:
  void step(Player& player) {
    if (now_ < Instant(Duration(player.start_ms * 1000))) {
      return;
    }
    if (!player.agreement) {
      if (auto header = player.rendezvous.next_header(now_)) {
        player.shown = header;
      }
    }
    capture(player);
    while (!player.arriving.empty() && player.arriving.front().first <= now_) {
      player.rendezvous.on_reception(player.arriving.front().second, now_);
      player.arriving.pop_front();
    }
    const auto agreement = player.rendezvous.agreement();
    if (!player.agreement && agreement && *agreement) {
      player.agreement = **agreement;
      player.shown = node_header(player);
    }
  }

  static phy::FrameHeader node_header(const Player& player) {
    phy::FrameHeader header;
    header.node = static_cast<std::uint8_t>(player.agreement->rank);
    header.epoch = player.options.identity;
    header.panel = kPanel;
    header.feedback =
        pack_feedback({.world_size = static_cast<int>(player.agreement->identities.size())});
    return header;
  }

  void capture(Player& to) {
    if (now_.time_since_epoch() % to.capture_period >= 4ms) {
      return;
    }
    phy::CaptureReception reception;
    for (const auto& from : players_) {
      const bool is_seen = from.get() == &to ? to.sees_itself : is_visible(*from, to);
      if (from->shown && is_seen) {
        show(*from->shown, reception);
      }
    }
    for (const auto& header : posters_) {
      show(header, reception);
    }
    to.arriving.emplace_back(now_ + 120ms, reception);
  }

  static void show(const phy::FrameHeader& header, phy::CaptureReception& reception) {
    phy::ScreenReception screen;
    screen.node = header.node;
    screen.epoch = header.epoch;
    screen.frames.push_back({header, {}});
    reception.screens.push_back(screen);
  }

  Instant now_{};
  std::vector<std::unique_ptr<Player>> players_;
  std::vector<phy::FrameHeader> posters_;
};

std::string quoted(std::uint16_t identity) {
  std::string text(1, '"');
  text += words_of(identity);
  text += '"';
  return text;
}

std::string error_of(const Player& player) {
  const auto agreement = player.rendezvous.agreement();
  return agreement ? "" : agreement.error().message;
}

TEST(Rendezvous, RanksAreTheOrderOfIdentities) {
  Table table;
  const Player& high = table.seat(900, 3);
  const Player& low = table.seat(7, 3);
  const Player& middle = table.seat(500, 3);
  table.run(2s);
  ASSERT_TRUE(high.agreement && low.agreement && middle.agreement);
  EXPECT_EQ(low.agreement->rank, 0);
  EXPECT_EQ(middle.agreement->rank, 1);
  EXPECT_EQ(high.agreement->rank, 2);
  EXPECT_THAT(high.agreement->identities, ElementsAre(7, 500, 900));
  EXPECT_EQ(low.agreement->identities, high.agreement->identities);
}

TEST(Rendezvous, TheSenderIsRankZeroAndTellsTheReceiverHowManyThereAre) {
  Table table;
  const Player& receiver = table.seat(3);
  const Player& sender = table.seat(40'000, 2, true);
  table.run(2s);
  ASSERT_TRUE(receiver.agreement && sender.agreement);
  EXPECT_EQ(sender.agreement->rank, 0);
  EXPECT_EQ(receiver.agreement->rank, 1);
}

TEST(Rendezvous, NobodyAgreesBeforeAllAreThere) {
  Table table;
  const Player& early = table.seat(1, 3);
  const Player& other = table.seat(2, 3);
  Player& late = table.seat(3, 3);
  late.start_ms = 20'000;
  table.run(15s);
  EXPECT_FALSE(early.agreement || other.agreement);
  EXPECT_EQ(error_of(early), "");
  EXPECT_THAT(early.rendezvous.seen(), ElementsAre(2));
  table.run(8s);
  EXPECT_TRUE(early.agreement && other.agreement && late.agreement);
}

TEST(Rendezvous, OneThatIsHiddenFromAnotherKeepsAllWaiting) {
  Table table;
  const Player& a = table.seat(1, 3);
  const Player& b = table.seat(2, 3);
  const Player& c = table.seat(3, 3);
  bool is_hidden = true;
  table.is_visible = [&](const Player& from, const Player& to) {
    return !is_hidden || &from != &c || &to != &a;
  };
  table.run(10s);
  EXPECT_FALSE(a.agreement || b.agreement || c.agreement);
  is_hidden = false;
  table.run(2s);
  EXPECT_TRUE(a.agreement && b.agreement && c.agreement);
}

TEST(Rendezvous, ACameraOfThreeFramesASecondIsEnough) {
  Table table;
  Player& slow = table.seat(9, 2);
  const Player& fast = table.seat(8, 2);
  slow.capture_period = 333ms;
  table.run(4s);
  EXPECT_TRUE(slow.agreement && fast.agreement);
}

TEST(Rendezvous, OurOwnScreenInAMirrorIsNobody) {
  Table table;
  Player& vain = table.seat(9, 2);
  vain.sees_itself = true;
  table.run(3s);
  EXPECT_TRUE(vain.rendezvous.seen().empty());
  const Player& other = table.seat(4, 2);
  table.run(2s);
  EXPECT_TRUE(vain.agreement && other.agreement);
}

TEST(Rendezvous, TwoThatDrewOneIdentityAreToldSo) {
  Table table;
  const Player& one = table.seat(513, 2);
  table.run(300ms);
  table.seat(513, 2);
  table.run(12s);
  EXPECT_THAT(error_of(one), HasSubstr("drew the identity " + quoted(513)));
}

TEST(Rendezvous, AFileStreamsScreenTakesNoPart) {
  Table table;
  const Player& a = table.seat(1, 2);
  const Player& b = table.seat(2, 2);
  table.hang_up(file_frame_header({kPanel, 3, 77, 4000}, 5));
  table.run(2s);
  EXPECT_TRUE(a.agreement && b.agreement);
}

TEST(Rendezvous, ALaptopStartedAnewBeforeTheAgreementIsCountedOnce) {
  Table table;
  const Player& stays = table.seat(100, 2);
  const Player& stranger = table.seat(300, 3);
  table.run(1s);
  table.leave(stranger);
  const Player& anew = table.seat(50, 2);
  table.run(8s);
  EXPECT_EQ(error_of(stays), "");
  ASSERT_TRUE(stays.agreement && anew.agreement);
  EXPECT_THAT(stays.agreement->identities, ElementsAre(50, 100));
}

TEST(Rendezvous, ALaptopStartedAnewAfterTheAgreementGetsTheRankThatIsLeft) {
  Table table;
  const Player& a = table.seat(100, 3);
  const Player& b = table.seat(200, 3);
  const Player& c = table.seat(300, 3);
  table.run(2s);
  ASSERT_TRUE(a.agreement && b.agreement && c.agreement);
  table.leave(b);
  const Player& anew = table.seat(5, 3);
  table.run(2s);
  ASSERT_TRUE(anew.agreement);
  EXPECT_EQ(anew.agreement->rank, 1);
  EXPECT_THAT(anew.agreement->identities, ElementsAre(100, 5, 300));
}

TEST(Rendezvous, AReceiverStartedAnewLearnsTheWorldsSizeFromNodes) {
  Table table;
  const Player& sender = table.seat(900, 2, true);
  const Player& receiver = table.seat(20);
  table.run(2s);
  ASSERT_TRUE(sender.agreement && receiver.agreement);
  table.leave(receiver);
  const Player& anew = table.seat(21);
  table.run(2s);
  ASSERT_TRUE(anew.agreement);
  EXPECT_EQ(anew.agreement->rank, 1);
}

TEST(Rendezvous, UnlikeSizesAreNamed) {
  Table table;
  const Player& two = table.seat(1, 2);
  const Player& three = table.seat(2, 3);
  table.run(4s);
  EXPECT_EQ(error_of(two), "");
  table.run(4s);
  EXPECT_EQ(error_of(two), "this laptop waits for 2 laptops, " + quoted(2) +
                               " for 3: start all with the same --nodes");
  EXPECT_THAT(error_of(three), HasSubstr(quoted(1) + " for 2"));
}

TEST(Rendezvous, MoreLaptopsThanNodesAreAnErrorForAll) {
  Table table;
  const Player& a = table.seat(1, 2);
  const Player& b = table.seat(2, 2);
  const Player& c = table.seat(3, 2);
  // `a` sees only one of them.
  table.is_visible = [&](const Player& from, const Player& to) { return &from != &c || &to != &a; };
  table.run(12s);
  EXPECT_THAT(error_of(b), HasSubstr("is one of 2 and sees 2 others"));
  EXPECT_THAT(error_of(a), HasSubstr(quoted(2) + " sees 2 others where 1 is expected"));
  EXPECT_FALSE(a.agreement || b.agreement || c.agreement);
}

TEST(Rendezvous, NobodyAgreesOnMoreLaptopsThanAWorldHasRoomFor) {
  Table table;
  const Player& honest = table.seat(500);
  const auto hang_up_eight = [&](const RendezvousWord& word) {
    for (std::uint16_t identity = 1; identity <= phy::kMaxNodes; ++identity) {
      phy::FrameHeader header;
      header.node = phy::kUnnumberedNode;
      header.epoch = identity;
      header.feedback = pack_rendezvous(word);
      table.hang_up(header);
    }
  };
  hang_up_eight({});
  table.run(1s);
  // What all nine see is right.
  RendezvousWord word = unpack_rendezvous(honest.shown->feedback);
  ASSERT_EQ(word.laptops, phy::kMaxNodes + 1);
  word.world_size = word.laptops;
  hang_up_eight(word);
  table.run(3s);
  EXPECT_FALSE(honest.agreement);
}

TEST(Rendezvous, OnlyOneCanWantRankZero) {
  Table table;
  const Player& a = table.seat(1, 2, true);
  table.seat(2, 2, true);
  table.run(8s);
  EXPECT_THAT(error_of(a), HasSubstr("both want rank 0"));
}

TEST(Rendezvous, ARankThatWasGivenIsKept) {
  Table table;
  phy::FrameHeader fixed;
  fixed.node = 0;
  fixed.epoch = 60'000;
  fixed.panel = kPanel;
  fixed.feedback = pack_feedback({.world_size = 2});
  table.hang_up(fixed);
  const Player& free = table.seat(1, 2);
  table.run(2s);
  ASSERT_TRUE(free.agreement);
  EXPECT_EQ(free.agreement->rank, 1);
  EXPECT_THAT(free.agreement->identities, ElementsAre(60'000, 1));
}

TEST(Rendezvous, TwoNodesWithOneRankAreNamed) {
  Table table;
  phy::FrameHeader fixed;
  fixed.node = 1;
  fixed.epoch = 60'000;
  fixed.panel = kPanel;
  table.hang_up(fixed);
  fixed.epoch = 60'001;
  table.hang_up(fixed);
  const Player& free = table.seat(1, 3);
  table.run(8s);
  EXPECT_THAT(error_of(free), HasSubstr("both show rank 1"));
}

TEST(Rendezvous, PicturesChangeWhenThereIsNewsAndStayOtherwise) {
  Rendezvous rendezvous({5, 2, false, kPanel});
  int shown = 0;
  for (Instant now{}; now < Instant(2s); now += 16ms) {
    const bool is_shown = static_cast<bool>(rendezvous.next_frame(now));
    shown += is_shown ? 1 : 0;
    EXPECT_EQ(shown == 1 && now == Instant{}, is_shown && now == Instant{});
  }
  EXPECT_EQ(shown, 4);
}

TEST(RendezvousWord, SurvivesTheFeedbackBits) {
  const RendezvousWord word{0xBEEF, 9, 8, true};
  EXPECT_EQ(unpack_rendezvous(pack_rendezvous(word)), word);
  EXPECT_EQ(unpack_rendezvous(pack_rendezvous({})), RendezvousWord{});
}

TEST(RendezvousWord, SaysNothingOfAWorldThatCannotBe) {
  for (const int size : {1, phy::kMaxNodes + 1, 15}) {
    RendezvousWord word;
    word.world_size = size;
    EXPECT_EQ(unpack_rendezvous(pack_rendezvous(word)).world_size, 0) << size;
  }
}

TEST(IdentityWords, EveryIdentityHasWordsOfItsOwn) {
  std::set<std::string> all;
  for (int identity = 0; identity <= 0xFFFF; ++identity) {
    const std::string words = words_of(static_cast<std::uint16_t>(identity));
    EXPECT_LE(words.size(), 15U);
    all.insert(words);
  }
  EXPECT_EQ(all.size(), 0x10000U);
}

}  // namespace
}  // namespace wccl::link
