#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "room/layout.h"

namespace wccl::room {
namespace {

constexpr std::pair<const char*, double Pose::*> kFields[] = {
    {"x_mm", &Pose::x_mm},       {"y_mm", &Pose::y_mm},           {"z_mm", &Pose::z_mm},
    {"yaw_deg", &Pose::yaw_deg}, {"pitch_deg", &Pose::pitch_deg}, {"roll_deg", &Pose::roll_deg}};

Result<Pose> parse_pose(const nlohmann::json& json, const std::string& where) {
  if (!json.is_object()) {
    return fail(ErrorCode::kCorrupt, where + " must be an object with x_mm, y_mm, z_mm");
  }
  Pose pose;
  for (const auto& [key, value] : json.items()) {
    bool known = false;
    for (const auto& [name, member] : kFields) {
      if (key != name) {
        continue;
      }
      if (!value.is_number()) {
        return fail(ErrorCode::kCorrupt, fmt::format("{}.{} must be a number", where, key));
      }
      pose.*member = value.get<double>();
      known = true;
    }
    if (!known) {
      return fail(ErrorCode::kCorrupt,
                  fmt::format("{}.{} is unknown; a pose has x_mm, y_mm, z_mm, yaw_deg, "
                              "pitch_deg and roll_deg",
                              where, key));
    }
  }
  return pose;
}

}  // namespace

Status read_poses(const std::filesystem::path& path, Scene& scene) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return fail(ErrorCode::kIo, fmt::format("cannot read the pose file {}", path.string()));
  }
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("nodes") || !json["nodes"].is_array()) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("{} is not a pose file: it needs an array \"nodes\"", path.string()));
  }
  const auto& nodes = json["nodes"];
  if (nodes.size() != scene.nodes.size()) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} places {} nodes, but the room has {}", path.string(), nodes.size(),
                            scene.nodes.size()));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const auto& [part, pose] : {std::pair{"panel", &scene.nodes[i].panel_pose},
                                     std::pair{"camera", &scene.nodes[i].camera_pose}}) {
      const std::string where = fmt::format("{}: nodes[{}].{}", path.string(), i, part);
      if (!nodes[i].is_object() || !nodes[i].contains(part)) {
        return fail(ErrorCode::kCorrupt, where + " is missing");
      }
      auto parsed = parse_pose(nodes[i][part], where);
      if (!parsed) {
        return tl::make_unexpected(parsed.error());
      }
      *pose = *parsed;
    }
  }
  return {};
}

}  // namespace wccl::room
