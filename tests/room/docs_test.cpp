#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>

#include "room/scene.h"

namespace wccl::room {
namespace {

std::string room_page() {
  std::ifstream file(WCCL_SOURCE_DIR "/docs/room.md");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(RoomPage, NamesEverySceneAndArrangement) {
  const std::string page = room_page();
  for (const std::string& name : scene_names()) {
    EXPECT_THAT(page, testing::HasSubstr("| `" + name + "` |"));
  }
  for (const std::string& name : arrangement_names()) {
    EXPECT_THAT(page, testing::HasSubstr("| `" + name + "` |"));
  }
}

TEST(RoomPage, ListsEveryParameterWithItsPresentValue) {
  const std::string page = room_page();
  for (const ParameterInfo& info : list_parameters(make_scene("face_1080p", "", 2).value())) {
    if (info.name.find("_pose.") != std::string::npos) {
      continue;  // described together, under pose files
    }
    EXPECT_THAT(page, testing::HasSubstr("| `" + info.name + "` | " + info.value + " | " +
                                         info.help + " |"));
  }
}

}  // namespace
}  // namespace wccl::room
