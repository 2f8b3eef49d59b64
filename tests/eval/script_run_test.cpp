#include "eval/script_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wccl::eval {
namespace {

using ::testing::HasSubstr;

/// A small camera before a small panel, half a second before and after a change.
room::Script small_script() {
  return room::parse_script("small",
                            "scene face_1080p camera.width_px=960 camera.height_px=540 "
                            "panel.width_px=1024 panel.height_px=640 layout.screen_share=0.8\n"
                            "1 panel.white_nits=150\n"
                            "1.5 end\n")
      .value();
}

TEST(ScriptRun, TwoLaptopsFollowAndEveryByteIsCompared) {
  ScriptRequest request;
  request.script = small_script();
  request.fixed = {{*phy::find_mode("luma12-0.5"), 4}};
  request.jobs = 2;
  const auto result = run_script(request);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->trace.wrong_bytes, 0);
  EXPECT_EQ(result->trace.rows.size(), 2U * 6U);
  ASSERT_EQ(result->segments.size(), 2U);
  EXPECT_EQ(result->segments[1].label, "panel.white_nits=150");
  EXPECT_GT(result->segments[1].goodput_bps, 0);
  EXPECT_GT(result->segments[1].goodput_bps, result->segments[1].best_bps);
  EXPECT_THAT(trace_csv(*result), HasSubstr("1.50,1,"));
  EXPECT_THAT(trace_json(*result), HasSubstr("\"best_fixed\": \"luma12-0.5 hold 4\""));
  EXPECT_THAT(trace_svg(*result), HasSubstr("xmlns"));
  EXPECT_THAT(script_report(*result), HasSubstr("panel.white_nits=150"));
}

TEST(ScriptRun, RepeatsFromItsSeed) {
  LinkRunOptions options;
  options.script = small_script();
  options.script.changes.clear();
  options.script.end = Instant(from_seconds(0.75));
  options.seed = 3;
  ScriptResult first;
  first.trace = run_link(options).value();
  options.n_threads = 1;
  ScriptResult second;
  second.trace = run_link(options).value();
  EXPECT_EQ(trace_csv(first), trace_csv(second));
}

}  // namespace
}  // namespace wccl::eval
