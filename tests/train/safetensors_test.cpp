#include "train/safetensors.h"

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include <gmock/gmock.h>

#include "../temporary_folder.h"
#include "synthetic_digits.h"
#include "train/run_log.h"

namespace wccl::train {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

class SafetensorsTest : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "model.safetensors"; }

  /// A file with this header, padded by nothing, and `n_data` bytes behind it.
  Result<Safetensors> read(const std::string& header, std::size_t n_data) const {
    std::string content;
    for (int shift = 0; shift < 64; shift += 8) {
      content += static_cast<char>((header.size() >> shift) & 0xFFU);
    }
    return read_raw(content + header + std::string(n_data, '\0'));
  }
  Result<Safetensors> read_raw(const std::string& content) const {
    std::ofstream(path(), std::ios::binary) << content;
    return read_safetensors(path());
  }

  TemporaryFolder folder_;
};

TEST_F(SafetensorsTest, WhatIsWrittenReadsBack) {
  const Safetensors written{
      {{"a.weight", {2, 3}, {1, -2, 3.5F, 0, 1e-30F, 6}}, {"b", {}, {7}}, {"empty", {0}, {}}},
      {{"syncs", "3"}}};
  ASSERT_TRUE(write_safetensors(path(), written));
  const auto read_back = read_safetensors(path());
  ASSERT_TRUE(read_back) << read_back.error().message;
  EXPECT_EQ(read_back->metadata, written.metadata);
  ASSERT_EQ(read_back->tensors.size(), 3U);
  for (const NamedTensor& tensor : written.tensors) {
    const auto same = [&](const NamedTensor& other) {
      return other.name == tensor.name && other.shape == tensor.shape &&
             other.values == tensor.values;
    };
    EXPECT_TRUE(std::any_of(read_back->tensors.begin(), read_back->tensors.end(), same))
        << tensor.name;
  }
}

TEST_F(SafetensorsTest, BytesAreThoseOfTheFormat) {
  ASSERT_TRUE(write_safetensors(path(), {{{"w", {1}, {1.0F}}}, {}}));
  const std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  std::string expected(1, static_cast<char>(padded.size()));
  expected += std::string(7, '\0') + padded + std::string("\x00\x00\x80\x3F", 4);
  EXPECT_EQ(slurp(path()), expected);
}

