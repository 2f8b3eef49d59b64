#include "session/real_time_driver.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <exception>
#include <utility>

namespace wccl::session {
namespace {

// A wait looks at `abort` at least this often.
constexpr Duration kAbortInterval = std::chrono::milliseconds(100);
// How long the camera's thread sleeps for want of a capture before it looks whether all is over.
constexpr Duration kCapturePatience = std::chrono::milliseconds(100);

Duration thread_cpu() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::duration_cast<Duration>(std::chrono::seconds(time.tv_sec) +
                                              std::chrono::nanoseconds(time.tv_nsec));
}

// In the order of the way from one program to the other.
enum StageIndex : std::size_t { kPaint, kBlank, kCamera, kDecode, kArrive, kProgram, kStages };
constexpr std::array<const char*, kStages> kNames{"paint",  "blank",  "camera",
                                                  "decode", "arrive", "program"};

}  // namespace

RealTimeDriver::RealTimeDriver(Devices devices, Occupant& occupant, UserWishes wishes)
    : devices_(devices), occupant_(occupant), wishes_(std::move(wishes)), use_(kStages) {
  for (std::size_t stage = 0; stage < kStages; ++stage) {
    use_[stage].name = kNames[stage];
  }
}

RealTimeDriver::~RealTimeDriver() = default;

void RealTimeDriver::run(const std::function<void()>& program) {
  std::exception_ptr program_error;
  std::thread sees([this] { see(); });
  std::thread runs([&] {
    try {
      program();
    } catch (...) {
      program_error = std::current_exception();
    }
    const Lock held = lock();
    use_[kProgram].cpu = thread_cpu();
    program_returned_ = true;
  });
  show();
  runs.join();
  sees.join();
  if (program_error) {
    std::rethrow_exception(program_error);
  }
}

/// The screen's loop: a frame is painted while the one before it is still lit.
void RealTimeDriver::show() {
  while (true) {
    bool is_dark = false;
    Painting paint;
    {
      const Lock held = lock();
      if (program_returned_) {
        return;
      }
      use_[kPaint].cpu = thread_cpu();
      is_dark = dark_.has_value();
      if (!is_dark) {
        paint = occupant_.next_frame(now());
      }
    }
    if (is_dark) {
      // The program has been told; it ends by itself.
      std::this_thread::sleep_for(kAbortInterval);
      continue;
    }
    const Instant began = now();
    const auto frame = paint ? paint() : nullptr;
    const Instant painted = now();
    const auto shown = devices_.screen->present(frame.get());
    if (!shown && shown.error().code == ErrorCode::kCancelled) {
      const Lock held = lock();
      ended_ = shown.error();
    } else if (!shown) {
      const Lock held = lock();
      dark_ = shown.error();
    } else if (frame) {
      const Lock held = lock();
      use_[kPaint].note(painted - began);
      use_[kBlank].note(*shown - painted);
    }
    changed_.notify_all();
  }
}

void RealTimeDriver::see() {
  while (true) {
    const auto capture = devices_.camera->next(kCapturePatience);
    const Instant began = now();
    std::function<void(Instant)> arrive;
    if (capture && *capture) {
      arrive = occupant_.decode(**capture);
    }
    const Instant decoded = now();
    Lock held = lock();
    if (program_returned_) {
      return;
    }
    if (const auto ask = std::exchange(ask_, nullptr)) {
      held.unlock();
      ask(*devices_.camera);
      held.lock();
    }
    use_[kDecode].cpu = thread_cpu();
    if (arrive) {
      arrive(now());
      arrived_at_ = now();
      use_[kCamera].note(began - (*capture)->captured_at);
      use_[kDecode].note(decoded - began);
      use_[kArrive].note(*arrived_at_ - decoded);
    }
    if (!capture) {
      ended_ = capture.error();
      changed_.notify_all();
      return;
    }
    changed_.notify_all();
  }
}

Result<bool> RealTimeDriver::wait(Lock& held,
                                  const std::function<bool()>& ready,
                                  Instant deadline) {
  arrived_at_.reset();
  while (true) {
    if (ready && ready()) {
      if (arrived_at_) {
        use_[kProgram].note(now() - *arrived_at_);
      }
      return true;
    }
    if (dark_ || ended_) {
      return tl::make_unexpected(dark_ ? *dark_ : *ended_);
    }
    if (wishes_.abort && wishes_.abort()) {
      return fail(ErrorCode::kCancelled, "interrupted");
    }
    const Instant wake = now() + kAbortInterval;
    if (now() >= deadline) {
      return false;
    }
    changed_.wait_until(held, devices_.time->steady(std::min(wake, deadline)));
  }
}

bool RealTimeDriver::take_leave(Lock& /*held*/) {
  const bool has_left = ended_ && ended_->code == ErrorCode::kCancelled;
  const bool wished = has_left || (wishes_.abort && wishes_.abort());
  ended_.reset();
  wishes_.abort = std::exchange(wishes_.hurry, nullptr);
  return wished;
}

void RealTimeDriver::ask_camera(Lock& /*held*/, std::function<void(device::Camera&)> ask) {
  ask_ = std::move(ask);
}

std::vector<StageUse> RealTimeDriver::use() const {
  const Lock held(mutex_);
  return use_;
}

}  // namespace wccl::session
