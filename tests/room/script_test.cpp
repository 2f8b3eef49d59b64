#include "room/script.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "room/camera.h"

namespace wccl::room {
namespace {

using ::testing::HasSubstr;

constexpr const char* kText =
    "scene face_1080p camera.width_px=320 camera.height_px=180  # small\n"
    "\n"
    "1.5 light.ambient_lux=5\n"
    "2 layout.screen_share=0.3\n"
    "3 end\n";

TEST(Script, ChangesAddUp) {
  const auto script = parse_script("test", kText);
  ASSERT_TRUE(script.has_value()) << script.error().message;
  ASSERT_EQ(script->changes.size(), 2U);
  EXPECT_EQ(script->changes[0].at, Instant(from_seconds(1.5)));
  EXPECT_EQ(script->changes[1].scene.light.ambient_lux, 5);
  EXPECT_EQ(script->changes[1].scene.layout.screen_share, 0.3);
  EXPECT_EQ(script->end, Instant(from_seconds(3)));
  EXPECT_EQ(script->labels.size(), 3U);
}

TEST(Script, SaysWhichLineIsWrong) {
  const std::array<std::pair<std::string, const char*>, 7> cases{{
      {"", "ends with"},
      {"5 light.ambient_lux=5\n", "line 1: a script begins with"},
      {"scene nowhere\n", "line 1: "},
      {"scene far\nsoon light.ambient_lux=5\n", "line 2: 'soon'"},
      {"scene far\n5 light.veil_nits=5\n5 end\n", "line 3: times have to rise"},
      {"scene far\n5 camera.fps=10\n6 end\n", "line 2: sizes, times and rates"},
      {"scene far\n5 light.ambient=5\n6 end\n", "line 2: "},
  }};
  for (const auto& [text, message] : cases) {
    const auto script = parse_script("test", text);
    ASSERT_FALSE(script.has_value()) << text;
    EXPECT_THAT(script.error().message, HasSubstr(message)) << text;
  }
}

TEST(Script, BuiltInOnesParse) {
  for (const std::string& name : script_names()) {
    const auto script = built_in_script(name);
    EXPECT_TRUE(script.has_value()) << name;
  }
  EXPECT_FALSE(built_in_script("none").has_value());
}

TEST(Script, ACameraSeesTheChangeAndStaysItself) {
  const auto script = parse_script("test", kText);
  ASSERT_TRUE(script.has_value());
  const std::vector<PanelHistory> dark(2);
  Camera changing(script->scene, 1, 1);
  Camera steady(script->scene, 1, 1);
  const auto mean = [&](Camera& camera, int n) {
    const YuvImage image = camera.capture(dark, Instant(from_seconds(0.1 * n)));
    double sum = 0;
    for (const std::uint8_t value : image.y) {
      sum += value;
    }
    return sum;
  };
  EXPECT_EQ(mean(changing, 1), mean(steady, 1));
  changing.change(script->changes[0].scene);
  EXPECT_LT(mean(changing, 2), 0.5 * mean(steady, 2));
  changing.change(script->scene);
  for (int n = 3; n < 30; ++n) {
    (void)mean(changing, n);
    (void)mean(steady, n);
  }
  EXPECT_NEAR(mean(changing, 30) / mean(steady, 30), 1, 0.02);
}

}  // namespace
}  // namespace wccl::room
