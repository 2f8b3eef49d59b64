#include "app/display.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wccl::app {
namespace {

using testing::HasSubstr;
using testing::Not;

RunView training_view() {
  RunView view;
  view.title = "2 laptops in face_1080p (pair)";
  view.phase = Phase::kTraining;
  view.air_time_s = 3.25;
  view.target_accuracy = 0.9;
  view.progress = train::Progress{};
  view.progress->syncs = 2;
  view.progress->steps = 100;
  view.progress->accuracy = 0.8123;
  view.links.push_back(
      {.from = 0, .to = 1, .goodput_bps = 4.2e5, .frames = 9, .blocks_ok = 99, .blocks_bad = 1});
  return view;
}

/// What a display writes into something that is no terminal.
template <class Use>
std::string written(Use use) {
  std::FILE* file = std::tmpfile();
  Display display(file);
  use(display);
  std::rewind(file);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

TEST(Display, BlockTellsPhaseTimeProgressAndEachLink) {
  const auto lines = block_lines(training_view());
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_THAT(lines[1], HasSubstr("training  air time 3.2"));
  EXPECT_THAT(lines[2], HasSubstr("81.23%"));
  EXPECT_THAT(lines[3], HasSubstr("420 kbit/s"));
  EXPECT_THAT(lines[3], HasSubstr("1.00% of blocks bad"));
}

TEST(Display, BlockHasOneHeightOverTheWholeRun) {
  auto view = training_view();
  const auto n_lines = block_lines(view).size();
  view.phase = Phase::kCalibrating;
  view.progress.reset();
  view.links[0].frames = 0;
  EXPECT_EQ(block_lines(view).size(), n_lines);
  EXPECT_THAT(block_lines(view).back(), HasSubstr("not seen yet"));
}

TEST(Display, ALogGetsOnePlainLineAnEventAndNoneForTicks) {
  const auto text = written([](Display& display) {
    display.tick(training_view());
    display.event(training_view());
    display.tick(training_view());
  });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_THAT(text, HasSubstr("sync 2"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace wccl::app
