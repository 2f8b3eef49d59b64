#include "transfer/one_way_receiver.h"

#include <array>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "folders.h"
#include "link/file_broadcast.h"
#include "transfer/file_object.h"
#include "transfer/one_way_object.h"

namespace wccl::transfer {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr phy::PanelSize kPanel{640, 400};
constexpr std::array kTurns{link::FileBroadcast::Turn{13, 4}, link::FileBroadcast::Turn{8, 1}};

/// A sender whose every frame is read, without pixels.
class Show {
 public:
  explicit Show(std::span<const std::byte> object)
      : broadcast_(*link::FileBroadcast::of(object, epoch_of(object), kPanel, kTurns)) {}
  /// Of the files in a folder called "tree".
  explicit Show(const TemporaryFolder& folder) : Show(object_of(folder)) {}

  phy::CaptureReception next() {
    phy::FrameReception frame{broadcast_.header(frame_), {}};
    for (auto& payload : broadcast_.payloads(frame_)) {
      frame.blocks.push_back({static_cast<int>(frame.blocks.size()), std::move(payload)});
    }
    ++frame_;
    phy::CaptureReception capture;
    capture.screens.emplace_back().frames.push_back(std::move(frame));
    return capture;
  }
  /// Shows on to a receiver. @return what take() said last.
  Result<bool> until_done(OneWayReceiver& receiver, int most_frames = 1000) {
    Result<bool> done = false;
    for (int i = 0; i < most_frames && done && !*done; ++i) {
      now_ += std::chrono::milliseconds(50);
      done = receiver.take(next(), now_);
    }
    return done;
  }
  [[nodiscard]] std::uint64_t frame() const { return frame_; }

