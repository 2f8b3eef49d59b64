#include "room/script.h"

#include <algorithm>
#include <charconv>
#include <sstream>
#include <tuple>

namespace wccl::room {
namespace {

struct BuiltIn {
  const char* name;
  const char* text;
};
constexpr BuiltIn kBuiltIns[] = {
    {"light",
     "scene face_1080p\n"
     "5 light.ambient_lux=5 panel.white_nits=60\n"
     "10 light.ambient_lux=250 panel.white_nits=300\n"
     "15 end\n"},
    {"distance",
     "scene face_1080p\n"
     "5 layout.screen_share=0.3\n"
     "10 layout.screen_share=0.6\n"
     "15 end\n"},
    {"both",
     "scene face_1080p\n"
     "4 light.ambient_lux=5 panel.white_nits=60\n"
     "8 layout.screen_share=0.3\n"
     "12 light.ambient_lux=250 panel.white_nits=300\n"
     "16 layout.screen_share=0.6\n"
     "20 end\n"},
};

std::string line_name(std::size_t number) {
  return "line " + std::to_string(number) + ": ";
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    words.push_back(word);
  }
  return words;
}

/// What a running panel or camera cannot change.
auto hardware_of(const NodeSpec& node) {
  const PanelSpec& panel = node.panel;
  const CameraSpec& camera = node.camera;
  return std::tuple(panel.width_px, panel.height_px, panel.refresh_hz, panel.scan_out_ms,
                    panel.settle_rise_ms, panel.settle_fall_ms, camera.width_px, camera.height_px,
                    camera.fps, camera.readout_ms, camera.exposure_max_ms,
                    camera.chroma_subsampling);
}

bool is_same_hardware(const Scene& a, const Scene& b) {
  return std::ranges::equal(a.nodes, b.nodes, [](const NodeSpec& x, const NodeSpec& y) {
    return hardware_of(x) == hardware_of(y);
  });
}

/// Reads a script line by line.
class ScriptReader {
 public:
  explicit ScriptReader(std::string_view name) { script_.name = name; }

  Status read(const std::vector<std::string>& words);
  [[nodiscard]] Result<Script> finish();

 private:
  Status read_scene(const std::vector<std::string>& words);
  Status read_change(Instant at, const std::vector<std::string>& words);

  Script script_;
  Scene scene_;  ///< As of the last line.
  bool has_scene_ = false;
  bool has_ended_ = false;
};

Status ScriptReader::read(const std::vector<std::string>& words) {
  if (has_ended_) {
    return fail(ErrorCode::kInvalidArgument, "nothing may follow `end`");
  }
  if (!has_scene_) {
    return read_scene(words);
  }
  double seconds = 0;
  const std::string& time = words[0];
  const auto [end, error] = std::from_chars(time.data(), time.data() + time.size(), seconds);
  if (error != std::errc() || end != time.data() + time.size() || !(seconds > 0) ||
      seconds > 3600) {
    return fail(ErrorCode::kInvalidArgument,
                "'" + time + "' is no time in seconds between 0 and 3600");
  }
  const Instant at(from_seconds(seconds));
  const Instant last = script_.changes.empty() ? Instant{} : script_.changes.back().at;
  if (at <= last) {
    return fail(ErrorCode::kInvalidArgument, "times have to rise");
  }
  if (words.size() == 2 && words[1] == "end") {
    script_.end = at;
    has_ended_ = true;
    return {};
  }
  return read_change(at, words);
}

Status ScriptReader::read_scene(const std::vector<std::string>& words) {
  if (words.size() < 2 || words[0] != "scene") {
    return fail(ErrorCode::kInvalidArgument, "a script begins with `scene NAME`");
  }
  auto scene = make_scene(words[1], "pair", 2);
  if (!scene) {
    return tl::make_unexpected(scene.error());
  }
  scene_ = std::move(*scene);
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (auto status = override_parameter(scene_, words[i]); !status) {
      return status;
    }
  }
  script_.scene = scene_;
  script_.labels.push_back(words[1]);
  has_scene_ = true;
  return {};
}

Status ScriptReader::read_change(Instant at, const std::vector<std::string>& words) {
  if (words.size() < 2) {
    return fail(ErrorCode::kInvalidArgument, "a time without a change");
  }
  std::string label;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (auto status = override_parameter(scene_, words[i]); !status) {
      return status;
    }
    label += (label.empty() ? "" : " ") + words[i];
  }
  if (!is_same_hardware(script_.scene, scene_)) {
    return fail(ErrorCode::kInvalidArgument,
                "sizes, times and rates of panels and cameras cannot change while they run");
  }
  script_.changes.push_back({at, scene_});
  script_.labels.push_back(label);
  return {};
}

Result<Script> ScriptReader::finish() {
  if (!has_ended_) {
    return fail(ErrorCode::kInvalidArgument, "a script ends with `SECONDS end`");
  }
  return std::move(script_);
}

}  // namespace

Result<Script> parse_script(std::string_view name, std::string_view text) {
  ScriptReader reader(name);
  std::istringstream lines{std::string(text)};
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto words = words_of(line);
    if (words.empty()) {
      continue;
    }
    if (auto status = reader.read(words); !status) {
      return fail(status.error().code, line_name(number) + status.error().message);
    }
  }
  return reader.finish();
}

std::vector<std::string> script_names() {
  std::vector<std::string> names;
  for (const BuiltIn& script : kBuiltIns) {
    names.emplace_back(script.name);
  }
  return names;
}

Result<Script> built_in_script(std::string_view name) {
  for (const BuiltIn& script : kBuiltIns) {
    if (script.name == name) {
      return parse_script(name, script.text);
    }
  }
  std::string known;
  for (const std::string& each : script_names()) {
    known += (known.empty() ? "" : ", ") + each;
  }
  return fail(ErrorCode::kNotFound, "no script '" + std::string(name) + "'; there are " + known);
}

}  // namespace wccl::room
