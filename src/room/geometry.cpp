#include "room/geometry.h"

#include <cmath>
#include <numbers>

namespace wccl::room {
namespace {

double radians(double degrees) {
  return degrees * std::numbers::pi / 180.0;
}
double degrees(double radians) {
  return radians * 180.0 / std::numbers::pi;
}

/// Solves r (1 + k1 r^2) = distorted for r; Newton's method converges in a few steps for webcam
/// lenses.
double undistort(double distorted, double k1) {
  double r = distorted;
  for (int i = 0; i < 8; ++i) {
    const double slope = 1 + 3 * k1 * r * r;
    if (slope < 0.05) {
      break;  // beyond the fold: no ray lands there, any direction will do
    }
    const double step = (r * (1 + k1 * r * r) - distorted) / slope;
    r -= step;
    if (std::abs(step) < 1e-12) {
      break;
    }
  }
  return r;
}

}  // namespace

double length(Vec3 a) {
  return std::sqrt(dot(a, a));
}
Vec3 normalised(Vec3 a) {
  return (1.0 / length(a)) * a;
}

Frame frame_of(const Pose& pose) {
  const double yaw = radians(pose.yaw_deg);
  const double pitch = radians(pose.pitch_deg);
  const double roll = radians(pose.roll_deg);
  const Vec3 forward = {std::sin(yaw) * std::cos(pitch), std::sin(pitch),
                        std::cos(yaw) * std::cos(pitch)};
  const Vec3 level_right = {std::cos(yaw), 0, -std::sin(yaw)};
  const Vec3 level_up = cross(forward, level_right);
  // Clockwise as seen from the front: the upper edge leans to the viewer's right.
  const Vec3 right = std::cos(roll) * level_right - std::sin(roll) * level_up;
  const Vec3 up = std::sin(roll) * level_right + std::cos(roll) * level_up;
  return {{pose.x_mm, pose.y_mm, pose.z_mm}, right, up, forward};
}

Pose look_at(Vec3 origin, Vec3 target, double yaw_deg, double pitch_deg, double roll_deg) {
  const Vec3 line = normalised(target - origin);
  return {origin.x,
          origin.y,
          origin.z,
          degrees(std::atan2(line.x, line.z)) + yaw_deg,
          degrees(std::asin(line.y)) + pitch_deg,
          roll_deg};
}

Lens::Lens(const CameraSpec& camera, const Pose& pose)
    : frame_(frame_of(pose)),
      focal_px_(0.5 * camera.width_px / std::tan(radians(0.5 * camera.fov_deg))),
      k1_(camera.k1),
      principal_{0.5 * camera.width_px, 0.5 * camera.height_px} {}

std::optional<Point> Lens::project(Vec3 world) const {
  const Vec3 line = world - frame_.origin;
  const double depth = dot(line, frame_.forward);
  if (depth <= 1.0) {
    return std::nullopt;
  }
  // frame_.right is to the right of who looks at the camera; the picture's right is the other way.
  const double x = -dot(line, frame_.right) / depth;
  const double y = -dot(line, frame_.up) / depth;
  const double r2 = x * x + y * y;
  if (1 + 3 * k1_ * r2 < 0.05) {
    return std::nullopt;
  }
  const double stretch = focal_px_ * (1 + k1_ * r2);
  return Point{principal_.x + stretch * x, principal_.y + stretch * y};
}

Vec3 Lens::ray(Point pixel) const {
  const double x = (pixel.x - principal_.x) / focal_px_;
  const double y = (pixel.y - principal_.y) / focal_px_;
  const double r = std::sqrt(x * x + y * y);
  const double scale = r > 1e-12 ? undistort(r, k1_) / r : 1.0;
  return frame_.forward - (scale * x) * frame_.right - (scale * y) * frame_.up;
}

PanelPlane::PanelPlane(const PanelSpec& panel, const Pose& pose)
    : frame_(frame_of(pose)),
      width_px_(panel.width_px),
      height_px_(panel.height_px),
      pixel_mm_(panel.pixel_mm()) {}

Vec3 PanelPlane::at(Point panel_px) const {
  const double x_mm = (panel_px.x - 0.5 * width_px_) * pixel_mm_;
  const double y_mm = (panel_px.y - 0.5 * height_px_) * pixel_mm_;
  return frame_.origin + x_mm * frame_.right - y_mm * frame_.up;
}

std::optional<Point> PanelPlane::intersect(Vec3 origin, Vec3 direction) const {
  const double approach = -dot(direction, frame_.forward);
  const double height = dot(origin - frame_.origin, frame_.forward);
  if (approach <= 1e-9 || height <= 0) {
    return std::nullopt;
  }
  const Vec3 hit = origin + (height / approach) * direction - frame_.origin;
  return Point{dot(hit, frame_.right) / pixel_mm_ + 0.5 * width_px_,
               0.5 * height_px_ - dot(hit, frame_.up) / pixel_mm_};
}

bool PanelPlane::faces(Vec3 point) const {
  return dot(point - frame_.origin, frame_.forward) > 1.0;
}

}  // namespace wccl::room
