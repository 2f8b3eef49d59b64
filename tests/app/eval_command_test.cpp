#include "app/eval_command.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>

#include "../temporary_folder.h"
#include "app/exit_status.h"

namespace wccl::app {
namespace {

EvalCommand small_sweep(const std::filesystem::path& out) {
  EvalCommand command;
  command.scenes = "face_1080p";
  command.modes = "luma12-0.5";
  command.sweeps = {"camera=960x540,panel=1024x640,distance=0.8", "hold=3..4"};
  command.captures = 2;
  command.jobs = 1;
  command.out = out;
  return command;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(EvalCommand, LeavesResultsAndAReportAndGoesOnWithThem) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "results";
  EvalCommand command = small_sweep(out);
  ASSERT_EQ(eval_command(command), kExitOk);
  const std::string csv = text_of(out / "results.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_THAT(text_of(out / "report.html"), testing::HasSubstr("2 points"));

  EXPECT_EQ(eval_command(command), kExitUsage);  // Results are in the way.
  std::string jsonl = text_of(out / "results.jsonl");
  std::ofstream(out / "results.jsonl") << jsonl.substr(0, jsonl.size() - 10);
  command.resume = true;
  ASSERT_EQ(eval_command(command), kExitOk);
  EXPECT_EQ(text_of(out / "results.csv"), csv);
}

TEST(EvalCommand, WhatCannotBeIsAUsageErrorBeforeAnyFolderIsMade) {
  const TemporaryFolder folder;
  const auto out = folder.path() / "results";
  const auto status_of = [&](const auto& change) {
    EvalCommand command = small_sweep(out);
    change(command);
    return eval_command(command);
  };
  EXPECT_EQ(status_of([](EvalCommand& c) { c.scenes = "moon"; }), kExitUsage);
  EXPECT_EQ(status_of([](EvalCommand& c) { c.modes = "fast"; }), kExitUsage);
  EXPECT_EQ(status_of([](EvalCommand& c) { c.sweeps = {"sell=3"}; }), kExitUsage);
  EXPECT_EQ(status_of([](EvalCommand& c) { c.sweeps = {"blur"}; }), kExitUsage);
  EXPECT_EQ(status_of([](EvalCommand& c) { c.resume = c.force = true; }), kExitUsage);
  EXPECT_EQ(status_of([](EvalCommand& c) { c.input = "captures"; }), kExitUsage);
  EXPECT_EQ(status_of([](EvalCommand& c) {
              c = EvalCommand{};
              c.input = "no such folder";
            }),
            kExitError);
  EXPECT_EQ(status_of([](EvalCommand& c) { c.devices = {"window", "0"}; }), kExitUsage);
  const auto desk_status_of = [&](const auto& change) {
    EvalCommand command;
    command.devices = {"window", "0"};
    command.out = out;
    change(command);
    return eval_command(command);
  };
  EXPECT_EQ(desk_status_of([](EvalCommand& c) { c.devices.camera.reset(); }), kExitUsage);
  EXPECT_EQ(desk_status_of([](EvalCommand& c) { c.rank = 2; }), kExitUsage);
  EXPECT_EQ(desk_status_of([](EvalCommand& c) { c.modes = "fast"; }), kExitUsage);
  EXPECT_EQ(desk_status_of([](EvalCommand& c) { c.holds = "2,fast"; }), kExitUsage);
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace wccl::app