TEST_F(SafetensorsTest, WritingLeavesNoHalfFileBeside) {
  ASSERT_TRUE(write_safetensors(path(), {{{"w", {1}, {1.0F}}}, {}}));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(SafetensorsTest, PlaceThatCannotBeWrittenIsAnError) {
  const auto status = write_safetensors(folder_.path() / "nowhere" / "x", {});
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
}

TEST_F(SafetensorsTest, MissingFileIsNotFound) {
  EXPECT_EQ(read_safetensors(path()).error().code, ErrorCode::kNotFound);
}

TEST_F(SafetensorsTest, HostileFilesAreRefused) {
  EXPECT_FALSE(read_raw(""));
  EXPECT_FALSE(read_raw("1234567"));
  EXPECT_FALSE(read_raw(std::string(8, '\xFF') + "{}"));            // a header of 2^64 - 1 bytes
  EXPECT_FALSE(read_raw(std::string("\x40\0\0\0\0\0\0\0{}", 10)));  // ends within the header
  EXPECT_FALSE(read("not json", 0));
  EXPECT_FALSE(read("[]", 0));
  EXPECT_FALSE(read(std::string(50'000, '['), 0));  // deep nesting
  EXPECT_FALSE(read("{}", 4));                      // data that belongs to nothing
  EXPECT_FALSE(read(R"({"w":7})", 4));
  EXPECT_FALSE(read(R"({"w":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})", 4));
  EXPECT_FALSE(read(R"({"w":{"shape":[1],"data_offsets":[0,4]}})", 4));
  EXPECT_FALSE(read(R"({"w":{"dtype":["F32"],"shape":[1],"data_offsets":[0,4]}})", 4));
  EXPECT_FALSE(read(R"({"w":{"dtype":"F32","shape":1,"data_offsets":[0,4]}})", 4));
  EXPECT_FALSE(read(R"({"w":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4));
  EXPECT_FALSE(read(R"({"w":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4));
  EXPECT_FALSE(read(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,8]}})", 4));
  EXPECT_FALSE(read(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4));
  EXPECT_FALSE(read(R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4,4]}})", 4));
  EXPECT_FALSE(read(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", 4));
  // A product that wraps to 1 in 64 bits.
  EXPECT_FALSE(
      read(R"({"w":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}})", 0));
  // An overlap and a gap.
  EXPECT_FALSE(read(
      R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
      4));
  EXPECT_FALSE(read(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", 8));
  EXPECT_FALSE(read(R"({"__metadata__":{"a":1}})", 0));
  EXPECT_FALSE(read(R"({"__metadata__":7})", 0));
}

TEST_F(SafetensorsTest, ThoseWithoutValuesReadWhateverTheirNames) {
  for (const auto& [first, second] : {std::pair("a", "b"), std::pair("b", "a")}) {
    ASSERT_TRUE(write_safetensors(path(), {{{first, {0, 5}, {}}, {second, {1}, {2}}}, {}}));
    const auto read_back = read_safetensors(path());
    ASSERT_TRUE(read_back) << read_back.error().message;
    ASSERT_EQ(read_back->tensors.size(), 2U);
    EXPECT_EQ(read_back->tensors[0].name, first);
  }
  ASSERT_TRUE(write_safetensors(path(), {{{"alone", {5, 0}, {}}}, {}}));
  EXPECT_TRUE(read_safetensors(path()));
}

// With a walk over all names for each name this took minutes.
TEST_F(SafetensorsTest, AHeaderOfManyNamesIsReadInOneGo) {
  std::string header = "{";
  for (int i = 0; i < 200'000; ++i) {
    header += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  }
  EXPECT_FALSE(read(header + "}", 0));
}

TEST_F(SafetensorsTest, TruncationAnywhereIsRefused) {
  ASSERT_TRUE(write_safetensors(path(), {{{"w", {3}, {1, 2, 3}}}, {{"k", "v"}}}));
  const std::string whole = slurp(path());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(read_raw(whole.substr(0, size))) << size;
  }
}

TEST(RunLogTest, KeepsALineASyncAndTheLatestCheckpoint) {
  const TemporaryFolder folder;
  auto log = RunLog::open(folder.path() / "run");
  ASSERT_TRUE(log) << log.error().message;
  std::vector<float> weights(670, 0.25F);
  ASSERT_TRUE(log->add({0, 1, 100, 0.5, 0.8, from_seconds(1.5)}, weights));
  weights[669] = -1.0F;
  ASSERT_TRUE(log->add({0, 2, 200, 0.25, 0.9, from_seconds(2.5)}, weights));
  // Read while the log is open: an interrupted run leaves the same.
  EXPECT_EQ(slurp(folder.path() / "run" / "metrics.jsonl"),
            "{\"sync\":1,\"steps\":100,\"loss\":0.5,\"accuracy\":0.8,\"elapsed_s\":1.5}\n"
            "{\"sync\":2,\"steps\":200,\"loss\":0.25,\"accuracy\":0.9,\"elapsed_s\":2.5}\n");
  const auto checkpoint = read_safetensors(folder.path() / "run" / "checkpoint.safetensors");
  ASSERT_TRUE(checkpoint) << checkpoint.error().message;
  EXPECT_EQ(checkpoint->metadata.at("syncs"), "2");
  ASSERT_EQ(checkpoint->tensors.size(), 6U);
  EXPECT_EQ(checkpoint->tensors[4].name, "linear.weight");
  EXPECT_EQ(checkpoint->tensors[4].shape, (std::vector<std::int64_t>{10, 64}));
  EXPECT_EQ(checkpoint->tensors[5].values[9], -1.0F);
}

TEST(RunLogTest, FolderThatCannotBeMadeIsOneClearLine) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "in the way";
  const auto log = RunLog::open(folder.path() / "file" / "run");
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code, ErrorCode::kIo);
  EXPECT_THAT(log.error().message, StartsWith("run folder "));
  EXPECT_THAT(log.error().message, HasSubstr("--out"));
}

}  // namespace
}  // namespace wccl::train
