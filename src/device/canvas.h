#pragma once

#include <memory>

#include <SDL.h>

#include "wccl/result.h"

#include "base/image.h"
#include "device/size_text.h"

namespace wccl::device {

/// Brings frames into an SDL window, one pixel of a frame to one of the panel, in the middle when
/// the window is larger.
class Canvas {
 public:
  virtual ~Canvas() = default;
  Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  /// Pixels of the panel that the window covers now.
  [[nodiscard]] virtual PixelSize size() const = 0;
  /// Whether show() waits for the vertical blank, as far as the system says.
  [[nodiscard]] virtual bool has_vsync() const = 0;
  /// Prepares a frame: slow work that must not delay the change.
  [[nodiscard]] virtual Status load(const RgbImage& frame) = 0;
  /// Shows what was loaded last.
  [[nodiscard]] virtual Status show() = 0;
};

/// By the GPU. @return nothing where there is none: a GPU that the CPU imitates costs ten times as
/// much as copying.
[[nodiscard]] std::unique_ptr<Canvas> make_gpu_canvas(SDL_Window* window);
/// By copying into the window's memory.
[[nodiscard]] std::unique_ptr<Canvas> make_copying_canvas(SDL_Window* window);

}  // namespace wccl::device
