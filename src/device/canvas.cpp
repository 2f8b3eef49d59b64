#include "device/canvas.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

namespace wccl::device {
namespace {

struct Destroyer {
  void operator()(SDL_Renderer* renderer) const { SDL_DestroyRenderer(renderer); }
  void operator()(SDL_Texture* texture) const { SDL_DestroyTexture(texture); }
};
template <class T>
using Owner = std::unique_ptr<T, Destroyer>;

tl::unexpected<Error> sdl_failure(std::string_view what) {
  return fail(ErrorCode::kIo, fmt::format("cannot {}: {}", what, SDL_GetError()));
}

/// What screens hold in memory: a word a pixel, blue lowest.
void copy_row(const std::uint8_t* rgb, int width, std::uint8_t* target) {
  for (int x = 0; x < width; ++x) {
    const std::uint32_t pixel = 0xFF000000U | (static_cast<std::uint32_t>(rgb[3 * x]) << 16U) |
                                (static_cast<std::uint32_t>(rgb[3 * x + 1]) << 8U) | rgb[3 * x + 2];
    std::memcpy(target + 4 * static_cast<std::ptrdiff_t>(x), &pixel, sizeof(pixel));
  }
}

/// Where a frame begins in a window, both one-dimensional: negative when the window cuts it.
int margin(int window, int frame) {
  return (window - frame) / 2;
}

// --- the GPU -----------------------------------------------------------------------------------

bool machine_has_gpu() {
#ifdef __linux__
  std::error_code ignored;
  return std::filesystem::exists("/dev/dri", ignored) ||
         std::filesystem::exists("/dev/nvidia0", ignored);
#else
  return true;
#endif
}

/// Whether OpenGL, if that is what renders, runs on the CPU.
bool is_imitated(std::string_view renderer) {
  if (!renderer.starts_with("opengl")) {
    return renderer == "software";
  }
  using GetString = const unsigned char* (*)(unsigned);
  constexpr unsigned kGlRenderer = 0x1F01;
  const auto get_string = reinterpret_cast<GetString>(SDL_GL_GetProcAddress("glGetString"));
  const auto* const bytes = get_string != nullptr ? get_string(kGlRenderer) : nullptr;
  if (bytes == nullptr) {
    return false;
  }
  const std::string_view name(reinterpret_cast<const char*>(bytes));
  constexpr std::array<std::string_view, 6> kImitators{
      "llvmpipe", "softpipe", "swrast", "SwiftShader", "Software Rasterizer", "GDI Generic"};
  return std::any_of(kImitators.begin(), kImitators.end(), [name](std::string_view imitator) {
    return name.find(imitator) != std::string_view::npos;
  });
}

class GpuCanvas final : public Canvas {
 public:
  GpuCanvas(Owner<SDL_Renderer> renderer, bool has_vsync)
      : renderer_(std::move(renderer)), has_vsync_(has_vsync) {}

  [[nodiscard]] PixelSize size() const override {
    PixelSize size;
    SDL_GetRendererOutputSize(renderer_.get(), &size.width, &size.height);
    return size;
  }
  [[nodiscard]] bool has_vsync() const override { return has_vsync_; }
  [[nodiscard]] Status load(const RgbImage& frame) override;
  [[nodiscard]] Status show() override;

