#include "test_camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "phy/homography.h"
#include "phy/transmitter.h"

namespace wccl::phy {
namespace {

constexpr int kOversample = 3;  // Points a side of a pixel.

struct Linear {
  std::array<float, 3> rgb{};
};

/// A picture in linear light, three planes in one.
struct LinearImage {
  int width;
  int height;
  std::vector<Linear> pixels;
  [[nodiscard]] Linear& at(int x, int y) {
    return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(x)];
  }
};

float to_linear(double level) {
  return static_cast<float>(std::pow(level / 255.0, 2.2));
}

float to_gamma(float linear) {
  constexpr int kSteps = 4096;
  static const std::vector<float> table = [] {
    std::vector<float> entries;
    for (int i = 0; i <= kSteps; ++i) {
      entries.push_back(
          static_cast<float>(255 * std::pow(static_cast<double>(i) / kSteps, 1 / 2.2)));
    }
    return entries;
  }();
  const float place = std::clamp(linear, 0.0F, 0.9999F) * kSteps;
  const auto i = static_cast<std::size_t>(place);
  return table[i] + (table[i + 1] - table[i]) * (place - static_cast<float>(i));
}

std::array<float, 256> linear_table(const TestCamera& camera) {
  std::array<float, 256> table{};
  for (int value = 0; value < 256; ++value) {
    const float dark = to_linear(camera.black);
    table[static_cast<std::size_t>(value)] =
        dark + (to_linear(camera.white) - dark) * to_linear(value);
  }
  return table;
}

Point undistort(const TestCamera& camera, Point p) {
  const double norm = 0.5 * std::hypot(camera.width, camera.height);
  if (camera.k1 == 0) {
    return p;
  }
  const double x = (p.x - 0.5 * camera.width) / norm;
  const double y = (p.y - 0.5 * camera.height) / norm;
  const double distorted = std::hypot(x, y);
  double r = distorted;
  for (int i = 0; i < 8; ++i) {
    r = distorted / (1 + camera.k1 * r * r);
  }
  const double scale = distorted > 0 ? r / distorted * norm : norm;
  return {0.5 * camera.width + x * scale, 0.5 * camera.height + y * scale};
}

void paint_view(LinearImage& picture, const TestCamera& camera, const TestView& view) {
  const auto table = linear_table(camera);
  const double width = view.panel->width;
  const double height = view.panel->height;
  const std::array<Point, 4> panel{{{0, 0}, {width, 0}, {width, height}, {0, height}}};
  const auto to_panel = Homography::fit(view.corners, panel);
  // Distortion moves the outline by a few pixels.
  const auto by_x = [](const Point& a, const Point& b) { return a.x < b.x; };
  const auto by_y = [](const Point& a, const Point& b) { return a.y < b.y; };
  const auto [left, right] = std::minmax_element(view.corners.begin(), view.corners.end(), by_x);
  const auto [top, bottom] = std::minmax_element(view.corners.begin(), view.corners.end(), by_y);
  const int margin = 1 + static_cast<int>(std::abs(camera.k1) * camera.width);
  const int x_begin = std::max(0, static_cast<int>(left->x) - margin);
  const int x_end = std::min(picture.width, static_cast<int>(right->x) + margin);
  const int y_begin = std::max(0, static_cast<int>(top->y) - margin);
  const int y_end = std::min(picture.height, static_cast<int>(bottom->y) + margin);
  for (int y = y_begin; y < y_end; ++y) {
    const RgbImage& shown = view.next != nullptr && y >= view.switch_row ? *view.next : *view.panel;
    for (int x = x_begin; x < x_end; ++x) {
      Linear sum;
      int inside = 0;
      for (int i = 0; i < kOversample * kOversample; ++i) {
        const Point p = undistort(camera, {x + (i % kOversample + 0.5) / kOversample,
                                           y + (i / kOversample + 0.5) / kOversample});
        const Point q = to_panel->map(p);
        if (!(q.x >= 0 && q.x < width && q.y >= 0 && q.y < height)) {
          continue;
        }
        const std::uint8_t* pixel = shown.row(static_cast<int>(q.y)) + static_cast<int>(q.x) * 3;
        for (std::size_t c = 0; c < 3; ++c) {
          sum.rgb[c] += table[pixel[c]];
        }
        ++inside;
      }
      if (inside == 0) {
        continue;
      }
      const float share = 1.0F / (kOversample * kOversample);
      const float rest = 1.0F - static_cast<float>(inside) * share;
      Linear& pixel = picture.at(x, y);
      for (std::size_t c = 0; c < 3; ++c) {
        pixel.rgb[c] = pixel.rgb[c] * rest + sum.rgb[c] * share;
      }
    }
  }
}

/// Blurs along x, and writes the picture transposed, so that twice is all of it.
LinearImage blur_across(const LinearImage& source, std::span<const float> kernel) {
  const auto radius = static_cast<int>(kernel.size() / 2);
  LinearImage out{source.height, source.width, std::vector<Linear>(source.pixels.size())};
  for (int y = 0; y < source.height; ++y) {
    const Linear* row = source.pixels.data() + static_cast<std::ptrdiff_t>(y) * source.width;
    for (int x = 0; x < source.width; ++x) {
      Linear sum;
      for (int i = -radius; i <= radius; ++i) {
        const Linear& tap = row[std::clamp(x + i, 0, source.width - 1)];
        const float weight = kernel[static_cast<std::size_t>(i + radius)];
        for (std::size_t c = 0; c < 3; ++c) {
          sum.rgb[c] += weight * tap.rgb[c];
        }
      }
      out.at(y, x) = sum;
    }
  }
  return out;
}

void blur(LinearImage& picture, double sigma) {
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<float> kernel;
  float total = 0;
  for (int i = -radius; i <= radius; ++i) {
    kernel.push_back(static_cast<float>(std::exp(-0.5 * i * i / (sigma * sigma))));
    total += kernel.back();
  }
  for (float& weight : kernel) {
    weight /= total;
  }
  picture = blur_across(blur_across(picture, kernel), kernel);
}

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::clamp(std::lround(value), 0L, 255L));
}

