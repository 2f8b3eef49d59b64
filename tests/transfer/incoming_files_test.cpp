#include "transfer/incoming_files.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "folders.h"

namespace wccl::transfer {
namespace {

namespace fs = std::filesystem;

void work_until_content_is_taken(IncomingFiles& files) {
  for (int i = 0; i < 10 && !files.takes_content(); ++i) {
    ASSERT_TRUE(files.work(Instant{}));
  }
}

/// The files of a transfer that has not ended, cut short.
void tear_what_came(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder / kPartialFolder)) {
    if (entry.is_regular_file() && entry.file_size() >= kPieceBytes) {
      fs::resize_file(entry.path(), 1);
    }
  }
}

TEST(IncomingFiles, AFileThatCannotBeReadBackIsNotWholeWhateverItsHash) {
  const TemporaryFolder folder;
  const auto destination = Destination::open(folder.path(), false);
  ASSERT_TRUE(destination);
  const std::string content = noise(kPieceBytes, 1);
  // What a hash would be that nobody has computed.
  auto manifest = Manifest::of({{EntryKind::kFile, "file", content.size(), Sha256{}}});
  ASSERT_TRUE(manifest);
  IncomingFiles files(*destination, *std::move(manifest));
  work_until_content_is_taken(files);
  ASSERT_TRUE(files.write({0, 1}, std::as_bytes(std::span(content))));
  tear_what_came(folder.path());
  EXPECT_TRUE(files.work(Instant{}));
  EXPECT_EQ(files.losses(), 1U);
  EXPECT_FALSE(files.complete());
  EXPECT_FALSE(fs::exists(folder / "file"));
}

TEST(IncomingFiles, NothingIsKeptOfATransferOfWhichNothingCame) {
  const TemporaryFolder folder;
  const auto destination = Destination::open(folder.path(), false);
  ASSERT_TRUE(destination);
  {
    auto manifest = Manifest::of({{EntryKind::kFile, "file", 10, Sha256{}}});
    ASSERT_TRUE(manifest);
    IncomingFiles files(*destination, *std::move(manifest));
    work_until_content_is_taken(files);
    EXPECT_TRUE(fs::exists(folder / kPartialFolder));
  }
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(IncomingFiles, ALongerFileIsNotWholeThoughItsStartHasTheHash) {
  const TemporaryFolder folder;
  const auto destination = Destination::open(folder.path(), false);
  ASSERT_TRUE(destination);
  const std::string content = noise(kPieceBytes, 1);
  const Sha256 hash = sha256(std::as_bytes(std::span(content)));
  auto manifest = Manifest::of({{EntryKind::kFile, "file", content.size(), hash}});
  ASSERT_TRUE(manifest);
  IncomingFiles files(*destination, *std::move(manifest));
  work_until_content_is_taken(files);
  ASSERT_TRUE(files.write({0, 1}, std::as_bytes(std::span(content))));
  for (const auto& entry : fs::recursive_directory_iterator(folder / kPartialFolder)) {
    if (entry.is_regular_file()) {
      std::ofstream(entry.path(), std::ios::app) << "more";
    }
  }
  EXPECT_TRUE(files.work(Instant{}));
  EXPECT_EQ(files.losses(), 1U);
  EXPECT_FALSE(fs::exists(folder / "file"));
}

}  // namespace
}  // namespace wccl::transfer
