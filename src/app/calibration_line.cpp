#include "app/calibration_line.h"

#include <fmt/format.h>

#include "app/aiming_view.h"
#include "app/camera_trouble.h"

namespace wccl::app {

void CalibrationLine::show(const session::DeviceSession& session) {
  if (!ended_) {
    line_.show([&] {
      return fmt::format("wccl {}: calibrating: {}", command_,
                         sight_line(report_aim(session, identity_), nodes_));
    });
  }
}

void CalibrationLine::end() {
  ended_ = true;
  line_.clear();
}

Error CalibrationLine::explain(const Error& error, const session::DeviceSession& session) const {
  return ended_ ? error : blame_camera(error, session);
}

}  // namespace wccl::app
