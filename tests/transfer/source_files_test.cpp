#include "transfer/source_files.h"

#include <array>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folders.h"

namespace wccl::transfer {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> paths_of(const SourceFiles& files) {
  std::vector<std::string> paths;
  for (const Entry& entry : files.manifest().entries()) {
    paths.push_back(entry.path);
  }
  return paths;
}

Result<SourceFiles> open(std::vector<fs::path> paths) {
  return SourceFiles::open(paths);
}

TEST(SourceFiles, AreFoldersDownToEmptyOnes) {
  const TemporaryFolder folder;
  write_file(folder / "photos/b/c.txt", "c");
  write_file(folder / "photos/a.sh", "a");
  fs::permissions(folder / "photos/a.sh", fs::perms::owner_all);
  fs::create_directory(folder / "photos/empty");
  const auto files = open({folder / "photos/"});
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(paths_of(*files), ElementsAre("photos/a.sh", "photos/b/c.txt", "photos/empty"));
  const auto& entries = files->manifest().entries();
  EXPECT_EQ(entries[0].kind, EntryKind::kProgram);
  EXPECT_EQ(entries[1].kind, EntryKind::kFile);
  EXPECT_EQ(entries[1].sha256, sha256(std::as_bytes(std::span("c", 1))));
  EXPECT_EQ(entries[2].kind, EntryKind::kFolder);
}

TEST(SourceFiles, LeaveOutLinksAndWhatIsNoFile) {
  const TemporaryFolder folder;
  write_file(folder / "d/a", "a");
  fs::create_symlink("/etc/passwd", folder / "d/link");
  fs::create_directory_symlink(folder.path(), folder / "d/loop");
  const auto files = open({folder / "d"});
  ASSERT_TRUE(files);
  EXPECT_THAT(paths_of(*files), ElementsAre("d/a"));
  EXPECT_EQ(files->left_out().size(), 2U);
}

TEST(SourceFiles, LeaveOutWhatIsNotReceivedWhole) {
  const TemporaryFolder folder;
  write_file(folder / "d/a", "a");
  write_file(folder / "d/.wccl-partial/0123/0", "x");
  const auto files = open({folder / "d"});
  ASSERT_TRUE(files);
  EXPECT_THAT(paths_of(*files), ElementsAre("d/a"));
  EXPECT_THAT(files->left_out(), ElementsAre(HasSubstr("d/.wccl-partial")));
}

TEST(SourceFiles, NeedSomethingToSend) {
  const TemporaryFolder folder;
  const auto missing = open({folder / "nowhere"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("nowhere"));
  fs::create_directory(folder / "links");
  fs::create_symlink("/etc/passwd", folder / "links/link");
  const auto nothing = open({folder / "links"});
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.error().message, HasSubstr("nothing to send"));
  EXPECT_FALSE(open({"/"}));
  EXPECT_FALSE(open({"/dev/null"}));
}

TEST(SourceFiles, OfOneNameAreRefused) {
  const TemporaryFolder folder;
  write_file(folder / "x/name", "1");
  write_file(folder / "y/name", "2");
  const auto files = open({folder / "x/name", folder / "y/name"});
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("two of the paths are called name"));
}

TEST(SourceFiles, ThatCannotBeReadAreNamed) {
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root reads everything";
  }
  const TemporaryFolder folder;
  write_file(folder / "secret", "1");
  fs::permissions(folder / "secret", fs::perms::none);
  const auto files = open({folder / "secret"});
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("secret"));
}

TEST(SourceFiles, OfAnotherSizeThanTheSystemSaysAreRefused) {
  const fs::path made_up = "/proc/cpuinfo";
  if (!fs::exists(made_up)) {
    GTEST_SKIP() << "no /proc";
  }
  const auto files = open({made_up});
  ASSERT_FALSE(files);
  EXPECT_THAT(files.error().message, HasSubstr("/proc/cpuinfo is longer or shorter"));
}

TEST(SourceFiles, TooDeepToBeReachedAreAnError) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "d");
  FileHandle deepest(::open((folder / "d").c_str(), O_RDONLY | O_DIRECTORY));
  const std::string name(250, 'x');
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(::mkdirat(deepest.get(), name.c_str(), 0777), 0);
    deepest = FileHandle(::openat(deepest.get(), name.c_str(), O_RDONLY | O_DIRECTORY));
  }
  const auto files = open({folder / "d"});
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, ErrorCode::kIo);
}

TEST(SourceFiles, GiveTheirPieces) {
  const TemporaryFolder folder;
  const std::string a = noise(kPieceBytes + 10, 1);
  write_file(folder / "a", a);
  write_file(folder / "b", "bb");
  auto files = open({folder / "a", folder / "b"});
  ASSERT_TRUE(files);
  const auto bytes = files->read({1, 3});
  ASSERT_TRUE(bytes);
  const std::string expected = a.substr(kPieceBytes) + "bb";
  EXPECT_TRUE(std::ranges::equal(*bytes, std::as_bytes(std::span(expected))));
}

TEST(SourceFiles, ThatChangeAreNotSentOn) {
  const TemporaryFolder folder;
  write_file(folder / "a", noise(3 * kPieceBytes, 1));
  auto files = open({folder / "a"});
  ASSERT_TRUE(files);
  ASSERT_TRUE(files->read({0, 1}));
  fs::resize_file(folder / "a", 3 * kPieceBytes + 5);
  const auto bytes = files->read({1, 2});
  ASSERT_FALSE(bytes);
  EXPECT_THAT(bytes.error().message, HasSubstr("was changed while it was being sent"));
}

}  // namespace
}  // namespace wccl::transfer