YuvImage to_yuv(LinearImage& picture, double noise, Rng& rng) {
  YuvImage yuv(picture.width, picture.height);
  std::vector<std::array<float, 2>> chroma(yuv.cb.size());
  std::vector<float> counts(yuv.cb.size());
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      std::array<double, 3> v{};
      for (std::size_t c = 0; c < 3; ++c) {
        v[c] = static_cast<double>(to_gamma(picture.at(x, y).rgb[c])) + noise * rng.normal();
      }
      const double luma = 0.299 * v[0] + 0.587 * v[1] + 0.114 * v[2];
      const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(yuv.width) +
                      static_cast<std::size_t>(x);
      yuv.y[at] = to_byte(luma);
      const auto half =
          static_cast<std::size_t>(y / 2) * static_cast<std::size_t>(yuv.chroma_width) +
          static_cast<std::size_t>(x / 2);
      chroma[half][0] += static_cast<float>(128 + (v[2] - luma) / 1.772);
      chroma[half][1] += static_cast<float>(128 + (v[0] - luma) / 1.402);
      counts[half] += 1;
    }
  }
  for (std::size_t i = 0; i < chroma.size(); ++i) {
    yuv.cb[i] = to_byte(static_cast<double>(chroma[i][0] / counts[i]));
    yuv.cr[i] = to_byte(static_cast<double>(chroma[i][1] / counts[i]));
  }
  return yuv;
}

}  // namespace

std::array<Point, 4> view_corners(
    PanelSize panel, Point centre, double width_px, double yaw_deg, double roll_deg) {
  const double yaw = yaw_deg * std::numbers::pi / 180;
  const double roll = roll_deg * std::numbers::pi / 180;
  const double half_height = 0.5 * panel.height_px / panel.width_px;
  const double distance = 1.6;  // Panel widths: what a 60% view through a webcam's lens takes.
  std::array<Point, 4> corners{};
  for (int corner = 0; corner < 4; ++corner) {
    const double x = corner == 1 || corner == 2 ? 0.5 : -0.5;
    const double y = corner >= 2 ? half_height : -half_height;
    const double depth = 1 + std::sin(yaw) * x / distance;
    const double px = std::cos(yaw) * x / depth * width_px;
    const double py = y / depth * width_px;
    corners[static_cast<std::size_t>(corner)] = {
        centre.x + px * std::cos(roll) - py * std::sin(roll),
        centre.y + px * std::sin(roll) + py * std::cos(roll)};
  }
  return corners;
}

YuvImage take_picture(const TestCamera& camera, std::span<const TestView> views, Rng& rng) {
  Linear wall;
  wall.rgb.fill(to_linear(camera.wall));
  LinearImage picture{camera.width, camera.height, {}};
  picture.pixels.assign(
      static_cast<std::size_t>(camera.width) * static_cast<std::size_t>(camera.height), wall);
  for (const TestView& view : views) {
    paint_view(picture, camera, view);
  }
  if (camera.blur_sigma_px > 0) {
    blur(picture, camera.blur_sigma_px);
  }
  return to_yuv(picture, camera.noise, rng);
}

TestFrame make_frame(
    PanelSize panel, ModeId mode, std::uint8_t node, std::uint16_t sequence, Rng& rng) {
  TestFrame frame;
  frame.header.node = node;
  frame.header.epoch = 7;
  frame.header.sequence = sequence;
  frame.header.panel = panel;
  frame.header.mode = mode;
  frame.header.feedback = static_cast<std::uint32_t>(rng.next());
  frame.payloads.resize(block_slots(panel, mode).size());
  for (auto& payload : frame.payloads) {
    payload.resize(kBlockPayloadBytes);
    for (std::byte& byte : payload) {
      byte = static_cast<std::byte>(rng.below(256));
    }
  }
  frame.image = Transmitter(panel).render(frame.header, frame.payloads);
  return frame;
}

}  // namespace wccl::phy
