#include "app/received_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../temporary_folder.h"

namespace wccl::app {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::size_t n_entries(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(ReceivedFile, IsThereWholeAndAlone) {
  const TemporaryFolder folder;
  ASSERT_TRUE(store_received_file(folder.path(), "a b.txt", bytes_of("content"), false));
  EXPECT_EQ(text_of(folder.path() / "a b.txt"), "content");
  EXPECT_EQ(n_entries(folder.path()), 1U);
}

TEST(ReceivedFile, EmptyOnesExistToo) {
  const TemporaryFolder folder;
  ASSERT_TRUE(store_received_file(folder.path(), "empty", {}, false));
  EXPECT_TRUE(fs::exists(folder.path() / "empty"));
  EXPECT_EQ(fs::file_size(folder.path() / "empty"), 0U);
}

TEST(ReceivedFile, NeverReplacesAnotherUnlessTold) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "name") << "mine";
  const auto refused = store_received_file(folder.path(), "name", bytes_of("theirs"), false);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("--force"));
  EXPECT_EQ(text_of(folder.path() / "name"), "mine");
  ASSERT_TRUE(store_received_file(folder.path(), "name", bytes_of("theirs"), true));
  EXPECT_EQ(text_of(folder.path() / "name"), "theirs");
  EXPECT_EQ(n_entries(folder.path()), 1U);
}

TEST(ReceivedFile, TheSameAgainIsFine) {
  const TemporaryFolder folder;
  ASSERT_TRUE(store_received_file(folder.path(), "name", bytes_of("same"), false));
  EXPECT_TRUE(store_received_file(folder.path(), "name", bytes_of("same"), false));
}

TEST(ReceivedFile, DoesNotWriteThroughALink) {
  const TemporaryFolder folder;
  const TemporaryFolder elsewhere;
  std::ofstream(elsewhere.path() / "target") << "precious";
  fs::create_symlink(elsewhere.path() / "target", folder.path() / "name");
  EXPECT_FALSE(store_received_file(folder.path(), "name", bytes_of("evil"), false));
  ASSERT_TRUE(store_received_file(folder.path(), "name", bytes_of("new"), true));
  EXPECT_EQ(text_of(elsewhere.path() / "target"), "precious");
  EXPECT_EQ(text_of(folder.path() / "name"), "new");
}

TEST(ReceiveFolder, IsMadeAndProved) {
  const TemporaryFolder folder;
  EXPECT_TRUE(prepare_receive_folder(folder.path() / "a" / "b"));
  EXPECT_TRUE(fs::is_directory(folder.path() / "a" / "b"));
  std::ofstream(folder.path() / "file") << "x";
  EXPECT_FALSE(prepare_receive_folder(folder.path() / "file"));
}

}  // namespace
}  // namespace wccl::app
