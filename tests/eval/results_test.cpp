#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>

#include "../temporary_folder.h"
#include "eval/report.h"
#include "eval/result_groups.h"
#include "eval/result_log.h"
#include "eval/result_text.h"

namespace wccl::eval {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

PointResult result_of(const std::string& scene,
                      const char* mode,
                      int hold,
                      const std::string& yaw,
                      double goodput_bps) {
  PointResult result;
  result.point.scene = scene;
  result.point.mode = *phy::find_mode(mode);
  result.point.hold = hold;
  result.point.set = {{"layout.turn_deg", yaw}};
  result.point.swept = {{"yaw", yaw}, {"hold", std::to_string(hold)}};
  Figures& figures = result.figures;
  figures.captures = figures.located = 24;
  figures.frames = figures.frames_read = 16;
  figures.goodput_bps = goodput_bps;
  figures.could_carry_bps = 2 * goodput_bps + 1.0 / 3;
  figures.wrong_bytes = 0;
  figures.cell_px = 2.1234567;
  figures.limit = "blue too noisy";
  figures.first_block_s = 0.125;
  for (const char* name : {"red", "green", "blue"}) {
    ChannelFigures channel;
    channel.name = name;
    channel.blocks = 100;
    channel.blocks_ok = 90;
    channel.snr_db = 5;
    channel.tiles.assign(kTilesAcross * kTilesDown, 0.01);
    channel.histogram.assign(2, std::vector<int>(kHistogramBins, 7));
    figures.channels.push_back(std::move(channel));
  }
  figures.constellation = {{{-1.25F, 0.5F, 1}, {0, 1, 1}}};
  return result;
}

constexpr const char* kMode = "rgb5-1.5";

TEST(ResultText, AResultSurvivesItsLineOfJson) {
  const PointResult result = result_of("dim", kMode, 3, "10", 1'234'567);
  const std::string line = to_json_line(result);
  EXPECT_THAT(line, Not(HasSubstr("\n")));
  const PointResult read = from_json_line(line).value();
  EXPECT_EQ(to_json_line(read), line);
  EXPECT_EQ(key_of(read.point), key_of(result.point));
  EXPECT_EQ(read.figures.constellation.front().estimate[0], -1.25F);
  EXPECT_EQ(to_csv_line(read), to_csv_line(from_json_line(to_json_line(read)).value()));
}

TEST(ResultText, CsvHasAFieldForEachName) {
  const auto commas = [](const std::string& text) {
    return std::count(text.begin(), text.end(), ',');
  };
  EXPECT_EQ(commas(csv_header()), commas(to_csv_line(result_of("dim", kMode, 3, "10", 1e6))));
  PointResult luma = result_of("dim", "luma8-0.5", 3, "10", 1e6);
  luma.figures.channels.resize(1);
  luma.figures.channels[0].name = "luma";
  EXPECT_EQ(commas(csv_header()), commas(to_csv_line(luma)));
}

TEST(ResultText, LinesFromElsewhereAreCorrupt) {
  for (const char* line : {"", "{", "{}", "[1,2]", "null", "{\"point\":{\"scene\":1}}"}) {
    const auto result = from_json_line(line);
    ASSERT_FALSE(result) << line;
    EXPECT_EQ(result.error().code, ErrorCode::kCorrupt);
  }
}

TEST(ResultText, FiguresThatNobodyCanHaveMeasuredAreCorrupt) {
  const auto is_refused = [](const auto& change) {
    PointResult result = result_of("dim", kMode, 3, "10", 1e6);
    change(result.figures);
    return !from_json_line(to_json_line(result));
  };
  EXPECT_FALSE(is_refused([](Figures&) {}));
  EXPECT_FALSE(is_refused([](Figures& figures) { figures.channels.clear(); }));
  // What the report's plots would look for and not find.
  EXPECT_TRUE(is_refused([](Figures& figures) { figures.channels.pop_back(); }));
  EXPECT_TRUE(is_refused([](Figures& figures) { figures.channels[0].name = "violet"; }));
  EXPECT_TRUE(is_refused([](Figures& figures) { figures.channels[0].tiles.pop_back(); }));
  // What would not come back from the file that it is written to, or not fit its sums.
  EXPECT_TRUE(is_refused([](Figures& figures) { figures.goodput_bps = 1e300; }));
  EXPECT_TRUE(is_refused([](Figures& figures) { figures.channels[0].blocks = 2'000'000'000; }));
  EXPECT_TRUE(is_refused([](Figures& figures) { figures.channels[0].blocks_ok = 101; }));
}

TEST(ResultText, NumbersThatAreNoWholeOnesAreCorrupt) {
  const std::string line = to_json_line(result_of("dim", kMode, 3, "10", 1e6));
  const std::string hold = "\"hold\":3";
  const auto at = line.find(hold);
  ASSERT_NE(at, std::string::npos);
  for (const char* other : {"1e300", "3.5", "-1e300", "3000000000", "true", "null"}) {
    std::string changed = line;
    changed.replace(at, hold.size(), std::string("\"hold\":") + other);
    EXPECT_FALSE(from_json_line(changed)) << other;
  }
}

TEST(ResultLog, ResumesAfterATornLineAndEndsWithTheSameFiles) {
  const TemporaryFolder whole;
  const PointResult first = result_of("dim", kMode, 2, "0", 1e6);
  const PointResult second = result_of("dim", kMode, 3, "0", 2e6);
  {
    auto log = ResultLog::open(whole.path(), ResultLog::Start::kNew).value();
    ASSERT_TRUE(log.add(first));
    ASSERT_TRUE(log.add(second));
  }
  const std::string csv = text_of(whole.path() / "results.csv");
  const std::string jsonl = text_of(whole.path() / "results.jsonl");
  // Killed in the middle of the second line, the CSV even earlier.
  std::ofstream(whole.path() / "results.jsonl") << jsonl.substr(0, jsonl.size() - 40);
  std::ofstream(whole.path() / "results.csv") << csv.substr(0, csv.size() / 3);
  auto log = ResultLog::open(whole.path(), ResultLog::Start::kResume).value();
  EXPECT_TRUE(log.has(first.point));
  EXPECT_FALSE(log.has(second.point));
  ASSERT_TRUE(log.add(second));
  EXPECT_EQ(text_of(whole.path() / "results.csv"), csv);
  EXPECT_EQ(text_of(whole.path() / "results.jsonl"), jsonl);
}

TEST(ResultLog, ResultsAreInTheFilesAtOnce) {
  const TemporaryFolder folder;
  auto log = ResultLog::open(folder.path(), ResultLog::Start::kNew).value();
  const PointResult result = result_of("dim", kMode, 2, "0", 1e6);
  ASSERT_TRUE(log.add(result));
  EXPECT_THAT(text_of(folder.path() / "results.jsonl"), HasSubstr(to_json_line(result) + "\n"));
  EXPECT_THAT(text_of(folder.path() / "results.csv"), HasSubstr("dim,rgb5"));
}

TEST(ResultLog, EarlierResultsAreNotLostByAccident) {
  const TemporaryFolder folder;
  {
    auto log = ResultLog::open(folder.path(), ResultLog::Start::kNew).value();
    ASSERT_TRUE(log.add(result_of("dim", kMode, 2, "0", 1e6)));
  }
  const auto again = ResultLog::open(folder.path(), ResultLog::Start::kNew);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().message, HasSubstr("--resume"));
  EXPECT_TRUE(ResultLog::open(folder.path(), ResultLog::Start::kReplace)->results().empty());
}

TEST(ResultLog, AStrangersFileIsLeftAlone) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "results.jsonl") << "{\"mine\":1}\n{\"mine\":2}\n";
  const auto log = ResultLog::open(folder.path(), ResultLog::Start::kResume);
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(text_of(folder.path() / "results.jsonl"), HasSubstr("mine"));
}

TEST(ResultGroups, SeedsAreAveragedAndTheBestIsTheBestOnAverage) {
  std::vector<PointResult> results;
  for (const double goodput : {9e6, 1e6}) {
    results.push_back(result_of("dim", kMode, 2, "0", goodput));
    results.back().point.seed = results.size();
  }
  results.push_back(result_of("dim", kMode, 3, "0", 6e6));
  const auto groups = group_results(results);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].goodput_bps, 5e6);
  EXPECT_EQ(groups[0].least_bps, 1e6);
  EXPECT_EQ(best_of(groups, "dim")->point().hold, 3);
}

