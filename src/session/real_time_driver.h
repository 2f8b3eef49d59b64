#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "base/occupant.h"
#include "device/camera.h"
#include "device/screen.h"
#include "device/steady_time.h"
#include "session/stage_use.h"

namespace wccl::session {

/// Drives an occupant with a real screen and a real camera: what the room's event loop does in
/// virtual time, in real time. The screen's loop runs on the caller's thread (macOS wants windows
/// on the main one), the camera takes pictures on a thread of its own, captures are decoded on
/// another, and the program runs on a third. All that touches the occupant, but for painting and
/// decoding, is serialised by a lock.
class RealTimeDriver {
 public:
  struct Devices {
    device::Screen* screen = nullptr;  ///< Borrowed.
    device::Camera* camera = nullptr;  ///< Borrowed.
    const device::SteadyTime* time = nullptr;
  };
  /// Asked now and then; either may be empty.
  struct UserWishes {
    std::function<bool()> abort;  ///< True makes every wait fail with kCancelled.
    std::function<bool()> hurry;  ///< The same, once the program has taken its leave.
  };
  /// @param occupant  Borrowed.
  RealTimeDriver(Devices devices, Occupant& occupant, UserWishes wishes);
  ~RealTimeDriver();
  RealTimeDriver(const RealTimeDriver&) = delete;
  RealTimeDriver& operator=(const RealTimeDriver&) = delete;

  /// Shows and sees until `program`, in a thread of its own, has returned. Once.
  void run(const std::function<void()>& program);

  // For the program:

  /// While one lives its thread has the occupant for itself.
  using Lock = std::unique_lock<std::mutex>;
  [[nodiscard]] Lock lock() { return Lock(mutex_); }
  /// Blocks until `ready` holds, asked under the lock whenever a capture has arrived or a frame was
  /// shown.
  /// @param held  This driver's lock, held; released while it waits.
  /// @return whether it held before the deadline; kCancelled when the user has left, or why the
  /// screen or the camera is gone for good.
  Result<bool> wait(Lock& held, const std::function<bool()>& ready, Instant deadline);

  /// The program has only a last word to say, for which a screen is enough: neither what the user
  /// has wished so far nor a camera that has gone keeps a wait from going on.
  /// @param held  As above.
  /// @return whether the user has wished to leave.
  bool take_leave(Lock& held);

  /// Has `ask` called on the camera's thread, once, before its next capture.
  /// @param held  As above.
  void ask_camera(Lock& held, std::function<void(device::Camera&)> ask);

  [[nodiscard]] Instant now() const { return devices_.time->now(); }
  /// By stage, in the order of the way from one program to the other.
  [[nodiscard]] std::vector<StageUse> use() const;

 private:
  class Stage;

  void show();
  void see();

  Devices devices_;
  Occupant& occupant_;
  UserWishes wishes_;

  mutable std::mutex mutex_;  ///< Guards the occupant and all below.
  std::condition_variable changed_;
  bool program_returned_ = false;
  std::optional<Error> dark_;   ///< The screen has gone: why every wait fails.
  std::optional<Error> ended_;  ///< The user has left, or the camera has gone: likewise, until the
                                ///< program takes its leave.
  std::vector<StageUse> use_;
  std::optional<Instant> arrived_at_;  ///< The latest capture since the program began to wait.
  std::function<void(device::Camera&)> ask_;
};

}  // namespace wccl::session
