#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/file_descriptor.h"
#include "device/input.h"
#include "device/v4l2_controls.h"

namespace wccl::device {

/// Keeps a camera from adjusting itself while this lives, where the system lets us.
class AutomaticsLock {
 public:
  AutomaticsLock(const InputRecipe& camera, double fps);

  /// What could not be stopped, a line each.
  [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::unique_ptr<FileDescriptor> device_;
  std::unique_ptr<V4l2Controls> controls_;  // goes before the device
  std::vector<std::string> warnings_;
};

}  // namespace wccl::device
