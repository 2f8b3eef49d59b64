#pragma once

#include <array>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "base/image.h"
#include "room/scene.h"

namespace wccl::room {

/// One panel in one camera's picture. Screens that hide one another are not considered.
struct View {
  int camera = 0;  ///< Node whose camera looks.
  int panel = 0;   ///< Node whose panel is looked at.
  bool in_front =
      false;  ///< The camera sees the panel's lit side; the fields below hold only then.
  bool complete = false;           ///< All of it is in the picture.
  std::array<Point, 4> corners{};  ///< In camera pixels, distortion included: top left, top right,
                                   ///< bottom right, bottom left as the panel's user names them.
  std::vector<Point> outline;      ///< The panel's edge, closed, with the lens' curvature.
  double width_px = 0;             ///< Mean length of its upper and lower edge.
  double height_px = 0;            ///< Mean length of its left and right edge.
  double share = 0;                ///< width_px over the picture's width.
  double tilt_deg = 0;             ///< Between the panel's normal and the line of sight.
};

struct VisibilityTable {
  int n_nodes = 0;
  std::vector<View> views;  ///< [n_nodes * (n_nodes - 1)], ordered by camera, then by panel.

  /// @param camera, panel  Two different nodes.
  [[nodiscard]] const View& view(int camera, int panel) const;
  [[nodiscard]] bool sees(int camera, int panel) const { return view(camera, panel).complete; }
  /// Every camera has every other panel in its picture.
  [[nodiscard]] bool all_see_all() const;
  [[nodiscard]] int n_complete() const;
};

/// @param camera_node, panel_node  Two different nodes.
[[nodiscard]] View look(const Scene& scene, int camera_node, int panel_node);

/// Who sees whom, even when nobody sees anybody.
[[nodiscard]] VisibilityTable look_around(const Scene& scene);

/// Who sees whom. @return kInvalidArgument, with the reason, when nobody sees anybody.
[[nodiscard]] Result<VisibilityTable> visibility(const Scene& scene);

/// One line for each camera and panel: `camera 0 sees screen 1: 1152 x 660 px (60% of the width),
/// tilted 8 deg`.
[[nodiscard]] std::string describe(const VisibilityTable& table);

}  // namespace wccl::room
