#include "app/frame_player.h"

#include "app/interrupt.h"

namespace wccl::app {

Status play_frames(FramePrefetch& frames,
                   device::Screen& screen,
                   int hold,
                   const std::function<bool(std::uint64_t shown)>& on_frame) {
  frames.wait();
  std::uint64_t shown = 0;
  while (true) {
    auto next = frames.next();
    if (next.state == FramePrefetch::State::kEnd) {
      return {};
    }
    if (!next.frame) {
      return tl::make_unexpected(next.frame.error());
    }
    const bool is_late = next.state == FramePrefetch::State::kLate;
    // The first call shows the frame, the others keep it.
    for (int refresh = 0; refresh < (is_late ? 1 : hold); ++refresh) {
      const bool is_new = !is_late && refresh == 0;
      if (const auto change = screen.present(is_new ? &*next.frame : nullptr); !change) {
        return tl::make_unexpected(change.error());
      }
      if (interrupted()) {
        return fail(ErrorCode::kCancelled, "interrupted");
      }
    }
    shown += is_late ? 0 : 1;
    if (!on_frame(shown)) {
      return {};
    }
  }
}

}  // namespace wccl::app
