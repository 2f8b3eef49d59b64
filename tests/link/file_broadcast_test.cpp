#include "link/file_broadcast.h"

#include <array>
#include <optional>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "link/file_receiver.h"

namespace wccl::link {
namespace {

constexpr phy::PanelSize kPanel{640, 400};
constexpr phy::ModeId kFast = 24;
constexpr phy::ModeId kSlow = 8;
constexpr std::array kTurns{FileBroadcast::Turn{kFast, 4}, FileBroadcast::Turn{kSlow, 2}};

std::vector<std::byte> random_object(std::size_t n_bytes) {
  Rng rng(1);
  std::vector<std::byte> object(n_bytes);
  for (auto& byte : object) {
    byte = static_cast<std::byte>(rng.below(256));
  }
  return object;
}

phy::FrameReception reception_of(const FileBroadcast& broadcast, std::uint64_t frame) {
  phy::FrameReception reception{broadcast.header(frame), {}};
  for (auto& payload : broadcast.payloads(frame)) {
    reception.blocks.push_back({static_cast<int>(reception.blocks.size()), std::move(payload)});
  }
  return reception;
}

/// @return frames shown until a receiver that reads only `modes` has all.
std::optional<std::uint64_t> frames_until_whole(const std::vector<std::byte>& object,
                                                std::uint64_t first,
                                                const std::set<phy::ModeId>& modes) {
  const auto broadcast = FileBroadcast::of(object, 7, kPanel, kTurns);
  FileReceiver receiver;
  for (std::uint64_t frame = first; frame < first + 5000; ++frame) {
    const auto reception = reception_of(*broadcast, frame);
    if (!modes.contains(reception.header.mode)) {
      continue;
    }
    if (const auto whole = receiver.take(reception)) {
      EXPECT_EQ(whole->bytes, object);
      return frame + 1 - first;
    }
  }
  return std::nullopt;
}

TEST(FileBroadcast, ShowsItsModesInTurn) {
  const auto broadcast = FileBroadcast::of(random_object(5000), 7, kPanel, kTurns);
  ASSERT_TRUE(broadcast);
  std::vector<phy::ModeId> modes;
  for (std::uint64_t frame = 0; frame < 8; ++frame) {
    modes.push_back(broadcast->header(frame).mode);
  }
  EXPECT_THAT(modes,
              ::testing::ElementsAre(kFast, kFast, kFast, kFast, kSlow, kSlow, kFast, kFast));
}

TEST(FileBroadcast, WhoReadsOneModeOnlyGetsAll) {
  const auto object = random_object(10'000);
  EXPECT_TRUE(frames_until_whole(object, 0, {kFast}));
  EXPECT_TRUE(frames_until_whole(object, 0, {kSlow}));
}

TEST(FileBroadcast, WhoComesLateGetsAll) {
  EXPECT_TRUE(frames_until_whole(random_object(10'000), 65'530, {kFast, kSlow}));
}

TEST(FileBroadcast, TellsWhatAReceiverNeedsAtLeast) {
  for (const std::size_t n_bytes : {100U, 9000U, 40'000U}) {
    const auto object = random_object(n_bytes);
    const auto broadcast = FileBroadcast::of(object, 7, kPanel, kTurns);
    const std::uint64_t needed = broadcast->frames_needed();
    EXPECT_EQ(frames_until_whole(object, 0, {kFast}), needed) << n_bytes;
    EXPECT_GE(broadcast->rounds(needed), 1) << n_bytes;
    EXPECT_LT(broadcast->rounds(needed - 1), 1) << n_bytes;
  }
}

TEST(FileBroadcast, LeavesOutModesThatCannotBearIt) {
  const std::vector<std::byte> large(std::size_t{60} << 20U);
  const auto broadcast = FileBroadcast::of(large, 7, kPanel, kTurns);
  ASSERT_TRUE(broadcast);
  EXPECT_THAT(broadcast->modes(), ::testing::ElementsAre(kFast));
  EXPECT_FALSE(FileBroadcast::of(large, 7, kPanel, std::span(kTurns).last(1)));
}

}  // namespace
}  // namespace wccl::link
