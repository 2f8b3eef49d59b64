#include "app/encode_folder.h"

#include <algorithm>
#include <exception>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/folder.h"
#include "app/write_file.h"
#include "base/whole_number.h"
#include "link/file_stream.h"
#include "phy/layout.h"

namespace wccl::app {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::string_view kManifest = "manifest.json";
constexpr std::string_view kManifestPart = "manifest.json.part";
constexpr int kMostRefreshHz = 1000;

bool is_frame(const std::string& name) {
  constexpr std::string_view kStart = "frame-";
  constexpr std::string_view kEnd = ".png";
  if (!name.starts_with(kStart) || !name.ends_with(kEnd)) {
    return false;
  }
  if (name.size() != kStart.size() + 5 + kEnd.size()) {
    return false;
  }
  return std::all_of(name.begin() + kStart.size(), name.end() - kEnd.size(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

bool is_ours(const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  std::error_code ignored;
  return entry.is_regular_file(ignored) &&
         (is_frame(name) || name == kManifest || name == kManifestPart);
}

bool is_sane(const EncodeManifest& manifest) {
  return phy::is_panel_supported(manifest.panel) && manifest.hold >= 1 &&
         manifest.hold <= kMostHold && manifest.refresh_hz >= 1 &&
         manifest.refresh_hz <= kMostRefreshHz && manifest.frames >= 1 &&
         manifest.frames <= link::kMostFileFrames;
}

Error io_error(const fs::path& folder, const std::error_code& error) {
  return {ErrorCode::kIo, fmt::format("cannot write to {}: {}", folder.string(), error.message())};
}

}  // namespace

std::string frame_name(std::size_t frame) {
  return fmt::format("frame-{:05}.png", frame);
}

Status prepare_encode_folder(const fs::path& folder) {
  if (auto status = make_folder(folder); !status) {
    return status;
  }
  std::error_code error;
  std::vector<fs::path> ours;
  for (fs::directory_iterator entries(folder, error), end; !error && entries != end;
       entries.increment(error)) {
    if (!is_ours(*entries)) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("--out {}: {} in it is none of the frames that `wccl encode` makes; "
                              "name a new or empty folder",
                              folder.string(), entries->path().filename().string()));
    }
    ours.push_back(entries->path());
  }
  // The manifest first: without it nobody takes the rest for whole.
  if (!error) {
    fs::remove(folder / kManifest, error);
  }
  for (const auto& path : ours) {
    if (!error) {
      fs::remove(path, error);
    }
  }
  if (error) {
    return tl::make_unexpected(io_error(folder, error));
  }
  return write_file(folder / kManifestPart, {});
}

void abandon_encode_folder(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> ours;
  for (fs::directory_iterator entries(folder, error), end; !error && entries != end;
       entries.increment(error)) {
    if (is_ours(*entries)) {
      ours.push_back(entries->path());
    }
  }
  for (const auto& path : ours) {
    fs::remove(path, error);
  }
  fs::remove(folder, error);  // fails when something else is in it, and that is well
}

Status write_manifest(const fs::path& folder, const EncodeManifest& manifest) {
  const ordered_json json{
      {"panel", {manifest.panel.width_px, manifest.panel.height_px}},
      {"refresh_hz", manifest.refresh_hz},
      {"hold", manifest.hold},
      {"mode", manifest.mode},
      {"file", manifest.file},
      {"bytes", manifest.bytes},
      {"sha256", manifest.sha256},
      {"frames", manifest.frames},
  };
  const std::string text = json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  return write_whole_file(folder / kManifest, std::as_bytes(std::span(text)));
}

Result<EncodeManifest> read_manifest(const fs::path& folder) {
  const fs::path path = folder / kManifest;
  std::ifstream file(path);
  if (!file) {
    return fail(ErrorCode::kNotFound, fmt::format("there is no {}", path.string()));
  }
  const auto json = nlohmann::json::parse(file, nullptr, false);
  try {
    EncodeManifest manifest;
    const auto& panel = json.at("panel");
    manifest.panel = {whole_number<int>(panel.at(0)), whole_number<int>(panel.at(1))};
    manifest.refresh_hz = whole_number<int>(json.at("refresh_hz"));
    manifest.hold = whole_number<int>(json.at("hold"));
    manifest.mode = json.at("mode");
    manifest.file = json.at("file");
    manifest.bytes = whole_number<std::size_t>(json.at("bytes"));
    manifest.sha256 = json.at("sha256");
    manifest.frames = whole_number<std::size_t>(json.at("frames"));
    if (is_sane(manifest)) {
      return manifest;
    }
  } catch (const std::exception&) {
    // said below
  }
  return fail(ErrorCode::kCorrupt, fmt::format("{} is no manifest of wccl encode", path.string()));
}

}  // namespace wccl::app