 private:
  static Bytes object_of(const TemporaryFolder& folder) {
    const std::array<fs::path, 1> paths{folder / "tree"};
    auto files = SourceFiles::open(paths).value();
    return make_one_way_object(files).value();
  }
  link::FileBroadcast broadcast_;
  std::uint64_t frame_ = 0;
  Instant now_{};
};

class OneWay : public ::testing::Test {
 protected:
  OneWay() {
    write_file(source_ / "tree/a", noise(30'000, 1));
    write_file(source_ / "tree/b/c", noise(5000, 2));
    write_file(source_ / "tree/none", "");
    fs::create_directories(source_ / "tree/empty");
  }
  [[nodiscard]] Destination open(bool replace = false) const {
    return Destination::open(inbox_.path(), replace).value();
  }
  void expect_all() const {
    for (const char* name : {"tree/a", "tree/b/c", "tree/none"}) {
      EXPECT_TRUE(fs::exists(inbox_ / name)) << name;
      EXPECT_TRUE(read_file(inbox_ / name) == read_file(source_ / name)) << name;
    }
    EXPECT_TRUE(fs::is_directory(inbox_ / "tree/empty"));
    EXPECT_FALSE(fs::exists(inbox_ / ".wccl-partial"));
  }
  [[nodiscard]] fs::path log() const {
    for (const auto& entry : fs::directory_iterator(inbox_ / ".wccl-partial")) {
      if (entry.is_regular_file()) {
        return entry.path();
      }
    }
    return {};
  }

  TemporaryFolder source_;
  TemporaryFolder inbox_;
};

TEST_F(OneWay, FilesArriveAndNothingElseIsLeft) {
  const auto destination = open();
  OneWayReceiver receiver(destination);
  Show show(source_);
  const auto done = show.until_done(receiver);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_TRUE(*done);
  expect_all();
  EXPECT_EQ(receiver.manifest().n_files(), 3U);
  EXPECT_EQ(receiver.progress().bytes_had, receiver.progress().n_bytes);
  EXPECT_LT(receiver.progress().first_symbol, receiver.progress().last_symbol);
}

TEST_F(OneWay, AnotherReceiverGoesOnWhereOneWasKilled) {
  Show show(source_);
  const auto destination = open();
  {
    OneWayReceiver receiver(destination);
    ASSERT_EQ(show.until_done(receiver, 3), false);
  }
  // Killed in the middle of a write.
  const auto n_bytes = fs::file_size(log());
  fs::resize_file(log(), n_bytes - 10);
  const auto before = show.frame();
  OneWayReceiver receiver(destination);
  ASSERT_EQ(show.until_done(receiver), true);
  expect_all();

  // Nobody had to show what the first one had.
  Show anew(source_);
  const TemporaryFolder other;
  const auto elsewhere = Destination::open(other.path(), false).value();
  OneWayReceiver all(elsewhere);
  ASSERT_EQ(anew.until_done(all), true);
  EXPECT_LE(show.frame() - before, anew.frame() - 2);
}

TEST_F(OneWay, WhatHasAllComeNeedNotComeAgain) {
  Show show(source_);
  {
    const auto destination = open();
    OneWayReceiver receiver(destination);
    ASSERT_EQ(show.until_done(receiver, 5), false);
    // Somebody else writes it meanwhile.
    write_file(inbox_ / "tree/a", "mine");
    const auto done = show.until_done(receiver);
    ASSERT_FALSE(done);
    EXPECT_THAT(done.error().message, HasSubstr("--force"));
  }
  EXPECT_EQ(read_file(inbox_ / "tree/a"), "mine");
  const auto destination = open(true);
  OneWayReceiver receiver(destination);
  EXPECT_EQ(show.until_done(receiver, 1), true);
  expect_all();
}

TEST_F(OneWay, AFileInTheWayIsKnownAtOnce) {
  write_file(inbox_ / "tree/a", "mine");
  const auto destination = open();
  OneWayReceiver receiver(destination);
  Show show(source_);
  const auto done = show.until_done(receiver, 2);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("--force"));
}

TEST_F(OneWay, WhatIsThereAlreadyIsNotWaitedFor) {
  const auto destination = open();
  fs::copy(source_.path(), inbox_.path(), fs::copy_options::recursive);
  OneWayReceiver receiver(destination);
  Show show(source_);
  EXPECT_EQ(show.until_done(receiver, 3), true);
  EXPECT_EQ(receiver.bytes_came(), 0U);
  expect_all();
}

TEST_F(OneWay, WhatIsInPlaceOrKeptDoesNotCountAsComeByLight) {
  fs::create_directories(inbox_ / "tree");
  fs::copy(source_ / "tree/b", inbox_ / "tree/b", fs::copy_options::recursive);
  Show show(source_);
  std::uint64_t kept = 0;
  {
    const auto destination = open();
    OneWayReceiver receiver(destination);
    ASSERT_EQ(show.until_done(receiver, 10), false);
    kept = receiver.progress().n_symbols;
  }
  const auto destination = open();
  OneWayReceiver receiver(destination);
  ASSERT_EQ(show.until_done(receiver), true);
  const std::uint64_t came = receiver.progress().n_symbols;
  EXPECT_GT(kept, 10U);
  EXPECT_EQ(receiver.bytes_came(), 30'000 * came / (came + kept));
  expect_all();
}

TEST_F(OneWay, AnObjectThatNobodyShouldSendIsRefused) {
  ByteWriter head;
  head.put(std::uint8_t{2});
  head.put(std::uint32_t{3});
  head.put_bytes(std::as_bytes(std::span("abc", 3)));
  const Bytes hashed = head.take();
  const auto hash = sha256(hashed);
  Bytes object(hash.begin(), hash.end());
  object.insert(object.end(), hashed.begin(), hashed.end());
  object.resize(5000);
  const auto destination = open();
  OneWayReceiver receiver(destination);
  Show show(object);
  const auto done = show.until_done(receiver, 1);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("cannot be taken"));
}

TEST_F(OneWay, TwoReceiversIntoOneFolderAreAMistake) {
  const auto destination = open();
  Show show(source_);
  OneWayReceiver one(destination);
  ASSERT_EQ(show.until_done(one, 1), false);
  OneWayReceiver other(destination);
  const auto done = show.until_done(other, 1);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("another program"));
}

TEST_F(OneWay, WhatIsNotWhatItSaysIsThrownAway) {
  const auto destination = open();
  OneWayReceiver receiver(destination);
  auto object = make_file_object("a", std::as_bytes(std::span("content", 7)));
  object.back() ^= std::byte{1};
  Show wrong(object);
  EXPECT_EQ(wrong.until_done(receiver, 3), false);
  EXPECT_EQ(receiver.progress().n_corrupt, 3U);
  Show show(source_);
  EXPECT_EQ(show.until_done(receiver), true);
  expect_all();
}

TEST_F(OneWay, ContentThatDoesNotHoldIsWaitedForOnceMore) {
  const std::array<fs::path, 1> paths{source_ / "tree"};
  auto files = SourceFiles::open(paths).value();
  auto object = make_one_way_object(files).value();
  object.back() ^= std::byte{1};
  const auto destination = open();
  OneWayReceiver receiver(destination);
  Show wrong(object);
  for (int i = 0; i < 1000 && receiver.progress().n_corrupt == 0; ++i) {
    ASSERT_EQ(wrong.until_done(receiver, 1), false);
  }
  EXPECT_EQ(receiver.progress().n_corrupt, 1U);
  EXPECT_TRUE(fs::exists(inbox_ / "tree/a"));
  EXPECT_FALSE(fs::exists(inbox_ / "tree/b/c"));
  Show show(source_);
  EXPECT_EQ(show.until_done(receiver), true);
  expect_all();
}

TEST_F(OneWay, ASingleFileOfEncodeArrivesToo) {
  const auto destination = open();
  OneWayReceiver receiver(destination);
  Show show(make_file_object("a", std::as_bytes(std::span("content", 7))));
  EXPECT_EQ(show.until_done(receiver), true);
  EXPECT_EQ(read_file(inbox_ / "a"), "content");
}

TEST_F(OneWay, TheNameOfASingleFileIsKnownAsItWasSent) {
  const auto destination = open();
  OneWayReceiver receiver(destination);
  Show show(make_file_object("/etc/a\\b", std::as_bytes(std::span("content", 7))));
  EXPECT_EQ(show.until_done(receiver), true);
  EXPECT_EQ(describe_renamed(receiver.manifest()), "1 name was changed: a\\b -> a_b");
  EXPECT_EQ(read_file(inbox_ / "a_b"), "content");
}

TEST_F(OneWay, ASingleFileCalledLikeThePartialFolderIsRefused) {
  const auto destination = open();
  OneWayReceiver receiver(destination);
  Show show(make_file_object(".wccl-partial", std::as_bytes(std::span("content", 7))));
  const auto done = show.until_done(receiver, 3);
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().message, HasSubstr("cannot be taken"));
}

TEST_F(OneWay, KeptSymbolsAreWrittenThroughNoLink) {
  const auto destination = open();
  Show show(source_);
  {
    OneWayReceiver receiver(destination);
    ASSERT_EQ(show.until_done(receiver, 1), false);
  }
  const fs::path kept = log();
  write_file(source_ / "precious", "precious");
  fs::remove(kept);
  fs::create_hard_link(source_ / "precious", kept);
  OneWayReceiver receiver(destination);
  EXPECT_EQ(show.until_done(receiver), true);
  EXPECT_EQ(read_file(source_ / "precious"), "precious");
  expect_all();
}

TEST_F(OneWay, ATwoWayLaptopIsNoticed) {
  const auto destination = open();
  OneWayReceiver receiver(destination);
  phy::CaptureReception capture;
  capture.screens.emplace_back().frames.emplace_back().header.panel = kPanel;
  EXPECT_EQ(receiver.take(capture, Instant{}), false);
  EXPECT_TRUE(receiver.progress().sees_two_way);
  EXPECT_FALSE(receiver.progress().first_symbol);
}

}  // namespace
}  // namespace wccl::transfer
