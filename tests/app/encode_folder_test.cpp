#include "app/encode_folder.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../temporary_folder.h"

namespace wccl::app {
namespace {

namespace fs = std::filesystem;

void put(const fs::path& path) {
  std::ofstream(path) << "x";
}

TEST(EncodeFolder, ManifestComesBack) {
  const TemporaryFolder folder;
  const EncodeManifest manifest{{1366, 768}, 60, 3, "luma8-0.5", "größe.bin", 12345, "abcd", 99};
  ASSERT_TRUE(write_manifest(folder.path(), manifest));
  const auto read = read_manifest(folder.path());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->panel, manifest.panel);
  EXPECT_EQ(read->hold, 3);
  EXPECT_EQ(read->mode, manifest.mode);
  EXPECT_EQ(read->file, manifest.file);
  EXPECT_EQ(read->bytes, manifest.bytes);
  EXPECT_EQ(read->frames, 99U);
}

TEST(EncodeFolder, IsMadeWithItsParents) {
  const TemporaryFolder folder;
  EXPECT_TRUE(prepare_encode_folder(folder.path() / "a" / "b"));
  EXPECT_TRUE(fs::is_directory(folder.path() / "a" / "b"));
}

TEST(EncodeFolder, EarlierFramesGo) {
  const TemporaryFolder folder;
  put(folder.path() / frame_name(0));
  put(folder.path() / frame_name(65535));
  put(folder.path() / "manifest.json");
  ASSERT_TRUE(prepare_encode_folder(folder.path()));
  EXPECT_FALSE(fs::exists(folder.path() / frame_name(0)));
  EXPECT_FALSE(fs::exists(folder.path() / frame_name(65535)));
  EXPECT_FALSE(fs::exists(folder.path() / "manifest.json"));
}

TEST(EncodeFolder, WithAnythingElseIsRefusedUntouched) {
  for (const std::string other : {"thesis.txt", "frame-1.png", "frame-00000.png.bak"}) {
    const TemporaryFolder folder;
    put(folder.path() / frame_name(0));
    put(folder.path() / other);
    const auto refused = prepare_encode_folder(folder.path());
    ASSERT_FALSE(refused) << other;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
    EXPECT_TRUE(fs::exists(folder.path() / other));
    EXPECT_TRUE(fs::exists(folder.path() / frame_name(0)));
  }
}

TEST(EncodeFolder, AbandonedLeavesNothing) {
  const TemporaryFolder parent;
  const fs::path folder = parent.path() / "frames";
  ASSERT_TRUE(prepare_encode_folder(folder));
  put(folder / frame_name(0));
  abandon_encode_folder(folder);
  EXPECT_FALSE(fs::exists(folder));
}

TEST(EncodeFolder, HostileManifestIsRefused) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_manifest(folder.path()));
  for (const std::string text : {"", "[]", "{}", R"({"panel": 3})", R"({"panel": [1, 2]})"}) {
    std::ofstream(folder.path() / "manifest.json") << text;
    EXPECT_FALSE(read_manifest(folder.path())) << text;
  }
}

TEST(EncodeFolder, ManifestBeyondWhatIsEncodedIsRefused) {
  const TemporaryFolder folder;
  const auto is_refused = [&](const auto& change) {
    EncodeManifest manifest{{1366, 768}, 60, 3, "luma8-0.5", "a", 12345, "abcd", 99};
    change(manifest);
    EXPECT_TRUE(write_manifest(folder.path(), manifest));
    return !read_manifest(folder.path());
  };
  EXPECT_FALSE(is_refused([](EncodeManifest&) {}));
  EXPECT_TRUE(is_refused([](EncodeManifest& m) { m.panel = {100'000, 768}; }));
  EXPECT_TRUE(is_refused([](EncodeManifest& m) { m.panel = {-5, 7}; }));
  // The time of the last frame has to fit.
  EXPECT_TRUE(is_refused([](EncodeManifest& m) { m.frames = std::size_t{1} << 62U; }));
  EXPECT_TRUE(is_refused([](EncodeManifest& m) { m.hold = 2'000'000'000; }));
  EXPECT_TRUE(is_refused([](EncodeManifest& m) { m.refresh_hz = 0; }));
  std::ofstream(folder.path() / "manifest.json")
      << R"({"panel":[1366,768],"refresh_hz":60,"hold":1e300,"mode":"m","file":"f","bytes":1,)"
         R"("sha256":"","frames":9})";
  EXPECT_FALSE(read_manifest(folder.path()));
}

}  // namespace
}  // namespace wccl::app
