#include "device/sdl_video.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <SDL.h>

#ifdef __linux__
#include <dlfcn.h>
#include <unistd.h>
#endif

namespace wccl::device {
namespace {

#ifdef __linux__
/// Instead of Xlib's own answer to a server that is gone: that is a line of its own and exit(),
/// which tidies up under the feet of all threads that still work. What is on disk counts.
int on_display_gone(void* /*display*/) {
  constexpr std::string_view kLine =
      "wccl: error: the display has gone; what was saved is kept, start again when it is back\n";
  static_cast<void>(!::write(STDERR_FILENO, kLine.data(), kLine.size()));
  ::_exit(EXIT_FAILURE);
}

/// SDL loads Xlib by itself, so that is not linked.
void watch_x_connection() {
  void* const xlib = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
  if (xlib == nullptr) {
    return;
  }
  using Handler = int (*)(void*);
  using SetHandler = Handler (*)(Handler);
  const auto set_handler = reinterpret_cast<SetHandler>(::dlsym(xlib, "XSetIOErrorHandler"));
  if (set_handler != nullptr) {
    set_handler(on_display_gone);
  }
}
#else
void watch_x_connection() {}
#endif

/// Drivers that show nothing; SDL takes one when there is nothing else.
bool shows_nothing(std::string_view driver) {
  constexpr std::array<std::string_view, 3> kBlind{"offscreen", "dummy", "evdev"};
  return std::find(kBlind.begin(), kBlind.end(), driver) != kBlind.end();
}

void set_hints() {
  // Ctrl-C belongs to the program.
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");
  // The peer's frames must stay up while the user works on another display.
  SDL_SetHint(SDL_HINT_VIDEO_MINIMIZE_ON_FOCUS_LOSS, "0");
  SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "nearest");
  // The copying canvas must not become a texture behind our back.
  SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
#ifdef __linux__
  // Without a session libwayland would complain on stderr, beside our one line.
  if (std::getenv("XDG_RUNTIME_DIR") == nullptr) {
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11,KMSDRM");
  }
#endif
}

}  // namespace

Result<SdlVideo> SdlVideo::open() {
  SDL_SetMainReady();
  set_hints();
  if (SDL_InitSubSystem(SDL_INIT_VIDEO) == 0) {
    SdlVideo video;
    watch_x_connection();
    if (!shows_nothing(SDL_GetCurrentVideoDriver()) && SDL_GetNumVideoDisplays() > 0) {
      return video;
    }
  }
  return fail(ErrorCode::kNotFound,
              "there is no display: start wccl inside the desktop session, or set DISPLAY to one "
              "(over ssh on the laptop itself: DISPLAY=:0)");
}

SdlVideo::SdlVideo(SdlVideo&& other) noexcept : is_owner_(std::exchange(other.is_owner_, false)) {}

SdlVideo::~SdlVideo() {
  if (is_owner_) {
    SDL_QuitSubSystem(SDL_INIT_VIDEO);
  }
}

}  // namespace wccl::device
