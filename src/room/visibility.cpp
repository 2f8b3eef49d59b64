#include "room/visibility.h"

#include <cassert>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "room/geometry.h"

namespace wccl::room {
namespace {

constexpr int kPointsPerEdge = 12;  // enough for the lens' curvature to show in a drawing

double distance(Point a, Point b) {
  return std::hypot(a.x - b.x, a.y - b.y);
}

bool inside(Point p, const CameraSpec& camera) {
  return p.x >= 0 && p.y >= 0 && p.x <= camera.width_px && p.y <= camera.height_px;
}

std::array<Point, 4> panel_corners(const PanelPlane& panel) {
  const double w = panel.width_px();
  const double h = panel.height_px();
  return {Point{0, 0}, Point{w, 0}, Point{w, h}, Point{0, h}};
}

}  // namespace

View look(const Scene& scene, int camera_node, int panel_node) {
  const NodeSpec& looker = scene.nodes[static_cast<std::size_t>(camera_node)];
  const NodeSpec& shower = scene.nodes[static_cast<std::size_t>(panel_node)];
  const Lens lens(looker.camera, looker.camera_pose);
  const PanelPlane panel(shower.panel, shower.panel_pose);
  View view;
  view.camera = camera_node;
  view.panel = panel_node;
  if (!panel.faces(lens.centre())) {
    return view;
  }

  const auto corners = panel_corners(panel);
  bool complete = true;
  for (std::size_t edge = 0; edge < 4; ++edge) {
    const Point from = corners[edge];
    const Point to = corners[(edge + 1) % 4];
    for (int i = 0; i < kPointsPerEdge; ++i) {
      const double t = static_cast<double>(i) / kPointsPerEdge;
      const auto seen =
          lens.project(panel.at({from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)}));
      if (!seen) {
        return view;
      }
      if (i == 0) {
        view.corners[edge] = *seen;
      }
      view.outline.push_back(*seen);
      complete = complete && inside(*seen, looker.camera);
    }
  }
  view.in_front = true;
  view.complete = complete;
  const auto& c = view.corners;
  view.width_px = 0.5 * (distance(c[0], c[1]) + distance(c[3], c[2]));
  view.height_px = 0.5 * (distance(c[0], c[3]) + distance(c[1], c[2]));
  view.share = view.width_px / looker.camera.width_px;
  const double cosine = dot(normalised(lens.centre() - panel.centre()), panel.normal());
  view.tilt_deg = std::acos(cosine) * 180.0 / std::numbers::pi;
  return view;
}

const View& VisibilityTable::view(int camera, int panel) const {
  assert(camera != panel);
  const int column = panel < camera ? panel : panel - 1;
  return views[static_cast<std::size_t>(camera * (n_nodes - 1) + column)];
}

int VisibilityTable::n_complete() const {
  int n = 0;
  for (const View& view : views) {
    n += view.complete ? 1 : 0;
  }
  return n;
}

bool VisibilityTable::all_see_all() const {
  return n_complete() == static_cast<int>(views.size());
}

VisibilityTable look_around(const Scene& scene) {
  VisibilityTable table{.n_nodes = static_cast<int>(scene.nodes.size()), .views = {}};
  for (int camera = 0; camera < table.n_nodes; ++camera) {
    for (int panel = 0; panel < table.n_nodes; ++panel) {
      if (panel != camera) {
        table.views.push_back(look(scene, camera, panel));
      }
    }
  }
  return table;
}

Result<VisibilityTable> visibility(const Scene& scene) {
  VisibilityTable table = look_around(scene);
  if (table.n_complete() == 0) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format(
            "nobody sees anybody in scene '{}' with arrangement '{}': no screen is wholly in "
            "a camera's picture; lower layout.screen_share or widen camera.fov_deg",
            scene.name, scene.arrangement.empty() ? "(pose file)" : scene.arrangement));
  }
  return table;
}

std::string describe(const VisibilityTable& table) {
  std::string text;
  for (const View& view : table.views) {
    text += fmt::format("camera {} ", view.camera);
    if (!view.in_front) {
      text += fmt::format("does not see screen {}\n", view.panel);
      continue;
    }
    text +=
        fmt::format("{} screen {}: {:.0f} x {:.0f} px ({:.0f}% of the width), tilted {:.0f} deg\n",
                    view.complete ? "sees" : "sees only a part of", view.panel, view.width_px,
                    view.height_px, 100 * view.share, view.tilt_deg);
  }
  return text;
}

}  // namespace wccl::room
