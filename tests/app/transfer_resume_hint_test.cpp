#include "app/transfer_resume_hint.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../temporary_folder.h"

namespace wccl::app {
namespace {

using ::testing::HasSubstr;

TEST(TransferResumeHint, AFolderKeepsSomethingOnceATransferHasBegun) {
  const TemporaryFolder folder;
  EXPECT_FALSE(keeps_partial_transfer(folder.path()));
  EXPECT_FALSE(keeps_partial_transfer(folder.path() / "absent"));
  std::filesystem::create_directory(folder.path() / ".wccl-partial");
  EXPECT_TRUE(keeps_partial_transfer(folder.path()));
}

TEST(TransferResumeHint, ASenderIsNotToldThatItKeepsAnything) {
  EXPECT_THAT(with_sender_hint({ErrorCode::kCancelled, "interrupted"}).message,
              HasSubstr("what the receivers have"));
  for (const ErrorCode code : {ErrorCode::kTimeout, ErrorCode::kInvalidArgument, ErrorCode::kIo}) {
    EXPECT_EQ(with_sender_hint({code, "no"}).message, "no");
  }
}

}  // namespace
}  // namespace wccl::app
