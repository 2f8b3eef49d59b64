#include "app/calibration_line.h"

#include <fmt/format.h>

#include "app/aiming_view.h"

namespace wccl::app {

void CalibrationLine::show(const session::DeviceSession& session) {
  line_.show([&] {
    return fmt::format("wccl {}: calibrating: {}", command_,
                       sight_line(report_aim(session, identity_), nodes_));
  });
}

}  // namespace wccl::app
