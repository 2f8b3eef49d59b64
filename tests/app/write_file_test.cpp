#include "app/write_file.h"

#include <csignal>
#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "../temporary_folder.h"

namespace wccl::app {
namespace {

using ::testing::HasSubstr;

TEST(WriteFile, SaysWhyItCannot) {
  const TemporaryFolder folder;
  const auto written = write_file(folder / "missing" / "a", {});
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("missing/a: No such file or directory"));
}

/// As `ulimit -f`; main() ignores the signal.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t n_bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{n_bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(WriteFile, AWholeOneTakesItsPlaceInOneStep) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_whole_file(folder / "a", std::vector<std::byte>(10)));
  EXPECT_EQ(std::filesystem::file_size(folder / "a"), 10U);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.part"));
  std::filesystem::create_directory(folder / "taken");
  const auto written = write_whole_file(folder / "taken", {});
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("taken: "));
  EXPECT_FALSE(std::filesystem::exists(folder / "taken.part"));
}

TEST(WriteFile, LeavesNothingOfAFileThatBecomesTooLarge) {
  const TemporaryFolder folder;
  Status written;
  {
    const FileSizeLimit limit(1000);
    written = write_file(folder / "a", std::vector<std::byte>(100'000));
  }
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("ulimit -f"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace wccl::app
