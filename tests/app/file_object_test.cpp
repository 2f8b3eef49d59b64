#include "app/file_object.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wccl::app {
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

// FIPS 180-4's example.
TEST(Sha256, IsInLowerCaseHexadecimal) {
  EXPECT_EQ(sha256_hex(bytes_of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(SafeBaseName, LeavesHonestNamesAlone) {
  for (const std::string name :
       {"a.txt", "with spaces.tar.gz", "größe 大 файл 🎈.bin", ".hidden", "contact.cert",
        "what? \"a:b\" <c>|*.x", "dots...", "a'b(1)&$!.x"}) {
    EXPECT_EQ(safe_base_name(name), name);
  }
}

TEST(SafeBaseName, IsNeverAPath) {
  EXPECT_EQ(safe_base_name("../../etc/passwd"), "passwd");
  EXPECT_EQ(safe_base_name("/etc/passwd"), "passwd");
  EXPECT_EQ(safe_base_name("..\\..\\evil.exe"), "evil.exe");
  for (const std::string name : {"", ".", "..", "/", "a/", "a/..", "\\"}) {
    EXPECT_EQ(safe_base_name(name), "file") << name;
  }
}

TEST(SafeBaseName, HasNothingThatATerminalObeys) {
  EXPECT_EQ(safe_base_name("a\x1b[2Jb\n\x7f.txt"), "a_[2Jb__.txt");
  EXPECT_EQ(safe_base_name("a\xc2\x9b"
                           "b"),
            "a_b");  // CSI as one character
  EXPECT_EQ(safe_base_name(std::string("a\0b", 3)), "a_b");
}

TEST(SafeBaseName, IsValidUtf8) {
  EXPECT_EQ(safe_base_name("a\xff"
                           "b"),
            "a_b");
  EXPECT_EQ(safe_base_name("\xc0\xaf"
                           "etc"),
            "__etc");                                 // an overlong slash
  EXPECT_EQ(safe_base_name("\xed\xa0\x80"), "___");   // a surrogate
  EXPECT_EQ(safe_base_name("end\xe5\xa4"), "end__");  // cut off
}

TEST(SafeBaseName, IsNoDeviceOfWindows) {
  EXPECT_EQ(safe_base_name("NUL"), "_NUL");
  EXPECT_EQ(safe_base_name("com1.txt"), "_com1.txt");
  EXPECT_EQ(safe_base_name("aux.c"), "_aux.c");
}

TEST(SafeBaseName, FitsAFileSystem) {
  const std::string safe = safe_base_name(std::string(200, 'a') + std::string(200, 'b'));
  EXPECT_EQ(safe.size(), 255U);
  std::string wide;
  for (int i = 0; i < 100; ++i) {
    wide += "大";
  }
  EXPECT_EQ(safe_base_name(wide).size(), 255U);
}

}  // namespace
}  // namespace wccl::app
