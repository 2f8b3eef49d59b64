#include "app/resume_hint.h"

#include <fstream>

#include <gmock/gmock.h>

#include "../temporary_folder.h"

namespace wccl::app {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

TEST(ResumeHint, IsTheCommandToType) {
  TrainSettings settings;
  EXPECT_EQ(resume_command(settings, "runs/1"), "wccl train --resume runs/1");
  EXPECT_EQ(resume_command(settings, "my runs/ada's"), R"(wccl train --resume 'my runs/ada'\''s')");
  settings.backend = Backend::kGloo;
  settings.rank = 1;
  settings.master = Endpoint{"10.0.0.1", 29500};
  EXPECT_EQ(resume_command(settings, "r"),
            "wccl train --resume r --rank 1 --master 10.0.0.1:29500");
}

TEST(ResumeHint, ThereIsOneWhenThereIsSomethingToGoOnWith) {
  const TemporaryFolder folder;
  TrainSettings settings;
  EXPECT_FALSE(resume_hint(settings, folder.path(), Ending::kFailed, 1));
  std::ofstream(folder.path() / "state-rank0.safetensors") << "state";
  EXPECT_THAT(*resume_hint(settings, folder.path(), Ending::kFailed, 1),
              EndsWith("wccl train --resume " + folder.path().string()));
  EXPECT_TRUE(resume_hint(settings, folder.path(), Ending::kInterrupted, 1));
  EXPECT_FALSE(resume_hint(settings, folder.path(), Ending::kTargetReached, 1));
}

TEST(ResumeHint, ARunOutOfTimeNeedsMore) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "state-rank0.safetensors") << "state";
  TrainSettings settings;
  settings.max_air_time_s = 60;
  EXPECT_THAT(*resume_hint(settings, folder.path(), Ending::kOutOfTime, 60.5),
              EndsWith(" --max-air-time 121"));
  EXPECT_FALSE(resume_hint(settings, folder.path(), Ending::kOutOfTime, 30))
      << "it was not time that ran out";
}

TEST(ResumeHint, MoreTimeIsMoreThanTheLastSyncTook) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "state-rank0.safetensors") << "state";
  TrainSettings settings;
  settings.max_air_time_s = 0.5;
  EXPECT_THAT(*resume_hint(settings, folder.path(), Ending::kOutOfTime, 1.3),
              EndsWith(" --max-air-time 3"));
}

TEST(ResumeHint, OneRankOfManyNeedsTheOthers) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "state-rank1.safetensors") << "state";
  TrainSettings settings;
  settings.rank = 1;
  EXPECT_THAT(*resume_hint(settings, folder.path(), Ending::kFailed, 1),
              HasSubstr("start all ranks again"));
}

}  // namespace
}  // namespace wccl::app
