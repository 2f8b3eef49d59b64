#include "room/scene.h"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>

#include "room/visibility.h"

namespace wccl::room {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Scene scene_of(const std::string& name, const std::string& arrangement = "", int n_nodes = 2) {
  return make_scene(name, arrangement, n_nodes).value();
}

bool is_one_line(const std::string& text) {
  return !text.empty() && text.find('\n') == std::string::npos;
}

class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("wccl_poses_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
               ".json")) {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(Scene, EveryNamedSceneShowsBothScreensWhole) {
  for (const std::string& name : scene_names()) {
    EXPECT_FALSE(scene_description(name).empty()) << name;
    const auto table = visibility(scene_of(name));
    ASSERT_TRUE(table) << name;
    EXPECT_TRUE(table->all_see_all()) << name << "\n" << describe(*table);
  }
}

TEST(Scene, ScreensHaveTheShareThatTheSceneNames) {
  const auto share = [](const char* name) { return look_around(scene_of(name)).view(0, 1).share; };
  EXPECT_NEAR(share("face_1080p"), 0.60, 0.002);
  EXPECT_NEAR(share("face_720p"), 0.60, 0.002);
  EXPECT_NEAR(share("side_view"), 0.38, 0.002);
  EXPECT_NEAR(share("far"), 0.20, 0.002);
  EXPECT_NEAR(share("ideal"), 0.60, 0.002);
  EXPECT_NEAR(share("turned"), 0.60, 0.002);
}

TEST(Scene, PhoneSeesAScreenThatFillsTheHeight) {
  const Scene scene = scene_of("phone");
  const View view = look_around(scene).view(0, 1);
  const double height_px = view.share * scene.nodes[0].camera.width_px / 1.6;
  EXPECT_NEAR(height_px / scene.nodes[0].camera.height_px, 0.945, 0.01);
}

TEST(Scene, SideViewIsTurnedBy25Degrees) {
  EXPECT_NEAR(look_around(scene_of("side_view")).view(0, 1).tilt_deg, 25, 1.5);
}

TEST(Scene, ThreeInAHorseshoeAllSeeOneAnotherAtAQuarterOfTheWidth) {
  const auto table = look_around(scene_of("face_1080p", "horseshoe", 3));
  EXPECT_TRUE(table.all_see_all());
  for (const View& view : table.views) {
    EXPECT_GT(view.share, 0.22);
    EXPECT_LT(view.share, 0.40);
    EXPECT_LT(view.tilt_deg, 32);
  }
}

TEST(Scene, FourInACircleMissSomeNeighboursAndSayWhich) {
  const auto table = look_around(scene_of("face_1080p", "circle", 4));
  EXPECT_FALSE(table.all_see_all());
  EXPECT_GE(table.n_complete(), 4);
  EXPECT_THAT(describe(table), HasSubstr("does not see"));
}

TEST(Scene, EverySizeOfEveryRoundArrangementIsPlaced) {
  for (const char* arrangement : {"horseshoe", "circle"}) {
    for (int n = kMinNodes; n <= kMaxSceneNodes; ++n) {
      EXPECT_TRUE(visibility(scene_of("face_1080p", arrangement, n))) << arrangement << n;
    }
  }
}

TEST(Scene, UnknownSceneListsTheKnownOnes) {
  const auto scene = make_scene("moon", "pair", 2);
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(scene.error().message,
              AllOf(HasSubstr("moon"), HasSubstr("face_1080p"), HasSubstr("ideal")));
  EXPECT_TRUE(is_one_line(scene.error().message));
}

TEST(Scene, UnknownArrangementListsTheKnownOnes) {
  const auto scene = make_scene("far", "heap", 2);
  ASSERT_FALSE(scene);
  EXPECT_THAT(scene.error().message, AllOf(HasSubstr("heap"), HasSubstr("horseshoe")));
}

TEST(Scene, NumberOfNodesOutOfRangeIsRefused) {
  for (const int n : {-1, 0, 1, 9}) {
    const auto scene = make_scene("far", "", n);
    ASSERT_FALSE(scene) << n;
    EXPECT_THAT(scene.error().message, HasSubstr("2 to 8"));
  }
  EXPECT_FALSE(make_scene("far", "pair", 3));
}

TEST(Scene, NobodySeesAnybodyIsAnErrorOfOneLine) {
  Scene scene = scene_of("face_1080p");
  ASSERT_TRUE(override_parameter(scene, "layout.screen_share=2.5"));
  const auto table = visibility(scene);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(table.error().message, HasSubstr("nobody sees anybody"));
  EXPECT_TRUE(is_one_line(table.error().message));
}

TEST(Parameters, EveryListedParameterCanBeSetToItsOwnValue) {
  for (const std::string& name : scene_names()) {
    Scene scene = scene_of(name);
    for (const ParameterInfo& info : list_parameters(scene)) {
      EXPECT_FALSE(info.help.empty());
      const auto set = override_parameter(scene, info.name + "=" + info.value);
      EXPECT_TRUE(set) << info.name << ": " << (set ? "" : set.error().message);
    }
  }
}

TEST(Parameters, EveryListedParameterTakesAnotherValue) {
  const Scene original = scene_of("face_1080p");
  for (const ParameterInfo& info : list_parameters(original)) {
    bool changed = false;
    for (const char* value :
         {"2", "8", "0.5", "1", "0", "80", "100", "3000", "1,0,0,0,1,0,0,0,1"}) {
      Scene scene = original;
      if (!override_parameter(scene, info.name + "=" + value)) {
        continue;
      }
      for (const ParameterInfo& after : list_parameters(scene)) {
        changed = changed || (after.name == info.name && after.value != info.value);
      }
    }
    EXPECT_TRUE(changed) << info.name;
  }
}

TEST(Parameters, OneNodeCanDifferFromTheOthers) {
  Scene scene = scene_of("face_1080p");
  ASSERT_TRUE(override_parameter(scene, "node1.camera.fps=3"));
  EXPECT_EQ(scene.nodes[0].camera.fps, 30);
  EXPECT_EQ(scene.nodes[1].camera.fps, 3);
}

TEST(Parameters, FixedExposureSetsBothLimits) {
  Scene scene = scene_of("face_1080p");
  ASSERT_TRUE(override_parameter(scene, "camera.exposure_ms=8"));
  EXPECT_EQ(scene.nodes[0].camera.exposure_min_ms, 8);
  EXPECT_EQ(scene.nodes[1].camera.exposure_max_ms, 8);
}

TEST(Parameters, ScreenShareMovesTheNodes) {
  Scene scene = scene_of("face_1080p");
  ASSERT_TRUE(override_parameter(scene, "layout.screen_share=0.3"));
  EXPECT_NEAR(look_around(scene).view(1, 0).share, 0.3, 0.002);
}

TEST(Parameters, BadAssignmentsNameTheProblemAndChangeNothing) {
  Scene scene = scene_of("face_1080p");
  const auto message = [&](const char* assignment) {
    const auto set = override_parameter(scene, assignment);
    return set ? std::string() : set.error().message;
  };
  EXPECT_THAT(message("camera.exposre_ms=8"),
              AllOf(HasSubstr("unknown parameter"), HasSubstr("camera.exposure_max_ms")));
  EXPECT_THAT(message("camera"), HasSubstr("NAME=VALUE"));
  EXPECT_THAT(message("camera.fps=fast"), HasSubstr("needs a number"));
  EXPECT_THAT(message("camera.fps=0"), HasSubstr("from 0.5 to 240"));
  EXPECT_THAT(message("camera.fps=nan"), Not(testing::IsEmpty()));
  EXPECT_THAT(message("camera.width_px=641.5"), HasSubstr("whole number"));
  EXPECT_THAT(message("camera.width_px=641"), HasSubstr("even"));
  EXPECT_THAT(message("camera.exposure_min_ms=400"), HasSubstr("minimum"));
  EXPECT_THAT(message("camera.crosstalk=1,2,3"), HasSubstr("9 numbers"));
  EXPECT_THAT(message("node7.camera.fps=9"), HasSubstr("node0 to node1"));
  EXPECT_EQ(scene.nodes[0].camera.fps, 30);
  EXPECT_EQ(scene.nodes[0].camera.width_px, 1920);
}

constexpr const char* kTwoPoses = R"({"nodes": [
  {"panel": {"x_mm": 0, "y_mm": 0, "z_mm": -300}, "camera": {"y_mm": 60, "z_mm": -300}},
  {"panel": {"x_mm": 0, "y_mm": 0, "z_mm": 300, "yaw_deg": 180}, "camera": {"y_mm": 60, "z_mm": 300, "yaw_deg": 180}}]})";

