#include "app/run_folder.h"

#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "../temporary_folder.h"
#include "room/png.h"

namespace wccl::app {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void put(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

TEST(RunFolder, IsMadeWithItsParents) {
  const TemporaryFolder temporary;
  const auto folder = RunFolder::create(temporary.path() / "a" / "b");
  ASSERT_TRUE(folder);
  EXPECT_TRUE(fs::is_empty(folder->path())) << "the probe is gone";
}

TEST(RunFolder, DiscardedLeavesNothingOfTheRun) {
  const TemporaryFolder temporary;
  const auto folder = RunFolder::create(temporary.path() / "run");
  ASSERT_TRUE(folder);
  put(folder->path() / "config.json", "{}");
  put(folder->path() / "camera-0.png", "png");
  folder->discard();
  EXPECT_TRUE(fs::is_empty(temporary.path()));
}

TEST(RunFolder, DiscardedKeepsWhatIsNotOfTheRun) {
  const TemporaryFolder temporary;
  const auto folder = RunFolder::create(temporary.path());
  ASSERT_TRUE(folder);
  put(folder->path() / "config.json", "{}");
  put(folder->path() / "notes.txt", "mine");
  folder->discard();
  EXPECT_FALSE(fs::exists(temporary.path() / "config.json"));
  EXPECT_EQ(text_of(temporary.path() / "notes.txt"), "mine");
}

TEST(RunFolder, FilesAppearWholeAndLeaveNoPartBehind) {
  const TemporaryFolder temporary;
  const auto folder = RunFolder::create(temporary.path());
  ASSERT_TRUE(folder);
  ASSERT_TRUE(folder->write("summary.json", nlohmann::ordered_json{{"accuracy", 0.5}}));
  EXPECT_EQ(nlohmann::json::parse(text_of(temporary.path() / "summary.json"))["accuracy"], 0.5);
  EXPECT_FALSE(fs::exists(temporary.path() / "summary.json.part"));
}

TEST(RunFolder, KeepsPictures) {
  const TemporaryFolder temporary;
  const auto folder = RunFolder::create(temporary.path());
  ASSERT_TRUE(folder);
  RgbImage picture(4, 2);
  picture.row(1)[3] = 200;
  ASSERT_TRUE(folder->write("camera-0.png", picture));
  const auto back = room::read_png(temporary.path() / "camera-0.png");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->pixels, picture.pixels);
}

TEST(RunFolder, AnEarlierRunMakesRoomAndNothingElseDoes) {
  const TemporaryFolder temporary;
  put(temporary.path() / "config.json", R"({"wccl_version": "0.1.0"})");
  put(temporary.path() / "metrics.jsonl", "{}");
  put(temporary.path() / "notes.txt", "mine");
  ASSERT_TRUE(RunFolder::create(temporary.path()));
  EXPECT_FALSE(fs::exists(temporary.path() / "metrics.jsonl"));
  EXPECT_EQ(text_of(temporary.path() / "notes.txt"), "mine");
}

TEST(RunFolder, FoldersOfRanksThatWereLaunchedMakeRoomToo) {
  const TemporaryFolder temporary;
  for (const auto& folder : {temporary.path(), temporary.path() / "rank1"}) {
    fs::create_directory(folder);
    put(folder / "config.json", R"({"wccl_version": "0.1.0"})");
    put(folder / "state-rank1.safetensors", "old");
  }
  fs::create_directory(temporary.path() / "rank2");
  put(temporary.path() / "rank2" / "notes.txt", "mine");
  ASSERT_TRUE(RunFolder::create(temporary.path()));
  EXPECT_FALSE(fs::exists(temporary.path() / "state-rank1.safetensors"));
  EXPECT_FALSE(fs::exists(temporary.path() / "rank1"));
  EXPECT_EQ(text_of(temporary.path() / "rank2" / "notes.txt"), "mine");
}

TEST(RunFolder, ResumingKeepsAllButTheEnd) {
  const TemporaryFolder temporary;
  const auto folder = temporary.path() / "run";
  const auto absent = RunFolder::resume(folder);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::kNotFound);
  fs::create_directory(folder);
  put(folder / "thesis.txt", "mine");
  ASSERT_FALSE(RunFolder::resume(folder));
  EXPECT_EQ(RunFolder::resume(folder).error().code, ErrorCode::kInvalidArgument);
  put(folder / "config.json", R"({"wccl_version": "0.1.0"})");
  put(folder / "metrics.jsonl", "{}");
  put(folder / "state-rank0.safetensors", "state");
  put(folder / "summary.json", "{}");
  const auto resumed = RunFolder::resume(folder);
  ASSERT_TRUE(resumed) << resumed.error().message;
  EXPECT_EQ(text_of(folder / "metrics.jsonl"), "{}");
  EXPECT_EQ(text_of(folder / "state-rank0.safetensors"), "state");
  EXPECT_FALSE(fs::exists(folder / "summary.json"));
  EXPECT_THAT(RunFolder::resume(folder).error().message, HasSubstr("another run"));
}

TEST(RunFolder, TwoRunsAtOnceCannotShareOne) {
  const TemporaryFolder temporary;
  {
    const auto first = RunFolder::create(temporary.path());
    ASSERT_TRUE(first);
    ASSERT_TRUE(first->write("config.json", nlohmann::ordered_json{{"wccl_version", "0"}}));
    const auto second = RunFolder::create(temporary.path());
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error().message, HasSubstr("another run"));
    EXPECT_TRUE(fs::exists(first->path() / "config.json")) << "the first run's files stay";
  }
  EXPECT_TRUE(RunFolder::create(temporary.path())) << "once it has ended";
}

TEST(RunFolder, AFolderOfSomethingElseIsRefusedAndUntouched) {
  const TemporaryFolder temporary;
  put(temporary.path() / "metrics.jsonl", "theirs");
  const auto folder = RunFolder::create(temporary.path());
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(text_of(temporary.path() / "metrics.jsonl"), "theirs");
}

TEST(RunFolder, AConfigThatIsNotOursIsRefused) {
  for (const char* config : {"{}", "[]", "not json", "{\"wccl_version\"", ""}) {
    const TemporaryFolder temporary;
    put(temporary.path() / "config.json", config);
    EXPECT_FALSE(RunFolder::create(temporary.path())) << config;
  }
}

// Also root, whom no permission stops, cannot make a folder in place of a file.
TEST(RunFolder, APlaceThatCannotBeWrittenIsNamed) {
  const TemporaryFolder temporary;
  put(temporary.path() / "file", "");
  for (const auto& path : {temporary.path() / "file", temporary.path() / "file" / "run"}) {
    const auto folder = RunFolder::create(path);
    ASSERT_FALSE(folder);
    EXPECT_EQ(folder.error().code, ErrorCode::kIo);
    EXPECT_THAT(folder.error().message, HasSubstr(path.string()));
  }
}

TEST(RunFolder, DefaultNamesCarryTheSeed) {
  EXPECT_THAT(default_run_folder(42).string(), HasSubstr("-seed42"));
  EXPECT_THAT(default_run_folder(42, 1).string(), HasSubstr("-seed42-rank1"));
  EXPECT_EQ(default_run_folder(42).parent_path(), "runs");
}

}  // namespace
}  // namespace wccl::app
