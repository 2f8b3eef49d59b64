// eval::ResultLog: results.jsonl of a sweep that is gone on with.
#include "eval/result_log.h"

#include <filesystem>
#include <string>
#include <utility>

#include "eval/report.h"
#include "eval/result_text.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

using namespace eval;

PointResult example() {
  PointResult result;
  result.point.scene = "face_1080p";
  result.point.mode = 5;
  result.point.phase = 0.25;
  result.point.set = {{"camera.fps", "30"}};
  result.point.swept = {{"fps", "30"}};
  Figures& figures = result.figures;
  figures.captures = 24;
  figures.located = 23;
  figures.frames = 12;
  figures.frames_read = 11;
  figures.goodput_bps = 1.5e6;
  figures.wrong_bytes = 0;
  figures.first_block_s = 0.125;
  figures.limit = "noise, \"mostly\"";
  figures.constellation = {{{0.5F, -0.25F, 1}, {1, 0, 1}}};
  for (const char* name : {"red", "green", "blue"}) {
    ChannelFigures channel;
    channel.name = name;
    channel.snr_db = 12.5;
    channel.blocks = 40;
    channel.blocks_ok = 39;
    channel.tiles.assign(std::size_t{kTilesAcross} * kTilesDown, 0.5);
    channel.histogram = {{1, 2}, {3}};
    figures.channels.push_back(std::move(channel));
  }
  return result;
}

}  // namespace

void check(std::span<const std::byte> input) {
  const auto folder = scratch() / "sweep";
  std::filesystem::create_directories(folder);
  put_file(folder / "results.jsonl", input);
  std::size_t n_results = 0;
  {
    auto log = ResultLog::open(folder, ResultLog::Start::kResume);
    if (!log) {
      require(!log.error().message.empty());
      return;
    }
    n_results = log->results().size();
    for (const PointResult& result : log->results()) {
      require(log->has(result.point));
    }
    require(log->add(example()).has_value());
    require(!make_report(log->results()).empty());
  }
  // What was taken is written so that it is taken again.
  const auto again = ResultLog::open(folder, ResultLog::Start::kResume);
  require(again.has_value() && again->results().size() == n_results + 1);
}

std::vector<Bytes> seeds() {
  const std::string line = to_json_line(example());
  std::vector<Bytes> seeds;
  for (const std::string& text : {line + "\n", line + "\n" + line.substr(0, line.size() / 2)}) {
    const auto bytes = std::as_bytes(std::span(text));
    seeds.emplace_back(bytes.begin(), bytes.end());
  }
  return seeds;
}

}  // namespace wccl::fuzz