TEST(PoseFile, PlacesPanelsAndCameras) {
  const TemporaryFile file(kTwoPoses);
  const Scene scene = scene_of("face_1080p", file.path());
  EXPECT_TRUE(scene.arrangement.empty());
  EXPECT_EQ(scene.nodes[1].panel_pose.yaw_deg, 180);
  EXPECT_EQ(scene.nodes[0].camera_pose.y_mm, 60);
  EXPECT_TRUE(look_around(scene).all_see_all());
}

TEST(PoseFile, OverridesDoNotMoveWhatItPlaced) {
  const TemporaryFile file(kTwoPoses);
  Scene scene = scene_of("face_1080p", file.path());
  ASSERT_TRUE(override_parameter(scene, "camera.fov_deg=60"));
  EXPECT_EQ(scene.nodes[0].panel_pose.z_mm, -300);
}

TEST(PoseFile, BadFilesAreRefusedInOneLine) {
  const auto message = [](const char* text) {
    const TemporaryFile file(text);
    const auto scene = make_scene("face_1080p", file.path(), 2);
    return scene ? std::string() : scene.error().message;
  };
  for (const char* text :
       {"", "{", "[]", "{\"nodes\": 3}", "{\"nodes\": []}", "{\"nodes\": [1, 2]}",
        "{\"nodes\": [{\"panel\": {}}, {}]}",
        "{\"nodes\": [{\"panel\": {\"x\": 1}, \"camera\": {}}, {\"panel\": {}, \"camera\": {}}]}",
        "{\"nodes\": [{\"panel\": {\"x_mm\": \"1\"}, \"camera\": {}}, {}]}"}) {
    EXPECT_TRUE(is_one_line(message(text))) << text << " -> " << message(text);
  }
  EXPECT_THAT(message("{\"nodes\": [{\"panel\": {\"x\": 1}, \"camera\": {}}, {}]}"),
              HasSubstr("nodes[0].panel.x is unknown"));
}

}  // namespace
}  // namespace wccl::room
