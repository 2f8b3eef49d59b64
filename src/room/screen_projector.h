#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/image.h"
#include "room/footprint.h"
#include "room/geometry.h"
#include "room/panel_light.h"
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

/// Resamples a panel's picture into one camera's picture, straight onto the colour mosaic (R G / G
/// B). Each camera pixel takes the exact mean of the panel's pixels under its footprint: the
/// pixel's square blurred by the lens, whose size and place on the panel follow the perspective and
/// the distortion. The footprint is taken as the product of one along the panel's rows and one
/// along its columns, each with the second moment of the true one.
class ScreenProjector {
 public:
  ScreenProjector(const CameraSpec& camera,
                  const Pose& camera_pose,
                  const PanelSpec& panel,
                  const Pose& panel_pose);

  /// Empty when no part of the panel is in the picture.
  [[nodiscard]] const Region& region() const { return region_; }
  /// What PanelLight needs around it.
  [[nodiscard]] int margin() const { return margin_; }

  /// One row of the region. @param out  [region.width] shares of white, vignetting included.
  void project_row(const PanelLight& panel, int row, std::span<float> out) const;

  static constexpr int kNodePitch =
      8;  ///< Of the nodes along a row; between them the mapping is linear to 0.01 px.
  /// Panel rows, from 0 (top) to 1 (bottom), along a row of the region at [region.width /
  /// kNodePitch + 2] nodes.
  [[nodiscard]] std::span<const float> panel_rows(int row) const;

 private:
  /// Where the first tap of a pixel's footprint lies on the panel, and its size.
  struct Node {
    float u = 0;
    float v = 0;
    float light = 0;  ///< What vignetting leaves.
    float width = 1;
    float height = 1;
    int width_index = 0;
    int height_index = 0;
  };
  struct Columns {
    int begin = 0;
    int end = 0;
  };

  void find_region(const CameraSpec& camera, const Lens& lens, const PanelPlane& panel);
  void map_nodes(const CameraSpec& camera, const Lens& lens, const PanelPlane& panel);
  void make_footprints(double psf_sigma_px);
  [[nodiscard]] std::array<float, 4> project_four(const PanelLight& panel, int row, int x) const;
  [[nodiscard]] Columns lit_columns(int row) const;
  [[nodiscard]] const Node* nodes_of(int row) const {
    return nodes_.data() + static_cast<std::ptrdiff_t>(row) * nodes_per_row_;
  }

  Region region_;
  float panel_width_;
  float panel_height_;
  float psf_reach_;  ///< Of a footprint from its middle, in camera pixels.
  int nodes_per_row_ = 0;
  int margin_ = 0;
  std::vector<Node> nodes_;
  std::vector<float> panel_rows_;
  std::vector<Columns> columns_;
  std::vector<FootprintTable> footprints_;  ///< Along the panel's rows and along its columns.
};

}  // namespace wccl::room
