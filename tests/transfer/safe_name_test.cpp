#include "transfer/safe_name.h"

#include <span>
#include <string>

#include <gtest/gtest.h>

#include "transfer/hash.h"

namespace wccl::transfer {
namespace {

// FIPS 180-4's example.
TEST(Sha256, IsInLowerCaseHexadecimal) {
  EXPECT_EQ(to_hex(sha256(std::as_bytes(std::span("abc", 3)))),
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
  EXPECT_EQ(safe_base_name("..\\..\\evil.exe"), ".._.._evil.exe");
  EXPECT_EQ(safe_base_name("back\\slash"), "back_slash");
  for (const std::string name : {"", ".", "..", "/", "a/", "a/.."}) {
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

TEST(SafeBaseName, ReadsAsWhatItIs) {
  EXPECT_EQ(safe_base_name("photo\u202egpj.exe"), "photo_gpj.exe");
  for (const std::string control : {"\u061c", "\u200e", "\u200f", "\u202a", "\u2066", "\u2069"}) {
    EXPECT_EQ(safe_base_name("a" + control + "b"), "a_b") << control;
  }
  // Joiners are part of honest names.
  EXPECT_EQ(safe_base_name("\u200d"), "\u200d");
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
  // The underscore in front leaves no room for the last character.
  EXPECT_EQ(safe_base_name("COM1." + std::string(248, 'x') + "ä"),
            "_COM1." + std::string(248, 'x'));
}

}  // namespace
}  // namespace wccl::transfer
