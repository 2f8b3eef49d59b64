#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "desk.h"
#include "folders.h"

namespace wccl::transfer {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using ::testing::HasSubstr;

constexpr Duration kLong = 120s;

class Transfer : public ::testing::Test {
 protected:
  SourceFiles open(std::vector<fs::path> paths) {
    auto files = SourceFiles::open(paths);
    EXPECT_TRUE(files) << files.error().message;
    return *std::move(files);
  }
  /// A file of noise in the source folder.
  fs::path make(const std::string& name, std::size_t n_bytes) {
    write_file(source_ / name, noise(n_bytes, static_cast<unsigned>(n_bytes)));
    return source_ / name;
  }
  /// All see one another, and laptop 1 waits for files.
  void meet(Desk& desk) {
    EXPECT_TRUE(desk.air().calibrate());
    desk.receive(1, inbox_.path());
  }
  /// Laptop 1 receives what laptop 0 sends.
  void begin(Desk& desk, SourceFiles& files) {
    meet(desk);
    desk.send(0, files);
  }
  static void run_until_had(Desk& desk, std::uint64_t n_bytes) {
    EXPECT_TRUE(
        desk.run_until([&] { return desk.receiver(1).progress().bytes_had > n_bytes; }, kLong));
  }
  static void run_for(Desk& desk, Duration duration) {
    desk.run_until([] { return false; }, duration);
  }
  void expect_all_comes(Desk& desk) {
    ASSERT_TRUE(desk.run(kLong));
    expect_done(desk);
    expect_same("a");
  }
  void expect_same(const std::string& name) {
    EXPECT_EQ(read_file(inbox_ / name), read_file(source_ / name)) << name;
  }
  void expect_done(const Desk& desk) {
    for (const Rank rank : {0, 1}) {
      ASSERT_TRUE(desk.result(rank));
      EXPECT_TRUE(*desk.result(rank)) << desk.result(rank)->error().message;
    }
  }
  [[nodiscard]] std::string error_of(const Desk& desk, Rank rank) const {
    return desk.result(rank) && !*desk.result(rank) ? desk.result(rank)->error().message : "";
  }

