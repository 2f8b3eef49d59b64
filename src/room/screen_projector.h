#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/image.h"
#include "room/geometry.h"
#include "room/scene.h"

namespace wccl::room {

/// The part of a picture that a screen touches. Its left and upper edge are even, so that a colour
/// mosaic keeps its phase.
struct Region {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// A panel's picture in linear light, 16 bits for R, G, B and a fourth unused, with a dark margin
/// around it.
class LinearPicture {
 public:
  LinearPicture(int width_px, int height_px, int margin_px);

  /// @param frame  Of this size; null is black.
  void load(const RgbImage* frame);

  [[nodiscard]] const std::uint16_t* texel(int x, int y) const {
    return texels_.data() + 4 * (static_cast<std::ptrdiff_t>(y + margin_) * stride_ + x + margin_);
  }
  [[nodiscard]] int stride() const { return stride_; }
  [[nodiscard]] int margin() const { return margin_; }

 private:
  int width_;
  int height_;
  int margin_;
  int stride_;
  std::vector<std::uint16_t> texels_;
};

/// Resamples a panel's picture into one camera's picture: each camera pixel takes the exact mean of
/// the panel over a box with the position and the second moments of the pixel's own footprint
/// there.
class ScreenProjector {
 public:
  /// @param spread_px  The region grows by this on each side, for what is blurred later.
  ScreenProjector(const CameraSpec& camera,
                  const Pose& camera_pose,
                  const PanelSpec& panel,
                  const Pose& panel_pose,
                  int spread_px);

  /// Empty when no part of the panel is in the picture.
  [[nodiscard]] const Region& region() const { return region_; }
  [[nodiscard]] int margin() const { return margin_; }

  /// One row of the region. @param out  [region.width * 4] R, G, B, 0 as shares of white,
  /// vignetting included.
  void project_row(const LinearPicture& picture, int row, std::span<float> out) const;

  static constexpr int kNodePitch =
      8;  ///< Of the nodes along a row; between them the mapping is linear to 0.01 px.
  /// Panel rows, from 0 (top) to 1 (bottom), along a row of the region at [region.width /
  /// kNodePitch + 2] nodes.
  [[nodiscard]] std::span<const float> panel_rows(int row) const;

 private:
  /// Where the centre of a camera pixel and its footprint lie on the panel.
  struct Node {
    float u = 0;
    float v = 0;
    float width = 1;
    float height = 1;
    float light = 0;  ///< What vignetting leaves.
  };
  struct Columns {
    int begin = 0;
    int end = 0;
  };

  void find_region(const CameraSpec& camera,
                   const Lens& lens,
                   const PanelPlane& panel,
                   int spread_px);
  void map_nodes(const CameraSpec& camera, const Lens& lens, const PanelPlane& panel);
  [[nodiscard]] Columns lit_columns(int row) const;
  [[nodiscard]] const Node* nodes_of(int row) const {
    return nodes_.data() + static_cast<std::ptrdiff_t>(row) * nodes_per_row_;
  }

  Region region_;
  float panel_width_;
  float panel_height_;
  int nodes_per_row_ = 0;
  int taps_x_ = 0;  ///< Panel pixels that a footprint can touch; a multiple of 4.
  int taps_y_ = 0;
  int margin_ = 0;
  std::vector<Node> nodes_;
  std::vector<float> panel_rows_;
  std::vector<Columns> columns_;
};

}  // namespace wccl::room
