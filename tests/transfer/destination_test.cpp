#include "transfer/destination.h"

#include <fstream>
#include <functional>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "folders.h"
#include "transfer/partial_store.h"

namespace wccl::transfer {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Entry entry_of(std::string path, std::string_view content) {
  Entry entry{EntryKind::kFile, path, content.size(), sha256(std::as_bytes(std::span(content)))};
  entry.local_path = std::move(path);
  return entry;
}

/// A whole file in a folder of its own, moved to where the entry says.
Status move_in(const Destination& destination, const Entry& entry, std::string_view content) {
  const TemporaryFolder waiting;
  write_file(waiting / "0", content);
  const FileHandle folder(::open(waiting.path().c_str(), O_RDONLY | O_DIRECTORY));
  return destination.move_in(folder, "0", entry);
}

TEST(Destination, MakesFoldersOnTheWay) {
  const TemporaryFolder folder;
  const auto destination = Destination::open(folder / "new/inbox", false);
  ASSERT_TRUE(destination) << destination.error().message;
  ASSERT_TRUE(move_in(*destination, entry_of("a/b/c", "x"), "x"));
  EXPECT_EQ(read_file(folder / "new/inbox/a/b/c"), "x");
}

TEST(Destination, AFolderIntoWhichNothingCameDoesNotStay) {
  const TemporaryFolder folder;
  {
    const auto destination = Destination::open(folder / "new/inbox", false);
    ASSERT_TRUE(destination);
    EXPECT_TRUE(fs::is_directory(folder / "new/inbox"));
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(Destination, AnEmptyFolderThatWasThereStays) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "inbox");
  ASSERT_TRUE(Destination::open(folder / "inbox", false));
  EXPECT_TRUE(fs::exists(folder / "inbox"));
}

TEST(Destination, MustBeAFolderThatCanBeWritten) {
  const TemporaryFolder folder;
  write_file(folder / "file", "x");
  EXPECT_FALSE(Destination::open(folder / "file", false));
  EXPECT_FALSE(Destination::open("/dev/null/x", false));
}

TEST(Destination, ReplacesNothingUnlessTold) {
  const TemporaryFolder folder;
  write_file(folder / "a", "mine");
  const Entry other = entry_of("a", "longer than it");
  const auto careful = Destination::open(folder.path(), false);
  const auto look = careful->look_at(other);
  ASSERT_FALSE(look);
  EXPECT_THAT(look.error().message, HasSubstr("--force"));
  EXPECT_FALSE(move_in(*careful, other, "theirs"));
  EXPECT_EQ(read_file(folder / "a"), "mine");
  const auto bold = Destination::open(folder.path(), true);
  EXPECT_TRUE(bold->look_at(other));
  EXPECT_TRUE(move_in(*bold, other, "theirs"));
  EXPECT_EQ(read_file(folder / "a"), "theirs");
}

TEST(Destination, OpensAFileThatMayBeTheSame) {
  const TemporaryFolder folder;
  write_file(folder / "a", "same");
  const auto destination = Destination::open(folder.path(), false);
  const auto place = destination->look_at(entry_of("a", "same"));
  ASSERT_TRUE(place);
  EXPECT_TRUE(place->file.is_open());
  const auto free = destination->look_at(entry_of("b/c", "same"));
  ASSERT_TRUE(free);
  EXPECT_FALSE(free->taken);
}

TEST(Destination, FollowsNoLinks) {
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  write_file(elsewhere / "target", "precious");
  fs::create_directory_symlink(elsewhere.path(), folder / "out");
  fs::create_symlink(elsewhere / "target", folder / "name");
  for (const bool force : {false, true}) {
    const auto destination = Destination::open(folder.path(), force);
    EXPECT_FALSE(destination->look_at(entry_of("out/new", "x")));
    EXPECT_FALSE(move_in(*destination, entry_of("out/new", "x"), "x"));
    EXPECT_FALSE(destination->make_folder({EntryKind::kFolder, "", 0, {}, "out/new"}));
  }
  EXPECT_FALSE(Destination::open(folder.path(), false)->look_at(entry_of("name", "precious")));
  ASSERT_TRUE(move_in(*Destination::open(folder.path(), true), entry_of("name", "x"), "x"));
  EXPECT_EQ(read_file(elsewhere / "target"), "precious");
  EXPECT_EQ(read_file(folder / "name"), "x");
  EXPECT_FALSE(fs::exists(elsewhere / "new"));
}

TEST(Destination, AFolderIsNeverReplacedByAFile) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "a");
  write_file(folder / "b", "x");
  const auto destination = Destination::open(folder.path(), true);
  EXPECT_FALSE(destination->look_at(entry_of("a", "x")));
  EXPECT_FALSE(destination->look_at({EntryKind::kFolder, "", 0, {}, "b"}));
  EXPECT_TRUE(destination->look_at({EntryKind::kFolder, "", 0, {}, "a"})->taken);
}

class PartialStoreTest : public ::testing::Test {
 protected:
  PartialStoreTest()
      : manifest_(*Manifest::of({entry_of("a", content_), entry_of("b", "b")})),
        destination_(*Destination::open(folder_.path(), false)) {}

