#include "room/backdrop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "room/geometry.h"
#include "room/vignetting.h"

namespace wccl::room {
namespace {

using Rgb = std::array<float, 3>;

// A box of walls about the table's middle, in mm.
constexpr double kWallX = 1900;
constexpr double kWallZ = 1700;
constexpr double kFloorY = -850;
constexpr double kCeilingY = 1650;
constexpr double kDeskY = -150;
constexpr double kDeskHalf = 850;

/// A fixed scatter of numbers from 0 to 1: the room's things look the same for every seed.
double scatter(int a, int b, int c) {
  std::uint32_t h = static_cast<std::uint32_t>(a) * 0x9E3779B1U ^
                    static_cast<std::uint32_t>(b) * 0x85EBCA77U ^
                    static_cast<std::uint32_t>(c) * 0xC2B2AE3DU;
  h = (h ^ (h >> 15U)) * 0x2C1B3C6DU;
  h = (h ^ (h >> 12U)) * 0x297A2D39U;
  return static_cast<double>(h ^ (h >> 15U)) / 4294967296.0;
}

Rgb colour_of(int a, int b, double lightness) {
  const auto channel = [&](int c) {
    return static_cast<float>(lightness * (0.35 + 0.65 * scatter(a, b, 40 + c)));
  };
  return {channel(0), channel(1), channel(2)};
}

/// A thing on the wall: shelves of books, posters, pinned papers, bare wall.
Rgb thing_at(int cell_s, int cell_t, double s, double t, Rgb wall) {
  const double kind = scatter(cell_s, cell_t, 1);
  if (s < 0.08 || s > 0.92 || t < 0.1 || t > 0.9) return wall;
  if (kind < 0.4) {  // books
    const int book = static_cast<int>(s * 14);
    const double height = 0.55 + 0.3 * scatter(cell_s * 31 + book, cell_t, 2);
    if (t > 0.86) return {0.22F, 0.14F, 0.08F};
    return t > 0.86 - height ? colour_of(cell_s * 31 + book, cell_t, 0.55)
                             : Rgb{0.10F, 0.08F, 0.06F};
  }
  if (kind < 0.6) {  // a poster with a picture's blocks
    const int block = static_cast<int>(s * 5) * 8 + static_cast<int>(t * 4);
    return colour_of(cell_s * 17 + block, cell_t, 0.75);
  }
  if (kind < 0.7) {  // printed paper: bright, with fine dark lines
    const bool line = std::fmod(t * 24, 1.0) < 0.35 && s > 0.2 &&
                      s < 0.2 + 0.6 * scatter(static_cast<int>(t * 24), cell_s, 3);
    return line ? Rgb{0.15F, 0.15F, 0.16F} : Rgb{0.82F, 0.81F, 0.78F};
  }
  return wall;
}

Rgb wall_reflectance(double s_mm, double t_mm, int wall) {
  const double shade =
      0.48 + 0.06 * std::sin(s_mm / 900) +
      0.015 * scatter(static_cast<int>(s_mm / 7), static_cast<int>(t_mm / 7), wall);
  const Rgb plaster = {static_cast<float>(shade * 1.02), static_cast<float>(shade),
                       static_cast<float>(shade * 0.95)};
  const double s = s_mm / 420 + 100;
  const double t = t_mm / 330 + 100;
  return thing_at(static_cast<int>(s) + 57 * wall, static_cast<int>(t), s - std::floor(s),
                  t - std::floor(t), plaster);
}

Rgb desk_reflectance(double x_mm, double z_mm) {
  const double grain = std::sin(x_mm / 9 + 3 * std::sin(z_mm / 160)) * 0.03 +
                       0.04 * scatter(static_cast<int>(x_mm / 120 + 50), 3, 4);
  return {static_cast<float>(0.34 + grain), static_cast<float>(0.24 + grain),
          static_cast<float>(0.16 + 0.7 * grain)};
}

/// Reflectance of what a ray meets first, walls of the box or the desk in it.
Rgb meet(Vec3 eye, Vec3 ray) {
  if (ray.y < 0 && eye.y > kDeskY) {
    const Vec3 hit = eye + ((kDeskY - eye.y) / ray.y) * ray;
    if (std::abs(hit.x) < kDeskHalf && std::abs(hit.z) < kDeskHalf)
      return desk_reflectance(hit.x, hit.z);
  }
  const auto distance = [](double from, double along, double low, double high) {
    if (std::abs(along) < 1e-9) return 1e12;
    return ((along > 0 ? high : low) - from) / along;
  };
  const double to_x = distance(eye.x, ray.x, -kWallX, kWallX);
  const double to_y = distance(eye.y, ray.y, kFloorY, kCeilingY);
  const double to_z = distance(eye.z, ray.z, -kWallZ, kWallZ);
  const double nearest = std::min({to_x, to_y, to_z});
  const Vec3 hit = eye + nearest * ray;
  if (nearest == to_y) return ray.y > 0 ? Rgb{0.7F, 0.7F, 0.68F} : Rgb{0.2F, 0.18F, 0.17F};
  if (nearest == to_x) return wall_reflectance(hit.z, -hit.y, ray.x > 0 ? 1 : 2);
  return wall_reflectance(hit.x, -hit.y, ray.z > 0 ? 3 : 4);
}

/// Light of a black body beside that of the panel's white (about 6500 K), for each channel; green
/// stays 1. A power law that is within some per cent of Planck's from 2500 K to 8000 K.
Rgb tint_of(double temperature_k) {
  const double ratio = temperature_k / 6500;
  return {static_cast<float>(std::pow(ratio, -0.65)), 1.0F,
          static_cast<float>(std::pow(ratio, 0.85))};
}

/// Paints the room without panels into rows of R, G, B, 0.
class RoomPainter {
 public:
  RoomPainter(const Scene& scene, const NodeSpec& looker)
      : light_(scene.light),
        camera_(looker.camera),
        lens_(looker.camera, looker.camera_pose),
        tint_(tint_of(scene.light.colour_temperature_k)) {
    for (const NodeSpec& node : scene.nodes)
      bezels_.push_back({PanelPlane(node.panel, node.panel_pose), node.panel});
  }

