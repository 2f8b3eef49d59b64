#include "room/screen_projector.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "room/linear_light.h"
#include "room/vignetting.h"

namespace wccl::room {
namespace {

// Vectors of GCC and Clang, which any instruction set can run.
using F4 = float __attribute__((vector_size(16)));
using F8 = float __attribute__((vector_size(32)));
using U8 = std::uint16_t __attribute__((vector_size(16)));

/// Two texels of four channels each.
F8 load_texels(const std::uint16_t* from) {
  U8 raw;
  std::memcpy(&raw, from, sizeof raw);
  return __builtin_convertvector(raw, F8);
}

F8 smaller(F8 a, F8 b) {
  return a < b ? a : b;
}
F8 larger(F8 a, F8 b) {
  return a > b ? a : b;
}

constexpr int kMostTaps = 64;

}  // namespace

LinearPicture::LinearPicture(int width_px, int height_px, int margin_px)
    : width_(width_px),
      height_(height_px),
      margin_(margin_px),
      stride_(width_px + 2 * margin_px),
      texels_(4 * static_cast<std::size_t>(stride_) *
              static_cast<std::size_t>(height_px + 2 * margin_px)) {}

void LinearPicture::load(const RgbImage* frame) {
  if (frame == nullptr) {
    std::fill(texels_.begin(), texels_.end(), std::uint16_t{0});
    return;
  }
  assert(frame->width == width_ && frame->height == height_);
  const auto& light = srgb_to_linear16();
  for (int y = 0; y < height_; ++y) {
    const std::uint8_t* in = frame->row(y);
    std::uint16_t* out =
        texels_.data() + 4 * (static_cast<std::ptrdiff_t>(y + margin_) * stride_ + margin_);
    for (int x = 0; x < width_; ++x, in += 3, out += 4) {
      const std::uint64_t texel = static_cast<std::uint64_t>(light[in[0]]) |
                                  static_cast<std::uint64_t>(light[in[1]]) << 16U |
                                  static_cast<std::uint64_t>(light[in[2]]) << 32U;
      std::memcpy(out, &texel, sizeof texel);
    }
  }
}

ScreenProjector::ScreenProjector(const CameraSpec& camera,
                                 const Pose& camera_pose,
                                 const PanelSpec& panel_spec,
                                 const Pose& panel_pose,
                                 int spread_px)
    : panel_width_(static_cast<float>(panel_spec.width_px)),
      panel_height_(static_cast<float>(panel_spec.height_px)) {
  const Lens lens(camera, camera_pose);
  const PanelPlane panel(panel_spec, panel_pose);
  find_region(camera, lens, panel, spread_px);
  if (region_.width > 0) map_nodes(camera, lens, panel);
}

void ScreenProjector::find_region(const CameraSpec& camera,
                                  const Lens& lens,
                                  const PanelPlane& panel,
                                  int spread_px) {
  if (!panel.faces(lens.centre())) return;
  // The panel's inside is sampled too: its corners can be behind the camera while its middle is in
  // view.
  constexpr int kSamples = 48;
  double left = 1e9;
  double right = -1e9;
  double top = 1e9;
  double bottom = -1e9;
  for (int i = 0; i <= kSamples; ++i) {
    for (int j = 0; j <= kSamples; ++j) {
      const auto seen = lens.project(
          panel.at({panel.width_px() * i / kSamples, panel.height_px() * j / kSamples}));
      if (!seen) continue;
      left = std::min(left, seen->x);
      right = std::max(right, seen->x);
      top = std::min(top, seen->y);
      bottom = std::max(bottom, seen->y);
    }
  }
  const double spread = spread_px + 2;  // two more for the outline's curve between samples
  const int x0 =
      static_cast<int>(std::floor(std::clamp(left - spread, 0.0, double(camera.width_px)))) & ~1;
  const int y0 =
      static_cast<int>(std::floor(std::clamp(top - spread, 0.0, double(camera.height_px)))) & ~1;
  const int x1 =
      static_cast<int>(std::ceil(std::clamp(right + spread, 0.0, double(camera.width_px))));
  const int y1 =
      static_cast<int>(std::ceil(std::clamp(bottom + spread, 0.0, double(camera.height_px))));
  if (x1 > x0 && y1 > y0) region_ = {x0, y0, x1 - x0, y1 - y0};
}

void ScreenProjector::map_nodes(const CameraSpec& camera,
                                const Lens& lens,
                                const PanelPlane& panel) {
  nodes_per_row_ = region_.width / kNodePitch + 2;
  nodes_.reserve(static_cast<std::size_t>(nodes_per_row_) *
                 static_cast<std::size_t>(region_.height));
  const Point nowhere = {-1e6, -1e6};
  const auto on_panel = [&](double x, double y) {
    return panel.intersect(lens.centre(), lens.ray({x, y})).value_or(nowhere);
  };
  for (int row = 0; row < region_.height; ++row) {
    const double y = region_.y + row + 0.5;
    for (int i = 0; i < nodes_per_row_; ++i) {
      const double x = region_.x + i * kNodePitch + 0.5;
      const Point here = on_panel(x, y);
      const Point left = on_panel(x - 0.5, y);
      const Point right = on_panel(x + 0.5, y);
      const Point above = on_panel(x, y - 0.5);
      const Point below = on_panel(x, y + 0.5);
      Node node;
      node.u = static_cast<float>(here.x);
      node.v = static_cast<float>(here.y);
      node.width = static_cast<float>(
          std::clamp(std::hypot(right.x - left.x, below.x - above.x), 0.05, kMostTaps - 4.0));
      node.height = static_cast<float>(
          std::clamp(std::hypot(right.y - left.y, below.y - above.y), 0.05, kMostTaps - 4.0));
      node.light = static_cast<float>(vignetting_at(camera, {x, y}));
      nodes_.push_back(node);
      panel_rows_.push_back(std::clamp(node.v / panel_height_, 0.0F, 1.0F));
    }
  }
  for (int row = 0; row < region_.height; ++row)
    columns_.push_back(lit_columns(row));

  float widest = 0;
  float highest = 0;
  for (int row = 0; row < region_.height; ++row) {
    const Columns columns = columns_[static_cast<std::size_t>(row)];
    if (columns.begin == columns.end) continue;
    for (int i = columns.begin / kNodePitch; i <= (columns.end - 1) / kNodePitch + 1; ++i) {
      widest = std::max(widest, nodes_of(row)[i].width);
      highest = std::max(highest, nodes_of(row)[i].height);
    }
  }
  taps_x_ = (static_cast<int>(std::ceil(widest)) + 1 + 3) / 4 * 4;
  taps_y_ = static_cast<int>(std::ceil(highest)) + 1;
  margin_ = std::max(taps_x_, taps_y_) + 2;
}

ScreenProjector::Columns ScreenProjector::lit_columns(int row) const {
  const Node* nodes = nodes_of(row);
  Columns columns{region_.width, 0};
  for (int x = 0; x < region_.width; ++x) {
    const Node& a = nodes[x / kNodePitch];
    const Node& b = nodes[x / kNodePitch + 1];
    const float t = static_cast<float>(x % kNodePitch) / kNodePitch;
    const float u = a.u + t * (b.u - a.u);
    const float v = a.v + t * (b.v - a.v);
    const float half_width = 0.5F * std::max(a.width, b.width);
    const float half_height = 0.5F * std::max(a.height, b.height);
    const bool touches = u + half_width > 0 && u - half_width < panel_width_ &&
                         v + half_height > 0 && v - half_height < panel_height_;
    if (!touches) continue;
    columns.begin = std::min(columns.begin, x);
    columns.end = x + 1;
  }
  if (columns.end == 0) columns.begin = 0;
  return columns;
}

std::span<const float> ScreenProjector::panel_rows(int row) const {
  return std::span(panel_rows_)
      .subspan(static_cast<std::size_t>(row) * static_cast<std::size_t>(nodes_per_row_),
               static_cast<std::size_t>(nodes_per_row_));
}

void ScreenProjector::project_row(const LinearPicture& picture,
                                  int row,
                                  std::span<float> out) const {
  assert(out.size() == static_cast<std::size_t>(4 * region_.width));
  assert(picture.margin() >= margin_);
  const Columns columns = columns_[static_cast<std::size_t>(row)];
  std::fill(out.begin(), out.begin() + 4 * columns.begin, 0.0F);
  std::fill(out.begin() + 4 * columns.end, out.end(), 0.0F);
  const Node* nodes = nodes_of(row);
  const std::ptrdiff_t stride = 4 * static_cast<std::ptrdiff_t>(picture.stride());
  const float margin = static_cast<float>(margin_);
  const F8 first_pair = {0, 0, 0, 0, 1, 1, 1, 1};
  const F8 ones = first_pair - first_pair + 1.0F;
  const F8 zeros = ones - ones;

  for (int x = columns.begin; x < columns.end; ++x) {
    const Node& a = nodes[x / kNodePitch];
    const Node& b = nodes[x / kNodePitch + 1];
    const float t = static_cast<float>(x % kNodePitch) / kNodePitch;
    const float width = a.width + t * (b.width - a.width);
    const float height = a.height + t * (b.height - a.height);
    // A row can leave the panel and come back; what lies outside falls into the dark margin.
    const float left =
        std::clamp(a.u + t * (b.u - a.u) - 0.5F * width, 1.0F - margin, panel_width_ + 1.0F);
    const float top =
        std::clamp(a.v + t * (b.v - a.v) - 0.5F * height, 1.0F - margin, panel_height_ + 1.0F);
    const float first_x = std::floor(left);
    const float first_y = std::floor(top);
    const float light = (a.light + t * (b.light - a.light)) / (65535.0F * width * height);

    const F8 from = ones * (left - first_x);
    const F8 to = from + width;
    const std::uint16_t* texel =
        picture.texel(static_cast<int>(first_x), static_cast<int>(first_y));
    float above = top - first_y;
    const float bottom = above + height;
    F8 sum = zeros;
    F8 pair = first_pair;
    for (int tap = 0; tap < taps_x_; tap += 4, texel += 16) {
      const F8 weight0 = larger(smaller(to, pair + 1.0F) - larger(from, pair), zeros);
      pair += 2.0F;
      const F8 weight1 = larger(smaller(to, pair + 1.0F) - larger(from, pair), zeros);
      pair += 2.0F;
      F8 column0 = zeros;
      F8 column1 = zeros;
      const std::uint16_t* from_row = texel;
      float y0 = above;
      for (int y = 0; y < taps_y_; ++y, from_row += stride) {
        const float y1 = std::min(bottom, static_cast<float>(y + 1));
        const float weight = std::max(y1 - y0, 0.0F);
        column0 += weight * load_texels(from_row);
        column1 += weight * load_texels(from_row + 8);
        y0 = y1;
      }
      sum += weight0 * column0 + weight1 * column1;
    }
    F4 halves[2];
    std::memcpy(halves, &sum, sizeof halves);
    const F4 texel_mean = light * (halves[0] + halves[1]);
    std::memcpy(out.data() + 4 * x, &texel_mean, sizeof texel_mean);
  }
}

}  // namespace wccl::room
