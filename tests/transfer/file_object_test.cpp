#include "transfer/file_object.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wccl::transfer {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

TEST(FileObject, BearsNameAndContent) {
  for (const std::string content : {"", "x", "a longer one"}) {
    const auto object = make_file_object("größe 大.txt", bytes_of(content));
    EXPECT_EQ(object.size(), content.size() + file_object_overhead("größe 大.txt"));
    const auto file = parse_file_object(object);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->name, "größe 大.txt");
    EXPECT_EQ(std::vector<std::byte>(file->content.begin(), file->content.end()),
              bytes_of(content));
  }
}

TEST(FileObject, AnyBitThatIsWrongIsNoticed) {
  const auto object = make_file_object("name", bytes_of("content"));
  for (std::size_t i = 0; i < object.size(); ++i) {
    auto torn = object;
    torn[i] ^= std::byte{4};
    EXPECT_FALSE(parse_file_object(torn)) << i;
  }
}

TEST(FileObject, TooShortIsNoObject) {
  EXPECT_FALSE(parse_file_object({}));
  const auto object = make_file_object("", {});
  EXPECT_TRUE(parse_file_object(object));
  EXPECT_FALSE(parse_file_object(std::span(object).first(10)));
}

TEST(FileObject, EpochTellsContentsApart) {
  EXPECT_NE(epoch_of(make_file_object("a", bytes_of("1"))),
            epoch_of(make_file_object("a", bytes_of("2"))));
}

}  // namespace
}  // namespace wccl::transfer
