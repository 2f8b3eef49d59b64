#include "device/pipe.h"

#include <array>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "../temporary_folder.h"
#include "device/capture_source.h"

namespace wccl::device {
namespace {

TEST(Pipe, WaitsForAWriterUntilItIsCancelled) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const FileDescriptor writer(ends[1]);
  int n_asked = 0;
  const auto read = read_pipe(FileDescriptor(ends[0]), [&] { return ++n_asked > 1; });
  std::array<std::byte, 4> bytes{};
  EXPECT_EQ(read(bytes), 0U);
  EXPECT_EQ(n_asked, 2);
}

TEST(Pipe, StartIsWholeThoughItComesInPieces) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const auto read = read_pipe(FileDescriptor(ends[0]), {});
  {
    const FileDescriptor writer(ends[1]);
    ASSERT_EQ(write(writer.number(), "abcdef", 6), 6);
  }
  const auto one_by_one = [&](std::span<std::byte> bytes) { return read(bytes.first(1)); };
  EXPECT_EQ(read_start(one_by_one, 4).size(), 4U);
  EXPECT_EQ(read_start(one_by_one, 4).size(), 2U);
}

TEST(OpenCaptures, FifoThatNobodyWritesIntoCanBeCancelled) {
  const TemporaryFolder folder;
  const std::string fifo = folder / "film";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  const auto captures = open_captures({&fifo, 1}, [] { return true; });
  ASSERT_FALSE(captures);
  EXPECT_EQ(captures.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace wccl::device
