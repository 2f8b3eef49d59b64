#include "room/backdrop.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

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
  if (s < 0.08 || s > 0.92 || t < 0.1 || t > 0.9) {
    return wall;
  }
  if (kind < 0.4) {  // books
    const int book = static_cast<int>(s * 14);
    const double height = 0.55 + 0.3 * scatter(cell_s * 31 + book, cell_t, 2);
    if (t > 0.86) {
      return {0.22F, 0.14F, 0.08F};
    }
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
    if (std::abs(hit.x) < kDeskHalf && std::abs(hit.z) < kDeskHalf) {
      return desk_reflectance(hit.x, hit.z);
    }
  }
  const auto distance = [](double from, double along, double low, double high) {
    if (std::abs(along) < 1e-9) {
      return 1e12;
    }
    return ((along > 0 ? high : low) - from) / along;
  };
  const double to_x = distance(eye.x, ray.x, -kWallX, kWallX);
  const double to_y = distance(eye.y, ray.y, kFloorY, kCeilingY);
  const double to_z = distance(eye.z, ray.z, -kWallZ, kWallZ);
  const double nearest = std::min({to_x, to_y, to_z});
  const Vec3 hit = eye + nearest * ray;
  if (nearest == to_y) {
    return ray.y > 0 ? Rgb{0.7F, 0.7F, 0.68F} : Rgb{0.2F, 0.18F, 0.17F};
  }
  if (nearest == to_x) {
    return wall_reflectance(hit.z, -hit.y, ray.x > 0 ? 1 : 2);
  }
  return wall_reflectance(hit.x, -hit.y, ray.z > 0 ? 3 : 4);
}

/// Light of a black body beside that of the panel's white (about 6500 K), for each channel; green
/// stays 1. A power law that is within some per cent of Planck's from 2500 K to 8000 K.
Rgb tint_of(double temperature_k) {
  const double ratio = temperature_k / 6500;
  return {static_cast<float>(std::pow(ratio, -0.65)), 1.0F,
          static_cast<float>(std::pow(ratio, 0.85))};
}

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
    for (std::size_t c = 0; c < 3; ++c) {
      nits[c] = static_cast<float>(black + (ambient + lamp) * tint_[c]);
    }
    return nits;
  }

 private:
  LightSpec light_;
  PanelSpec panel_;
  Rgb tint_;
};

