#include "room/layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "room/geometry.h"
#include "room/visibility.h"

namespace wccl::room {
namespace {

struct Seat {
  double x = 0;  ///< On a circle of radius 1 about the table's middle.
  double z = 0;
};

Seat on_circle(double angle_deg) {
  const double angle = angle_deg * std::numbers::pi / 180.0;
  return {std::sin(angle), -std::cos(angle)};
}

/// `pair`: face to face. `circle`: evenly around. `horseshoe`: around with an opening of 120
/// degrees, so that with three nodes every lens of 78 degrees holds both others, which no other
/// shape allows for less.
std::vector<Seat> seats_of(const std::string& arrangement, int n_nodes) {
  constexpr double kArcDeg = 240;
  std::vector<Seat> seats;
  for (int i = 0; i < n_nodes; ++i) {
    if (arrangement == "horseshoe" && n_nodes > 2) {
      seats.push_back(on_circle(-kArcDeg / 2 + kArcDeg * i / (n_nodes - 1)));
    } else {
      seats.push_back(on_circle(360.0 * i / n_nodes));
    }
  }
  return seats;
}

Vec3 position(const Pose& pose) {
  return {pose.x_mm, pose.y_mm, pose.z_mm};
}

int n_seen_by(const Scene& scene, int camera) {
  int n = 0;
  for (int panel = 0; panel < static_cast<int>(scene.nodes.size()); ++panel) {
    n += panel != camera && look(scene, camera, panel).complete ? 1 : 0;
  }
  return n;
}

/// Where a camera should look: at the middle of the screens between two of its neighbours, chosen
/// so that as many as possible are wholly in its picture.
void aim_camera(Scene& scene, std::size_t node) {
  NodeSpec& self = scene.nodes[node];
  const Vec3 eye = position(self.camera_pose);
  Pose best = self.camera_pose;
  int best_seen = -1;
  for (std::size_t a = 0; a < scene.nodes.size(); ++a) {
    for (std::size_t b = a; b < scene.nodes.size(); ++b) {
      if (a == node || b == node) {
        continue;
      }
      const Vec3 to_a = normalised(position(scene.nodes[a].panel_pose) - eye);
      const Vec3 to_b = normalised(position(scene.nodes[b].panel_pose) - eye);
      const Vec3 middle = to_a + to_b;
      if (length(middle) < 0.2) {
        continue;
      }
      self.camera_pose = look_at(eye, eye + middle, scene.layout.aim_yaw_deg,
                                 scene.layout.aim_pitch_deg, scene.layout.aim_roll_deg);
      const int seen = n_seen_by(scene, static_cast<int>(node));
      if (seen > best_seen) {
        best_seen = seen;
        best = self.camera_pose;
      }
    }
  }
  self.camera_pose = best;
}

void place_at_radius(Scene& scene, const std::vector<Seat>& seats, double radius_mm) {
  for (std::size_t i = 0; i < seats.size(); ++i) {
    const Vec3 seat = {radius_mm * seats[i].x, 0, radius_mm * seats[i].z};
    NodeSpec& node = scene.nodes[i];
    node.panel_pose = look_at(seat, {0, 0, 0}, scene.layout.turn_deg, scene.layout.lean_deg, 0);
    const Vec3 eye = seat + Vec3{0, scene.layout.camera_height_mm, 0};
    node.camera_pose = look_at(eye, {0, eye.y, 0}, 0, 0, 0);
  }
  for (std::size_t i = 0; i < seats.size(); ++i) {
    aim_camera(scene, i);
  }
}

double widest_share(const VisibilityTable& table) {
  double share = 0;
  for (const View& view : table.views) {
    if (view.in_front) {
      share = std::max(share, view.share);
    }
  }
  return share;
}

/// A screen's share falls as one over the distance, so a few steps of proportion meet the wanted
/// one.
double radius_for_share(Scene& scene, const std::vector<Seat>& seats) {
  const NodeSpec& node = scene.nodes.front();
  double radius_mm = node.panel.width_mm / scene.layout.screen_share;
  for (int i = 0; i < 12; ++i) {
    place_at_radius(scene, seats, radius_mm);
    const double share = widest_share(look_around(scene));
    if (share <= 0) {
      break;
    }
    radius_mm *= std::clamp(share / scene.layout.screen_share, 0.5, 2.0);
  }
  return radius_mm;
}

}  // namespace

void place_nodes(Scene& scene) {
  if (scene.arrangement.empty() || scene.nodes.empty()) {
    return;
  }
  const auto seats = seats_of(scene.arrangement, static_cast<int>(scene.nodes.size()));
  const double closest_mm = radius_for_share(scene, seats);
  place_at_radius(scene, seats, closest_mm);
  if (seats.size() == 2) {
    return;  // the share asked for is the share given
  }

  double best_mm = closest_mm;
  int most_seen = look_around(scene).n_complete();
  constexpr double kStep = 1.03;
  constexpr double kFarthest = 5;
  for (double mm = closest_mm * kStep; mm < closest_mm * kFarthest; mm *= kStep) {
    if (most_seen == static_cast<int>(seats.size() * (seats.size() - 1))) {
      break;
    }
    place_at_radius(scene, seats, mm);
    const int seen = look_around(scene).n_complete();
    if (seen > most_seen) {
      most_seen = seen;
      best_mm = mm;
    }
  }
  place_at_radius(scene, seats, best_mm);
}

}  // namespace wccl::room
