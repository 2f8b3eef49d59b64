#pragma once

#include <array>
#include <optional>

#include "base/image.h"
#include "room/scene.h"

namespace wccl::room {

struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;

  friend Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
};

[[nodiscard]] inline double dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
[[nodiscard]] double length(Vec3 a);
[[nodiscard]] Vec3 normalised(Vec3 a);

/// Right-handed axes of a posed thing, as unit vectors of the world: where its front faces, where
/// its upper edge is, and the third, which is to the right of somebody who looks at its front.
struct Frame {
  Vec3 origin;
  Vec3 right;
  Vec3 up;
  Vec3 forward;
};
[[nodiscard]] Frame frame_of(const Pose& pose);

/// The pose at `origin` whose front faces `target`, turned further by the angles given.
[[nodiscard]] Pose look_at(
    Vec3 origin, Vec3 target, double yaw_deg, double pitch_deg, double roll_deg);

/// World -> picture of one camera: pinhole with one radial term, r' = r (1 + k1 r^2).
class Lens {
 public:
  Lens(const CameraSpec& camera, const Pose& pose);

  /// @return nothing for a point behind the camera, or so far outside that the distortion folds
  /// over.
  [[nodiscard]] std::optional<Point> project(Vec3 world) const;
  /// The direction from which a pixel position is lit, of length 1 along the optical axis.
  [[nodiscard]] Vec3 ray(Point pixel) const;
  [[nodiscard]] Vec3 centre() const { return frame_.origin; }
  [[nodiscard]] double focal_px() const { return focal_px_; }

 private:
  Frame frame_;
  double focal_px_;
  double k1_;
  Point principal_;
};

/// Panel pixels <-> world.
class PanelPlane {
 public:
  PanelPlane(const PanelSpec& panel, const Pose& pose);

  [[nodiscard]] Vec3 at(Point panel_px) const;
  /// Where the ray from `origin` along `direction` meets the panel's plane from its front, in panel
  /// pixels.
  [[nodiscard]] std::optional<Point> intersect(Vec3 origin, Vec3 direction) const;
  [[nodiscard]] bool faces(Vec3 point) const;
  [[nodiscard]] Vec3 centre() const { return frame_.origin; }
  [[nodiscard]] Vec3 normal() const { return frame_.forward; }
  [[nodiscard]] double width_px() const { return width_px_; }
  [[nodiscard]] double height_px() const { return height_px_; }
  [[nodiscard]] double pixel_mm() const { return pixel_mm_; }

 private:
  Frame frame_;
  double width_px_;
  double height_px_;
  double pixel_mm_;
};

}  // namespace wccl::room