/// Paints what a camera would see with all panels black.
class RoomPainter {
 public:
  RoomPainter(const Scene& scene, std::size_t camera_node)
      : light_(scene.light),
        lens_(scene.nodes[camera_node].camera, scene.nodes[camera_node].camera_pose),
        tint_(tint_of(scene.light.colour_temperature_k)) {
    for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
      if (i == camera_node) {
        continue;
      }
      const NodeSpec& node = scene.nodes[i];
      screens_.push_back({PanelPlane(node.panel, node.panel_pose), node.panel,
                          PanelGlow(light_, node.panel, tint_)});
    }
  }

  /// One row of R, G, B, 0; rows must come in order, because the corners of pixels are shared
  /// between them.
  void paint_row(int y, int width, std::span<float> row) {
    if (y == 0) {
      corners_above_ = corners_of(0, width);
    }
    std::vector<Part> corners_below = corners_of(y + 1, width);
    for (int x = 0; x < width; ++x) {
      const auto i = static_cast<std::size_t>(x);
      const Part& corner = corners_above_[i];
      const bool uniform = corner == corners_above_[i + 1] && corner == corners_below[i] &&
                           corner == corners_below[i + 1];
      const Rgb colour = uniform ? at({x + 0.5, y + 0.5}) : mean_of(x, y);
      std::copy(colour.begin(), colour.end(), row.begin() + 4 * x);
      row[4 * i + 3] = 0;
    }
    corners_above_ = std::move(corners_below);
  }

 private:
  struct Screen {
    PanelPlane plane;
    PanelSpec panel;
    PanelGlow glow;
  };
  /// What a line of sight meets: the room, or a screen's lit area or bezel.
  struct Part {
    const Screen* screen = nullptr;
    bool lit = false;
    Point panel_px;
    friend bool operator==(const Part& a, const Part& b) {
      return a.screen == b.screen && a.lit == b.lit;
    }
  };

  [[nodiscard]] std::vector<Part> corners_of(int y, int width) const {
    std::vector<Part> corners;
    corners.reserve(static_cast<std::size_t>(width) + 1);
    for (int x = 0; x <= width; ++x) {
      corners.push_back(part_at({static_cast<double>(x), static_cast<double>(y)}));
    }
    return corners;
  }

  /// Of a pixel that an edge runs through.
  [[nodiscard]] Rgb mean_of(int x, int y) const {
    Rgb mean{};
    for (int i = 0; i < 16; ++i) {
      const Rgb sample = at({x + (i % 4 + 0.5) / 4, y + (i / 4 + 0.5) / 4});
      for (std::size_t c = 0; c < 3; ++c) {
        mean[c] += sample[c] / 16;
      }
    }
    return mean;
  }

  [[nodiscard]] Part part_at(Point pixel) const {
    const Vec3 ray = lens_.ray(pixel);
    Part part;
    for (const Screen& screen : screens_) {
      const auto hit = screen.plane.intersect(lens_.centre(), ray);
      if (!hit) {
        continue;
      }
      const double margin = screen.panel.bezel_mm / screen.panel.pixel_mm();
      const auto within = [&](double around, double below) {
        return hit->x > -around && hit->x < screen.panel.width_px + around && hit->y > -around &&
               hit->y < screen.panel.height_px + below;
      };
      if (within(0, 0)) {
        part = {&screen, true, *hit};
      } else if (within(margin, 2 * margin)) {
        part = {&screen, false, *hit};
      }
    }
    return part;
  }

  [[nodiscard]] Rgb at(Point pixel) const {
    const Part part = part_at(pixel);
    if (part.lit) {
      return part.screen->glow.at(part.panel_px);
    }
    const Rgb reflectance = part.screen != nullptr ? Rgb{0.025F, 0.025F, 0.027F}
                                                   : meet(lens_.centre(), lens_.ray(pixel));
    const auto nits = static_cast<float>(light_.ambient_lux / std::numbers::pi);
    const auto clutter = static_cast<float>(light_.clutter);
    Rgb radiance{};
    for (std::size_t c = 0; c < 3; ++c) {
      constexpr float kPlain = 0.3F;
      const float shade =
          part.screen != nullptr ? reflectance[c] : kPlain + clutter * (reflectance[c] - kPlain);
      radiance[c] = nits * tint_[c] * shade;
    }
    return radiance;
  }

  LightSpec light_;
  Lens lens_;
  Rgb tint_;
  std::vector<Screen> screens_;
  std::vector<Part> corners_above_;
};

}  // namespace

MosaicPlane make_backdrop(const Scene& scene, int camera_node) {
  const CameraSpec& camera = scene.nodes[static_cast<std::size_t>(camera_node)].camera;
  RoomPainter room(scene, static_cast<std::size_t>(camera_node));
  const auto veil = static_cast<float>(scene.light.veil_nits);
  MosaicPlane plane(camera.width_px, camera.height_px);
  const MosaicFilter filter(camera.psf_sigma_px, camera.crosstalk);
  filter.apply(
      [&](int y, std::span<float> row) {
        room.paint_row(y, camera.width_px, row);
        for (int x = 0; x < camera.width_px; ++x) {
          const auto light = static_cast<float>(vignetting_at(camera, {x + 0.5, y + 0.5}));
          float* out = row.data() + 4 * static_cast<std::ptrdiff_t>(x);
          for (std::size_t c = 0; c < 3; ++c) {
            out[c] = light * out[c] + veil;
          }
        }
      },
      plane);
  return plane;
}

}  // namespace wccl::room