  [[nodiscard]] Rgb at(Point pixel) const {
    const Vec3 ray = lens_.ray(pixel);
    Rgb reflectance = meet(lens_.centre(), ray);
    for (const Bezel& bezel : bezels_) {
      if (on_bezel(bezel, ray)) reflectance = {0.025F, 0.025F, 0.027F};
    }
    const auto nits = static_cast<float>(light_.ambient_lux / std::numbers::pi);
    const auto clutter = static_cast<float>(light_.clutter);
    Rgb radiance{};
    for (std::size_t c = 0; c < 3; ++c) {
      constexpr float kPlain = 0.3F;
      radiance[c] = nits * tint_[c] * (kPlain + clutter * (reflectance[c] - kPlain));
    }
    return radiance;
  }

  [[nodiscard]] Rgb tint() const { return tint_; }

 private:
  struct Bezel {
    PanelPlane plane;
    PanelSpec panel;
  };

  [[nodiscard]] bool on_bezel(const Bezel& bezel, Vec3 ray) const {
    const auto hit = bezel.plane.intersect(lens_.centre(), ray);
    if (!hit) return false;
    const double margin = bezel.panel.bezel_mm / bezel.panel.pixel_mm();
    return hit->x > -margin && hit->x < bezel.panel.width_px + margin && hit->y > -margin &&
           hit->y < bezel.panel.height_px + 2 * margin;
  }

  LightSpec light_;
  CameraSpec camera_;
  Lens lens_;
  Rgb tint_;
  std::vector<Bezel> bezels_;
};

/// What a panel sends out or back while it shows black.
class PanelGlow {
 public:
  PanelGlow(const LightSpec& light, const PanelSpec& panel, Rgb tint)
      : light_(light), panel_(panel), tint_(tint) {}

