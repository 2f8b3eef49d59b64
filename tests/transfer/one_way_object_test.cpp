#include "transfer/one_way_object.h"

#include <array>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "folders.h"
#include "transfer/file_object.h"

namespace wccl::transfer {
namespace {

namespace fs = std::filesystem;

Bytes object_of(const TemporaryFolder& folder) {
  const std::array<fs::path, 1> paths{folder / "tree"};
  auto files = SourceFiles::open(paths);
  auto object = make_one_way_object(*files);
  EXPECT_TRUE(object);
  return *object;
}

void make_tree(const TemporaryFolder& folder) {
  write_file(folder / "tree/a", noise(10'000, 1));
  write_file(folder / "tree/b/c", "short");
  write_file(folder / "tree/none", "");
  fs::create_directories(folder / "tree/empty");
}

TEST(OneWayObject, BearsFilesAndFolders) {
  const TemporaryFolder folder;
  make_tree(folder);
  const auto object = object_of(folder);
  const auto parsed = parse_one_way_object(object);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->manifest.n_files(), 3U);
  EXPECT_EQ(parsed->manifest.entries().size(), 4U);
  const std::string want = noise(10'000, 1) + "short";
  EXPECT_TRUE(std::ranges::equal(parsed->content, std::as_bytes(std::span(want))));
}

TEST(OneWayObject, IsTheSameForTheSameFiles) {
  const TemporaryFolder one;
  const TemporaryFolder other;
  make_tree(one);
  make_tree(other);
  EXPECT_EQ(object_of(one), object_of(other));
  write_file(other / "tree/none", "x");
  EXPECT_NE(epoch_of(object_of(one)), epoch_of(object_of(other)));
}

TEST(OneWayObject, WhatIsCutOffOrWrongInItsHeadIsNoticed) {
  const TemporaryFolder folder;
  make_tree(folder);
  auto object = object_of(folder);
  const std::size_t n_content = 10'005;
  for (std::size_t i = 0; i < object.size() - n_content; ++i) {
    object[i] ^= std::byte{4};
    EXPECT_FALSE(parse_one_way_object(object)) << i;
    object[i] ^= std::byte{4};
  }
  for (std::size_t n = 0; n < object.size(); n += n < 400 ? 1 : 100) {
    EXPECT_FALSE(parse_one_way_object(std::span(object).first(n))) << n;
  }
}

TEST(OneWayObject, ASingleFileOfEncodeIsReadToo) {
  const auto object = make_file_object("../a/größe.txt", std::as_bytes(std::span("content", 7)));
  const auto parsed = parse_one_way_object(object);
  ASSERT_TRUE(parsed);
  ASSERT_EQ(parsed->manifest.entries().size(), 1U);
  EXPECT_EQ(parsed->manifest.entries()[0].local_path, "größe.txt");
  EXPECT_EQ(parsed->content.size(), 7U);
}

TEST(OneWayObject, IsNoSingleFile) {
  const TemporaryFolder folder;
  make_tree(folder);
  const auto object = object_of(folder);
  EXPECT_TRUE(holds_manifest(object));
  EXPECT_FALSE(parse_file_object(object));
  EXPECT_FALSE(holds_manifest(make_file_object("a", {})));
}

}  // namespace
}  // namespace wccl::transfer
