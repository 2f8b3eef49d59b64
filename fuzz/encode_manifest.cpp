// app::read_manifest(): manifest.json beside the frames of `wccl encode`.
#include <string>

#include "app/encode_folder.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "phy/layout.h"

namespace wccl::fuzz {
namespace {

constexpr int kMostSide = 4095;

app::EncodeManifest example() {
  app::EncodeManifest manifest;
  manifest.panel = {1920, 1200};
  manifest.mode = "luma8-0.5";
  manifest.file = "photo \"1\".jpg";
  manifest.bytes = 123'456;
  manifest.sha256 = std::string(64, 'a');
  manifest.frames = 77;
  return manifest;
}

}  // namespace

void check(std::span<const std::byte> input) {
  put_file(scratch() / "manifest.json", input);
  const auto manifest = app::read_manifest(scratch());
  if (!manifest) {
    require(!manifest.error().message.empty());
    return;
  }
  require(manifest->panel.width_px <= kMostSide && manifest->panel.height_px <= kMostSide);
  require(phy::is_panel_supported(manifest->panel));
  require(manifest->hold >= 1 && manifest->refresh_hz >= 1 && manifest->frames >= 1);
  require(app::write_manifest(scratch(), *manifest).has_value());
  const auto again = app::read_manifest(scratch());
  require(again.has_value() && again->panel == manifest->panel && again->mode == manifest->mode);
  require(again->frames == manifest->frames && again->bytes == manifest->bytes);
}

std::vector<Bytes> seeds() {
  require(app::write_manifest(scratch(), example()).has_value());
  const std::string text = get_file(scratch() / "manifest.json");
  const auto bytes = std::as_bytes(std::span(text));
  return {{bytes.begin(), bytes.end()}};
}

}  // namespace wccl::fuzz