  Result<PartialStore> open() { return PartialStore::open(destination_, manifest_); }
  void write_first_piece(PartialStore& store) {
    ASSERT_TRUE(store.write(0, 0, std::as_bytes(std::span(content_)).first(kPieceBytes)));
    store.note({0, 1});
  }
  [[nodiscard]] fs::path place() const {
    return folder_.path() / kPartialFolder / to_hex(manifest_.id());
  }

  TemporaryFolder folder_;
  std::string content_ = noise(2 * kPieceBytes, 1);
  Manifest manifest_;
  Destination destination_;
};

TEST_F(PartialStoreTest, HoldsWhatWasSaved) {
  {
    auto store = open();
    ASSERT_TRUE(store);
    write_first_piece(*store);
    ASSERT_TRUE(store->save());
  }
  const auto again = open();
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->held().covers({0, 1}));
  EXPECT_EQ(again->held().size(), 1U);
}

TEST_F(PartialStoreTest, HoldsNothingThatWasNotSaved) {
  {
    auto store = open();
    write_first_piece(*store);
  }
  EXPECT_TRUE(open()->held().empty());
}

TEST_F(PartialStoreTest, ATornJournalHoldsNothing) {
  {
    auto store = open();
    write_first_piece(*store);
    ASSERT_TRUE(store->save());
  }
  const std::string journal = read_file(place() / "journal");
  write_file(place() / "journal", journal.substr(0, journal.size() - 1));
  EXPECT_TRUE(open()->held().empty());
}

TEST_F(PartialStoreTest, AFileThatIsGoneOrShorterHoldsLess) {
  {
    auto store = open();
    ASSERT_TRUE(store->write(0, 0, std::as_bytes(std::span(content_))));
    store->note({0, 2});
    ASSERT_TRUE(store->save());
  }
  fs::resize_file(place() / "0", kPieceBytes + 100);
  EXPECT_EQ(open()->held().size(), 1U);
  fs::remove(place() / "0");
  EXPECT_TRUE(open()->held().empty());
}

TEST_F(PartialStoreTest, AFileThatIsLongerIsReceivedAgain) {
  {
    auto store = open();
    ASSERT_TRUE(store->write(0, 0, std::as_bytes(std::span(content_))));
    store->note({0, 2});
    ASSERT_TRUE(store->save());
  }
  std::ofstream(place() / "0", std::ios::app) << "rm -rf /";
  EXPECT_TRUE(open()->held().empty());
  EXPECT_FALSE(fs::exists(place() / "0"));
}

TEST_F(PartialStoreTest, WritesThroughNoLinkOrPipe) {
  write_file(folder_ / "precious", "precious");
  ASSERT_TRUE(open());
  const std::vector<std::function<void(const fs::path&)>> plants{
      [&](const fs::path& path) { fs::create_hard_link(folder_ / "precious", path); },
      [&](const fs::path& path) { fs::create_symlink(folder_ / "precious", path); },
      [](const fs::path& path) { ASSERT_EQ(::mkfifo(path.c_str(), 0666), 0); },
  };
  for (const auto& plant : plants) {
    for (const char* name : {"0", "journal", "journal.new"}) {
      fs::remove(place() / name);
      plant(place() / name);
    }
    auto store = open();
    ASSERT_TRUE(store) << store.error().message;
    write_first_piece(*store);
    ASSERT_TRUE(store->save());
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(place() / "0")));
    EXPECT_EQ(read_file(folder_ / "precious"), "precious");
  }
}

TEST_F(PartialStoreTest, WhatIsInTheWayIsNamed) {
  write_file(folder_ / ".wccl-partial", "x");
  const auto on_file = open();
  ASSERT_FALSE(on_file);
  EXPECT_THAT(on_file.error().message, HasSubstr(".wccl-partial is in the way: a folder"));
  fs::remove(folder_ / ".wccl-partial");
  write_file(place() / "0/mine", "x");
  const auto on_folder = open();
  ASSERT_FALSE(on_folder);
  EXPECT_THAT(on_folder.error().message, HasSubstr("/0 is in the way: remove it"));
}

TEST_F(PartialStoreTest, MovesOutOnlyWhatHasItsSize) {
  auto store = open();
  ASSERT_TRUE(store->write(0, 0, std::as_bytes(std::span(content_))));
  std::ofstream(place() / "0", std::ios::app) << "x";
  EXPECT_FALSE(store->move_out(0));
  EXPECT_FALSE(fs::exists(folder_ / "a"));
}

TEST_F(PartialStoreTest, BelongsToOneProgramAtATime) {
  const auto store = open();
  ASSERT_TRUE(store);
  const auto second = open();
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another program"));
}

TEST_F(PartialStoreTest, LeavesNothingBehind) {
  auto store = open();
  write_first_piece(*store);
  ASSERT_TRUE(store->save());
  store->remove();
  EXPECT_TRUE(fs::is_empty(folder_.path()));
}

}  // namespace
}  // namespace wccl::transfer