  TemporaryFolder source_;
  TemporaryFolder inbox_;
};

TEST_F(Transfer, BringsFilesAndFoldersAsTheyAre) {
  make("d/large.bin", 300'000);
  make("d/e/small", 10);
  make("d/empty", 0);
  make("d/run.sh", 5000);
  fs::permissions(source_ / "d/run.sh", fs::perms::owner_all);
  fs::create_directories(source_ / "d/nothing here");
  auto files = open({source_ / "d", make("alone", kPieceBytes)});
  Desk desk(2);
  begin(desk, files);
  ASSERT_TRUE(desk.run(kLong));
  expect_done(desk);
  for (const std::string name : {"d/large.bin", "d/e/small", "d/empty", "d/run.sh", "alone"}) {
    expect_same(name);
  }
  EXPECT_TRUE(fs::is_directory(inbox_ / "d/nothing here"));
  const auto perms = [&](const char* name) { return fs::status(inbox_ / name).permissions(); };
  EXPECT_NE(perms("d/run.sh") & fs::perms::owner_exec, fs::perms::none);
  EXPECT_EQ(perms("d/large.bin") & fs::perms::owner_exec, fs::perms::none);
  EXPECT_FALSE(fs::exists(inbox_ / kPartialFolder));
}

TEST_F(Transfer, SurvivesLosses) {
  auto files = open({make("a", 500'000)});
  link::AirOptions options;
  options.block_loss = 0.3;
  options.frame_loss = 0.1;
  Desk desk(2, options);
  begin(desk, files);
  expect_all_comes(desk);
  EXPECT_EQ(desk.sender(0).progress().bytes_handed, 500'000U);
}

TEST_F(Transfer, IsOneBroadcastToAll) {
  const TemporaryFolder second;
  auto files = open({make("a", 400'000)});
  Desk desk(3);
  desk.receive(2, second.path());
  begin(desk, files);
  expect_all_comes(desk);
  EXPECT_EQ(read_file(second / "a"), read_file(source_ / "a"));
  EXPECT_EQ(desk.sender(0).progress().bytes_handed, 400'000U);
}

TEST_F(Transfer, LeavesOutWhatIsThere) {
  auto files = open({make("a", 200'000), make("b", 300'000)});
  fs::copy_file(source_ / "a", inbox_ / "a");
  Desk desk(2);
  begin(desk, files);
  ASSERT_TRUE(desk.run(kLong));
  expect_done(desk);
  expect_same("b");
  EXPECT_EQ(desk.receiver(1).progress().bytes_came, 300'000U);
  EXPECT_EQ(desk.sender(0).progress().bytes_came, 300'000U);
  EXPECT_EQ(desk.receiver(1).files()->n_there_before(), 1U);
}

TEST_F(Transfer, AReceiverThatStartsAnewGoesOnWhereItWas) {
  auto files = open({make("a", 1'000'000), make("b", 500'000)});
  Desk desk(2);
  begin(desk, files);
  run_until_had(desk, 700'000);
  desk.stop(1);
  run_for(desk, 2s);
  desk.receive(1, inbox_.path());
  expect_all_comes(desk);
  expect_same("b");
  EXPECT_LT(desk.receiver(1).progress().bytes_came, 900'000U);
  // What was under way when it died may go twice, and no more.
  EXPECT_LT(desk.sender(0).progress().bytes_handed, 1'500'000U + 400'000U);
}

TEST_F(Transfer, ASenderThatStartsAnewGoesOnWhereItWas) {
  auto files = open({make("a", 1'000'000)});
  Desk desk(2);
  begin(desk, files);
  run_until_had(desk, 600'000);
  desk.stop(0);
  run_for(desk, 2s);
  auto again = open({source_ / "a"});
  desk.send(0, again);
  expect_all_comes(desk);
  EXPECT_LT(desk.sender(0).progress().bytes_handed, 700'000U);
}

TEST_F(Transfer, BothMayStartAnewAtOnce) {
  auto files = open({make("a", 800'000)});
  {
    Desk desk(2);
    begin(desk, files);
    run_until_had(desk, 500'000);
  }
  Desk desk(2);
  begin(desk, files);
  expect_all_comes(desk);
  EXPECT_LT(desk.receiver(1).progress().bytes_came, 350'000U);
}

TEST_F(Transfer, ASenderWithOtherFilesStartsAnotherTransfer) {
  auto files = open({make("a", 800'000)});
  auto others = open({make("b", 100'000)});
  Desk desk(2);
  begin(desk, files);
  run_until_had(desk, 300'000);
  desk.stop(0);
  desk.send(0, others);
  ASSERT_TRUE(desk.run(kLong));
  expect_done(desk);
  expect_same("b");
  EXPECT_FALSE(fs::exists(inbox_ / "a"));
  EXPECT_TRUE(fs::exists(inbox_ / kPartialFolder));
}

TEST_F(Transfer, ACoveredScreenIsWaitedFor) {
  auto files = open({make("a", 800'000)});
  link::AirOptions options;
  options.visible = [](Rank, Rank, Instant now) { return now < Instant(4s) || now > Instant(9s); };
  Desk desk(2, options);
  begin(desk, files);
  ASSERT_TRUE(desk.run(kLong));
  EXPECT_GT(desk.air().now(), Instant(9s));
  expect_done(desk);
  expect_same("a");
}

TEST_F(Transfer, EndsWithTheNameOfWhoIsSilent) {
  auto files = open({make("a", 800'000)});
  Desk desk(2);
  meet(desk);
  desk.send(0, files, 5s);
  run_until_had(desk, 300'000);
  desk.air().options().visible = [](Rank, Rank, Instant) { return false; };
  ASSERT_TRUE(desk.run(kLong));
  EXPECT_EQ(error_of(desk, 0),
            "rank 1 did not answer within 5 s: its screen is out of view, or it was stopped there");
  EXPECT_EQ(
      error_of(desk, 1),
      "rank 0 did not answer within 30 s: its screen is out of view, or it was stopped there");
}

TEST_F(Transfer, AnotherFileInThePlaceIsNotReplacedUnlessTold) {
  auto files = open({make("a", 200'000)});
  write_file(inbox_ / "a", "mine");
  {
    Desk desk(2);
    begin(desk, files);
    ASSERT_TRUE(desk.run(kLong));
    EXPECT_THAT(error_of(desk, 1), HasSubstr("--force"));
    EXPECT_THAT(error_of(desk, 0), HasSubstr("rank 1 has left: "));
    EXPECT_THAT(error_of(desk, 0), HasSubstr("is there already with another content"));
    EXPECT_EQ(read_file(inbox_ / "a"), "mine");
  }
  Desk desk(2);
  ASSERT_TRUE(desk.air().calibrate());
  desk.receive(1, inbox_.path(), true);
  desk.send(0, files);
  expect_all_comes(desk);
}

TEST_F(Transfer, ASourceThatChangesEndsItOnBothSides) {
  auto files = open({make("a", 900'000)});
  Desk desk(2);
  begin(desk, files);
  run_until_had(desk, 100'000);
  fs::resize_file(source_ / "a", 900'001);
  ASSERT_TRUE(desk.run(kLong));
  EXPECT_THAT(error_of(desk, 0), HasSubstr("was changed while it was being sent"));
  EXPECT_THAT(error_of(desk, 1), HasSubstr("was changed while it was being sent"));
  EXPECT_FALSE(fs::exists(inbox_ / "a"));
}

/// The largest file that this process may write, while it lives: a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t n_bytes) {
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{n_bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(Transfer, AFullDiskIsToldToBothAndWhatCameIsKept) {
  auto files = open({make("a", 900'000)});
  {
    Desk desk(2);
    begin(desk, files);
    const FullDisk disk(500'000);
    ASSERT_TRUE(desk.run(kLong));
    EXPECT_THAT(error_of(desk, 1), HasSubstr("the disk allows"));
    EXPECT_THAT(error_of(desk, 0), HasSubstr("rank 1 has left: "));
    EXPECT_THAT(error_of(desk, 0), HasSubstr("the disk allows"));
  }
  Desk desk(2);
  begin(desk, files);
  expect_all_comes(desk);
  EXPECT_LT(desk.receiver(1).progress().bytes_came, 550'000U);
}

TEST_F(Transfer, WhoWaitsForAReceiverThatHasLeftEndsAtOnce) {
  auto files = open({make("a", 900'000)});
  Desk desk(2);
  begin(desk, files);
  run_until_had(desk, 100'000);
  desk.leave(1, "interrupted there");
  ASSERT_TRUE(desk.run(1s));
  EXPECT_EQ(error_of(desk, 0), "rank 1 has left: interrupted there");
}

TEST_F(Transfer, WhoWaitsForASenderThatHasLeftEndsAtOnce) {
  auto files = open({make("a", 900'000)});
  Desk desk(2);
  begin(desk, files);
  run_until_had(desk, 100'000);
  desk.leave(0, "interrupted there");
  ASSERT_TRUE(desk.run(1s));
  EXPECT_EQ(error_of(desk, 1), "rank 0 has left: interrupted there");
}

TEST_F(Transfer, AReceiverThatLeavesDoesNotHoldUpTheOthers) {
  const TemporaryFolder second;
  // More messages than may be under way.
  auto files = open({make("a", 6'000'000)});
  Desk desk(3);
  desk.receive(2, second.path());
  begin(desk, files);
  run_until_had(desk, 300'000);
  desk.leave(2, "the disk is full");
  ASSERT_TRUE(desk.run(kLong));
  EXPECT_TRUE(desk.result(1).value()) << error_of(desk, 1);
  expect_same("a");
  EXPECT_EQ(error_of(desk, 0), "rank 2 has left: the disk is full");
}

TEST_F(Transfer, AReceiverThatHasLeftMayComeBackWhileOthersReceive) {
  const TemporaryFolder second;
  auto files = open({make("a", 2'000'000)});
  Desk desk(3);
  desk.receive(2, second.path());
  begin(desk, files);
  run_until_had(desk, 300'000);
  desk.leave(2, "interrupted there");
  run_for(desk, 1s);
  desk.stop(2);
  desk.receive(2, second.path());
  ASSERT_TRUE(desk.run(kLong));
  expect_done(desk);
  EXPECT_EQ(read_file(second / "a"), read_file(source_ / "a"));
}

TEST_F(Transfer, AnotherReceiverThatLeavesBeforeTheSenderComesEndsNothing) {
  const TemporaryFolder second;
  auto files = open({make("a", 100'000)});
  Desk desk(3);
  meet(desk);
  desk.leave(2, "interrupted there");
  run_for(desk, 2s);
  EXPECT_FALSE(desk.result(1));
  desk.send(0, files);
  ASSERT_TRUE(desk.run(kLong));
  EXPECT_TRUE(desk.result(1).value()) << error_of(desk, 1);
}

TEST_F(Transfer, TwoSendersAreToldSo) {
  auto files = open({make("a", 1000)});
  auto others = open({make("b", 1000)});
  Desk desk(2);
  ASSERT_TRUE(desk.air().calibrate());
  desk.send(0, files);
  desk.send(1, others);
  ASSERT_TRUE(desk.run(kLong));
  EXPECT_THAT(error_of(desk, 0), HasSubstr("wccl receive"));
  EXPECT_THAT(error_of(desk, 1), HasSubstr("wccl receive"));
}

TEST_F(Transfer, TwoReceiversAreToldSo) {
  const TemporaryFolder second;
  Desk desk(2);
  ASSERT_TRUE(desk.air().calibrate());
  desk.receive(0, second.path());
  desk.receive(1, inbox_.path());
  ASSERT_TRUE(desk.run(kLong));
  EXPECT_THAT(error_of(desk, 0), HasSubstr("wccl send"));
  EXPECT_THAT(error_of(desk, 1), HasSubstr("wccl send"));
}

/// A sender of evil: says what a test lets it say.
class HostileSender : public Transfer {
 protected:
  HostileSender() { meet(desk_); }
  void say(Tag tag, const Bytes& message) {
    const std::array to{1};
    ASSERT_TRUE(desk_.air().node(0).send(to, tag, message));
  }
  Desk desk_{2};
};

TEST_F(HostileSender, WithARottenListIsRefused) {
  say(kControlTag, encode_control(Offer{link::random_bytes(100, 1)}));
  ASSERT_TRUE(desk_.run(kLong));
  EXPECT_NE(error_of(desk_, 1), "");
  EXPECT_TRUE(fs::is_empty(inbox_.path()));
}

TEST_F(HostileSender, WithContentOfNoFileIsRefused) {
  const auto manifest = *Manifest::of({{EntryKind::kFile, "a", 100, {}}});
  say(kControlTag, encode_control(Offer{manifest.bytes()}));
  say(kContentTag, encode_content({manifest.id(), 7, link::random_bytes(100, 1)}));
  ASSERT_TRUE(desk_.run(kLong));
  EXPECT_THAT(error_of(desk_, 1), HasSubstr("content of no file"));
}

TEST_F(HostileSender, WithWrongContentNeverGetsItIntoPlace) {
  const auto manifest = *Manifest::of({{EntryKind::kFile, "a", 100, {}}});
  say(kControlTag, encode_control(Offer{manifest.bytes()}));
  for (int i = 0; i < 2; ++i) {
    say(kContentTag, encode_content({manifest.id(), 0, link::random_bytes(100, 1)}));
    desk_.run(2s);
  }
  ASSERT_TRUE(desk_.run(kLong));
  EXPECT_THAT(error_of(desk_, 1), HasSubstr("does not come as it was announced"));
  EXPECT_FALSE(fs::exists(inbox_ / "a"));
}

TEST_F(HostileSender, WithContentOfAnotherTransferIsIgnored) {
  const auto manifest = *Manifest::of({{EntryKind::kFile, "a", 4, sha256({})}});
  say(kControlTag, encode_control(Offer{manifest.bytes()}));
  say(kContentTag, encode_content({{}, 0, link::random_bytes(4, 1)}));
  desk_.run(3s);
  EXPECT_FALSE(desk_.result(1));
  EXPECT_EQ(desk_.receiver(1).progress().bytes_had, 0U);
}

}  // namespace
}  // namespace wccl::transfer
