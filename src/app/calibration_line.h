#pragma once

#include <cstdint>
#include <string_view>

#include "app/progress_line.h"
#include "session/device_session.h"

namespace wccl::app {

/// Tells on stderr, while laptops look for one another, who is in sight and what is missing.
class CalibrationLine {
 public:
  /// @param nodes  How many there are; 0: not known.
  CalibrationLine(std::string_view command, std::uint16_t identity, int nodes)
      : command_(command), identity_(identity), nodes_(nodes) {}

  /// Cheap when it is too early for another. As DeviceSessionOptions::on_search.
  void show(const session::DeviceSession& session);
  /// All see one another.
  void end() { line_.clear(); }

 private:
  std::string_view command_;
  std::uint16_t identity_;
  int nodes_;
  ProgressLine line_{stderr};
};

}  // namespace wccl::app
