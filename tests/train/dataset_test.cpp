#include "train/dataset.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>

#include "../temporary_folder.h"
#include "synthetic_digits.h"

namespace wccl::train {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A folder with a small, sound IDX set, for a test to damage.
class DatasetTest : public ::testing::Test {
 protected:
  void SetUp() override { write_idx(folder_.path(), make_digits(20, 10, 1)); }

  std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }

  void overwrite(const std::string& name,
                 std::streamoff offset,
                 std::initializer_list<int> bytes) const {
    std::fstream stream(file(name), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(offset);
    for (const int byte : bytes) {
      stream.put(static_cast<char>(byte));
    }
  }

  Error error() const {
    const auto mnist = load_mnist(folder_.path());
    return mnist ? Error{ErrorCode::kUnsupported, "it loaded"} : mnist.error();
  }

  TemporaryFolder folder_;
};

constexpr const char* kImages = "train-images-idx3-ubyte";
constexpr const char* kLabels = "t10k-labels-idx1-ubyte";

TEST_F(DatasetTest, ReadsWhatWasWritten) {
  const Mnist written = make_digits(20, 10, 1);
  const auto read = load_mnist(folder_.path());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->train.n_images, 20);
  EXPECT_EQ(read->train.pixels, written.train.pixels);
  EXPECT_EQ(read->train.labels, written.train.labels);
  EXPECT_EQ(read->test.n_images, 10);
  EXPECT_EQ(read->test.pixels, written.test.pixels);
}

TEST_F(DatasetTest, MissingFolderIsNamedWithWhatToDo) {
  const auto mnist = load_mnist(folder_.path() / "nowhere");
  ASSERT_FALSE(mnist);
  EXPECT_EQ(mnist.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(mnist.error().message,
              AllOf(HasSubstr("nowhere"), HasSubstr("./demo"), HasSubstr("--data")));
}

TEST_F(DatasetTest, MissingFileIsNamed) {
  std::filesystem::remove(file(kLabels));
  EXPECT_EQ(error().code, ErrorCode::kNotFound);
  EXPECT_THAT(error().message, HasSubstr(kLabels));
}

TEST_F(DatasetTest, FolderInPlaceOfAFileIsRefused) {
  std::filesystem::remove(file(kLabels));
  std::filesystem::create_directory(file(kLabels));
  EXPECT_THAT(error().message, HasSubstr(kLabels));
}

TEST_F(DatasetTest, TornFileSaysHowManyBytesAreThere) {
  std::filesystem::resize_file(file(kImages), 1234);
  EXPECT_EQ(error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(error().message,
              AllOf(HasSubstr(kImages), HasSubstr("15696 bytes expected, 1234 found"),
                    Not(HasSubstr("\n"))));
}

TEST_F(DatasetTest, FileTornWithinItsHeaderIsRefused) {
  for (const std::uintmax_t size : {0, 1, 4, 15}) {
    std::filesystem::resize_file(file(kImages), size);
    EXPECT_EQ(error().code, ErrorCode::kCorrupt) << size;
  }
}

TEST_F(DatasetTest, TrailingBytesAreRefused) {
  std::filesystem::resize_file(file(kLabels), 19);
  EXPECT_THAT(error().message, HasSubstr("18 bytes expected, 19 found"));
}

TEST_F(DatasetTest, WrongMagicIsRefused) {
  overwrite(kImages, 0, {0x1F, 0x8B});  // still compressed
  EXPECT_EQ(error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(error().message, HasSubstr("begins with"));
}

TEST_F(DatasetTest, AbsurdCountIsRefusedBeforeMemoryIsTaken) {
  overwrite(kImages, 4, {0xFF, 0xFF, 0xFF, 0xFF});
  EXPECT_EQ(error().code, ErrorCode::kCorrupt);
  overwrite(kImages, 4, {0, 0, 0, 0});
  EXPECT_EQ(error().code, ErrorCode::kCorrupt);
}

TEST_F(DatasetTest, OtherPictureSizesAreRefused) {
  overwrite(kImages, 8, {0, 0, 0, 14, 0, 0, 0, 56});  // as many bytes as 28 x 28
  EXPECT_EQ(error().code, ErrorCode::kCorrupt);
}

TEST_F(DatasetTest, LabelsMustBeDigits) {
  overwrite(kLabels, 8 + 3, {10});
  EXPECT_EQ(error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(error().message, HasSubstr("label 10 of image 3"));
}

TEST_F(DatasetTest, LabelsMustBeAsManyAsImages) {
  overwrite(kLabels, 4, {0, 0, 0, 9});
  std::filesystem::resize_file(file(kLabels), 17);
  EXPECT_THAT(error().message, HasSubstr("9 labels for 10 images"));
}

}  // namespace
}  // namespace wccl::train
