#include <algorithm>
#include <cassert>
#include <thread>
#include <utility>

#include <SDL.h>
#include <fmt/format.h>

#include "device/canvas.h"
#include "device/refresh_clock.h"
#include "device/screen.h"
#include "device/screen_choice.h"
#include "device/sdl_video.h"

namespace wccl::device {
namespace {

constexpr double kUsualRefreshHz = 60;  // where the system knows none, as Xvfb
// A window without a size: it leaves the edges of any laptop's display free.
constexpr PixelSize kUsualWindow{1280, 800};

struct WindowDestroyer {
  void operator()(SDL_Window* window) const { SDL_DestroyWindow(window); }
};
using Window = std::unique_ptr<SDL_Window, WindowDestroyer>;

double refresh_hz(int display) {
  SDL_DisplayMode mode{};
  if (SDL_GetDesktopDisplayMode(display, &mode) != 0 || mode.refresh_rate <= 0) {
    return kUsualRefreshHz;
  }
  return mode.refresh_rate;
}

std::string display_name(int display) {
  const char* const name = SDL_GetDisplayName(display);
  return name != nullptr ? name : "";
}

bool asks_to_leave(const SDL_Event& event) {
  switch (event.type) {
    case SDL_QUIT:
      return true;
    case SDL_WINDOWEVENT:
      return event.window.event == SDL_WINDOWEVENT_CLOSE;
    case SDL_KEYDOWN:
      // A key that is held is no second press.
      return event.key.repeat == 0 &&
             (event.key.keysym.sym == SDLK_ESCAPE || event.key.keysym.sym == SDLK_q);
    default:
      return false;
  }
}

/// Whether the window's content may be gone.
bool uncovers(const SDL_Event& event) {
  return event.type == SDL_WINDOWEVENT && (event.window.event == SDL_WINDOWEVENT_EXPOSED ||
                                           event.window.event == SDL_WINDOWEVENT_SIZE_CHANGED);
}

class SdlScreen final : public Screen {
 public:
  SdlScreen(SdlVideo video, const SteadyTime& time) : video_(std::move(video)), time_(time) {}

  [[nodiscard]] Status open(const ScreenChoice& choice, const std::string& title);

  [[nodiscard]] ScreenFormat format() const override { return format_; }
  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] Result<Instant> present(const RgbImage* frame) override;

 private:
  [[nodiscard]] Status open_full_screen(int display, const std::string& title);
  [[nodiscard]] Status open_window(const ScreenChoice& choice, const std::string& title);
  [[nodiscard]] Status open_canvas(const std::string& title, SDL_Rect place, std::uint32_t flags);
  [[nodiscard]] Status fit_window(PixelSize wanted);
  [[nodiscard]] bool take_events();
  void wait_for_refresh();
  void judge_vsync(Instant before, Instant after);

  SdlVideo video_;
  const SteadyTime& time_;
  Window window_;
  std::unique_ptr<Canvas> canvas_;
  ScreenFormat format_;
  std::string name_;
  RefreshClock refresh_{Instant{}, kUsualRefreshHz};
  std::optional<Instant> last_refresh_;
  bool paced_by_us_ = false;
  bool must_redraw_ = false;
};

Status SdlScreen::open(const ScreenChoice& choice, const std::string& title) {
  auto opened =
      choice.is_window ? open_window(choice, title) : open_full_screen(choice.display, title);
  if (!opened) {
    return opened;
  }
  SDL_DisableScreenSaver();
  SDL_PumpEvents();
  const PixelSize size = canvas_->size();
  const int display = std::max(SDL_GetWindowDisplayIndex(window_.get()), 0);
  format_ = {std::min(size.width, kMostFrameSide), std::min(size.height, kMostFrameSide),
             refresh_hz(display)};
  refresh_ = RefreshClock(time_.now(), format_.refresh_hz);
  paced_by_us_ = !canvas_->has_vsync();
  return {};
}

Status SdlScreen::open_full_screen(int display, const std::string& title) {
  const int n_displays = SDL_GetNumVideoDisplays();
  if (display >= n_displays) {
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no display {}, only {}; `wccl devices` lists them", display,
                            n_displays == 1 ? "0" : fmt::format("0 to {}", n_displays - 1)));
  }
  SDL_Rect bounds{};
  SDL_GetDisplayBounds(display, &bounds);
  name_ = fmt::format("display {} ({})", display, display_name(display));
  auto opened = open_canvas(title, bounds, SDL_WINDOW_FULLSCREEN_DESKTOP);
  if (opened) {
    SDL_ShowCursor(SDL_DISABLE);
  }
  return opened;
}

Status SdlScreen::open_window(const ScreenChoice& choice, const std::string& title) {
  SDL_Rect usable{};
  SDL_GetDisplayUsableBounds(0, &usable);
  const SDL_Rect place{usable.x, usable.y, kLeastWindowWidth, kLeastWindowHeight};
  auto opened = open_canvas(title, place, SDL_WINDOW_HIDDEN);
  if (!opened) {
    return opened;
  }
  return fit_window({choice.width_px, choice.height_px});
}