  [[nodiscard]] Rgb at(Point panel_px) const {
    const double black = panel_.white_nits / panel_.contrast;
    const double ambient = panel_.reflectance * light_.ambient_lux / std::numbers::pi;
    const double x_mm = (panel_px.x - light_.glare_x * panel_.width_px) * panel_.pixel_mm();
    const double y_mm = (panel_px.y - light_.glare_y * panel_.height_px) * panel_.pixel_mm();
    const double sigma2 = light_.glare_sigma_mm * light_.glare_sigma_mm;
    const double lamp = light_.glare_nits * std::exp(-0.5 * (x_mm * x_mm + y_mm * y_mm) / sigma2);
    Rgb nits{};
    for (std::size_t c = 0; c < 3; ++c)
      nits[c] = static_cast<float>(black + (ambient + lamp) * tint_[c]);
    return nits;
  }

 private:
  LightSpec light_;
  PanelSpec panel_;
  Rgb tint_;
};

/// Lays a panel's glow over the room: each pixel's share of panel comes from projecting an
/// all-white picture.
void lay_glow(const ScreenProjector& projector,
              const Lens& lens,
              const NodeSpec& shower,
              const CameraSpec& camera,
              const PanelGlow& glow,
              std::vector<float>& picture) {
  const Region& region = projector.region();
  if (region.width == 0) return;
  RgbImage white(shower.panel.width_px, shower.panel.height_px);
  std::fill(white.pixels.begin(), white.pixels.end(), std::uint8_t{255});
  LinearPicture linear(white.width, white.height, projector.margin());
  linear.load(&white);
  const PanelPlane plane(shower.panel, shower.panel_pose);
  std::vector<float> row(static_cast<std::size_t>(4 * region.width));
  for (int y = 0; y < region.height; ++y) {
    projector.project_row(linear, y, row);
    for (int x = 0; x < region.width; ++x) {
      const float lit = row[static_cast<std::size_t>(4 * x)];
      if (lit <= 0) continue;
      const Point pixel = {region.x + x + 0.5, region.y + y + 0.5};
      const auto hit = plane.intersect(lens.centre(), lens.ray(pixel));
      if (!hit) continue;
      const auto light = static_cast<float>(vignetting_at(camera, pixel));
      const Rgb nits = glow.at(*hit);
      float* out = picture.data() +
                   4 * (static_cast<std::ptrdiff_t>(region.y + y) * camera.width_px + region.x + x);
      const float covered = std::min(lit / light, 1.0F);
      for (std::size_t c = 0; c < 3; ++c)
        out[c] = out[c] * (1 - covered) + nits[c] * lit;
    }
  }
}

}  // namespace

MosaicPlane make_backdrop(const Scene& scene,
                          int camera_node,
                          const MosaicFilter& filter,
                          std::span<const ScreenProjector* const> projectors) {
  const NodeSpec& looker = scene.nodes[static_cast<std::size_t>(camera_node)];
  const CameraSpec& camera = looker.camera;
  const RoomPainter room(scene, looker);
  const auto row_floats = static_cast<std::size_t>(4 * camera.width_px);
  std::vector<float> picture(row_floats * static_cast<std::size_t>(camera.height_px));
  for (int y = 0; y < camera.height_px; ++y) {
    for (int x = 0; x < camera.width_px; ++x) {
      const Point pixel = {x + 0.5, y + 0.5};
      const auto light = static_cast<float>(vignetting_at(camera, pixel));
      const Rgb radiance = room.at(pixel);
      float* out = picture.data() + row_floats * static_cast<std::size_t>(y) +
                   4 * static_cast<std::size_t>(x);
      for (std::size_t c = 0; c < 3; ++c)
        out[c] = light * radiance[c];
    }
  }
  const Lens lens(camera, looker.camera_pose);
  for (std::size_t i = 0; i < projectors.size(); ++i) {
    if (projectors[i] == nullptr) continue;
    const NodeSpec& shower = scene.nodes[i];
    lay_glow(*projectors[i], lens, shower, camera,
             PanelGlow(scene.light, shower.panel, room.tint()), picture);
  }
  const auto veil = static_cast<float>(scene.light.veil_nits);
  MosaicPlane plane(camera.width_px, camera.height_px);
  filter.apply(
      [&](int y, std::span<float> row) {
        const float* from = picture.data() + row_floats * static_cast<std::size_t>(y);
        for (std::size_t i = 0; i < row_floats; ++i)
          row[i] = from[i] + veil;
      },
      plane);
  return plane;
}

}  // namespace wccl::room