TEST(Report, HasItsSectionsAndNeedsNoNetwork) {
  std::vector<PointResult> results;
  for (const char* yaw : {"0", "10", "20"}) {
    for (const int hold : {2, 3}) {
      results.push_back(result_of("dim", kMode, hold, yaw, 1e6 * hold));
      results.push_back(result_of("a <b> & \"c\"", kMode, hold, yaw, 2e6));
    }
  }
  const std::string html = make_report(results);
  for (const char* part :
       {"Best mode and hold", "could carry", "Goodput", "Heat maps", "Waterfalls",
        "Errors over the screen", "Constellations", "CPU time", "12 points", "prefers-color-scheme",
        "a &lt;b&gt; &amp; &quot;c&quot;"}) {
    EXPECT_THAT(html, HasSubstr(part));
  }
  for (const char* alien : {"http", "<script", "src=", "@import", "nan", "inf,", "<b>"}) {
    EXPECT_THAT(html, Not(HasSubstr(alien)));
  }
}

TEST(Report, HasNoHeatMapOfOneParameterAndStandsWithoutResults) {
  EXPECT_THAT(make_report({result_of("dim", kMode, 2, "0", 1e6)}), Not(HasSubstr("Heat maps")));
  EXPECT_THAT(make_report({}), HasSubstr("0 points"));
}

}  // namespace
}  // namespace wccl::eval