 private:
  Owner<SDL_Renderer> renderer_;
  Owner<SDL_Texture> texture_;  // goes before its renderer
  PixelSize texture_size_;
  bool has_vsync_;
};

Status GpuCanvas::load(const RgbImage& frame) {
  const PixelSize size{frame.width, frame.height};
  if (!texture_ || texture_size_ != size) {
    texture_.reset(SDL_CreateTexture(renderer_.get(), SDL_PIXELFORMAT_ARGB8888,
                                     SDL_TEXTUREACCESS_STREAMING, size.width, size.height));
    texture_size_ = size;
  }
  void* pixels = nullptr;
  int pitch = 0;
  if (!texture_ || SDL_LockTexture(texture_.get(), nullptr, &pixels, &pitch) != 0) {
    return sdl_failure("hand a frame to the GPU");
  }
  auto* const target = static_cast<std::uint8_t*>(pixels);
  for (int y = 0; y < frame.height; ++y) {
    copy_row(frame.row(y), frame.width, target + static_cast<std::ptrdiff_t>(y) * pitch);
  }
  SDL_UnlockTexture(texture_.get());
  return {};
}

Status GpuCanvas::show() {
  const PixelSize window = size();
  SDL_SetRenderDrawColor(renderer_.get(), 0, 0, 0, SDL_ALPHA_OPAQUE);
  SDL_RenderClear(renderer_.get());
  if (texture_) {
    const SDL_Rect place{margin(window.width, texture_size_.width),
                         margin(window.height, texture_size_.height), texture_size_.width,
                         texture_size_.height};
    if (SDL_RenderCopy(renderer_.get(), texture_.get(), nullptr, &place) != 0) {
      return sdl_failure("show a frame");
    }
  }
  SDL_RenderPresent(renderer_.get());
  return {};
}

// --- the window's memory -----------------------------------------------------------------------

class CopyingCanvas final : public Canvas {
 public:
  explicit CopyingCanvas(SDL_Window* window) : window_(window) {}

  [[nodiscard]] PixelSize size() const override {
    PixelSize size;
    SDL_GetWindowSize(window_, &size.width, &size.height);
    return size;
  }
  [[nodiscard]] bool has_vsync() const override { return false; }
  [[nodiscard]] Status load(const RgbImage& frame) override;
  [[nodiscard]] Status show() override;

 private:
  SDL_Window* window_;
};

/// The part of a frame that fits into the surface.
void draw(const RgbImage& frame, const SDL_Surface& surface) {
  const int x = margin(surface.w, frame.width);
  const int y = margin(surface.h, frame.height);
  const int skip_x = std::max(-x, 0);
  const int width = std::min(frame.width - skip_x, surface.w - std::max(x, 0));
  for (int row = std::max(-y, 0); row < frame.height && row + y < surface.h; ++row) {
    auto* const target =
        static_cast<std::uint8_t*>(surface.pixels) +
        static_cast<std::ptrdiff_t>(row + y) * surface.pitch +
        static_cast<std::ptrdiff_t>(std::max(x, 0)) * surface.format->BytesPerPixel;
    const std::uint8_t* const source = frame.row(row) + static_cast<std::ptrdiff_t>(skip_x) * 3;
    const auto format = surface.format->format;
    if (format == SDL_PIXELFORMAT_RGB888 || format == SDL_PIXELFORMAT_ARGB8888) {
      copy_row(source, width, target);
    } else {
      SDL_ConvertPixels(width, 1, SDL_PIXELFORMAT_RGB24, source, frame.width * 3, format, target,
                        surface.pitch);
    }
  }
}

Status CopyingCanvas::load(const RgbImage& frame) {
  // Asked for anew: the window may have changed its size.
  SDL_Surface* const surface = SDL_GetWindowSurface(window_);
  if (surface == nullptr) {
    return sdl_failure("draw in the window");
  }
  if (surface->w != frame.width || surface->h != frame.height) {
    SDL_FillRect(surface, nullptr, SDL_MapRGB(surface->format, 0, 0, 0));
  }
  draw(frame, *surface);
  return {};
}

Status CopyingCanvas::show() {
  if (SDL_GetWindowSurface(window_) == nullptr || SDL_UpdateWindowSurface(window_) != 0) {
    return sdl_failure("show a frame");
  }
  return {};
}

}  // namespace

std::unique_ptr<Canvas> make_gpu_canvas(SDL_Window* window) {
  if (!machine_has_gpu()) {
    return nullptr;
  }
  Owner<SDL_Renderer> renderer(
      SDL_CreateRenderer(window, -1, SDL_RENDERER_ACCELERATED | SDL_RENDERER_PRESENTVSYNC));
  SDL_RendererInfo info{};
  if (!renderer || SDL_GetRendererInfo(renderer.get(), &info) != 0 || is_imitated(info.name)) {
    return nullptr;
  }
  const bool has_vsync = (info.flags & SDL_RENDERER_PRESENTVSYNC) != 0;
  return std::make_unique<GpuCanvas>(std::move(renderer), has_vsync);
}

std::unique_ptr<Canvas> make_copying_canvas(SDL_Window* window) {
  return std::make_unique<CopyingCanvas>(window);
}

}  // namespace wccl::device