/// A window on the GPU's canvas, or another one where there is no GPU: SDL cannot put both on one.
Status SdlScreen::open_canvas(const std::string& title, SDL_Rect place, std::uint32_t flags) {
  const auto make_window = [&] {
    return Window(SDL_CreateWindow(title.c_str(), place.x, place.y, place.w, place.h,
                                   flags | SDL_WINDOW_ALLOW_HIGHDPI));
  };
  window_ = make_window();
  canvas_ = window_ ? make_gpu_canvas(window_.get()) : nullptr;
  if (window_ && !canvas_) {
    window_ = make_window();
    canvas_ = make_copying_canvas(window_.get());
  }
  if (!window_) {
    return fail(ErrorCode::kIo, fmt::format("cannot open a window: {}", SDL_GetError()));
  }
  return {};
}

/// Gives the window so many pixels of the panel, in the middle of its display, and shows it.
/// @param wanted  0: what suits the display.
Status SdlScreen::fit_window(PixelSize wanted) {
  PixelSize points;
  SDL_GetWindowSize(window_.get(), &points.width, &points.height);
  const double pixels_per_point =
      std::max(1.0, static_cast<double>(canvas_->size().width) / points.width);
  SDL_Rect usable{};
  SDL_GetDisplayUsableBounds(0, &usable);
  const auto pixels = [=](int n_points) { return static_cast<int>(n_points * pixels_per_point); };
  if (wanted.width == 0) {
    wanted = {std::min(kUsualWindow.width, pixels(usable.w)),
              std::min(kUsualWindow.height, pixels(usable.h))};
  }
  if (wanted.width > pixels(usable.w) || wanted.height > pixels(usable.h)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a window of {}x{} does not fit the display, which has room for {}x{}",
                            wanted.width, wanted.height, pixels(usable.w), pixels(usable.h)));
  }
  const int width = static_cast<int>(wanted.width / pixels_per_point);
  const int height = static_cast<int>(wanted.height / pixels_per_point);
  SDL_SetWindowSize(window_.get(), width, height);
  SDL_SetWindowPosition(window_.get(), usable.x + (usable.w - width) / 2,
                        usable.y + (usable.h - height) / 2);
  SDL_ShowWindow(window_.get());
  name_ = fmt::format("window of {}x{}", wanted.width, wanted.height);
  return {};
}

/// @return whether the user asks to leave.
bool SdlScreen::take_events() {
  bool leaves = false;
  SDL_Event event;
  while (SDL_PollEvent(&event) != 0) {
    leaves = leaves || asks_to_leave(event);
    must_redraw_ = must_redraw_ || uncovers(event);
  }
  return leaves;
}

void SdlScreen::wait_for_refresh() {
  std::this_thread::sleep_until(time_.steady(refresh_.next(time_.now())));
}

/// Systems say that they wait for the vertical blank and do not, when a window is covered, say.
/// Then the clock takes over, until they do wait again.
void SdlScreen::judge_vsync(Instant before, Instant after) {
  if (!canvas_->has_vsync()) {
    return;
  }
  const Duration period = refresh_.period();
  if (paced_by_us_) {
    paced_by_us_ = after - before < period / 4;
  } else if (last_refresh_) {
    paced_by_us_ = after - *last_refresh_ < period / 2;
  }
}

Result<Instant> SdlScreen::present(const RgbImage* frame) {
  if (take_events()) {
    return fail(ErrorCode::kCancelled, "the screen was closed");
  }
  if (frame != nullptr) {
    assert(frame->width == format_.width_px && frame->height == format_.height_px);
    if (auto loaded = canvas_->load(*frame); !loaded) {
      return tl::make_unexpected(loaded.error());
    }
  }
  if (paced_by_us_) {
    wait_for_refresh();
  }
  const Instant before = time_.now();
  if (frame != nullptr || must_redraw_ || canvas_->has_vsync()) {
    if (auto shown = canvas_->show(); !shown) {
      return tl::make_unexpected(shown.error());
    }
    must_redraw_ = false;
  }
  const Instant after = time_.now();
  judge_vsync(before, after);
  last_refresh_ = after;
  return after;
}

}  // namespace

Result<std::unique_ptr<Screen>> open_screen(const std::string& choice,
                                            const std::string& title,
                                            const SteadyTime& time) {
  const auto parsed = parse_screen_choice(choice);
  if (!parsed) {
    return tl::make_unexpected(parsed.error());
  }
  auto video = SdlVideo::open();
  if (!video) {
    return tl::make_unexpected(video.error());
  }
  auto screen = std::make_unique<SdlScreen>(std::move(*video), time);
  if (auto opened = screen->open(*parsed, title); !opened) {
    return tl::make_unexpected(opened.error());
  }
  return screen;
}

std::vector<DisplayEntry> list_displays() {
  std::vector<DisplayEntry> entries;
  const auto video = SdlVideo::open();
  if (!video) {
    return entries;
  }
  for (int display = 0; display < SDL_GetNumVideoDisplays(); ++display) {
    SDL_DisplayMode mode{};
    SDL_GetDesktopDisplayMode(display, &mode);
    entries.push_back({display, display_name(display), {mode.w, mode.h, refresh_hz(display)}});
  }
  return entries;
}

}  // namespace wccl::device
