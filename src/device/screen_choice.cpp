#include "device/screen_choice.h"

#include <fmt/format.h>

#include "device/size_text.h"

namespace wccl::device {
namespace {

constexpr std::string_view kWindow = "window";

Result<ScreenChoice> parse_window(std::string_view text) {
  ScreenChoice choice;
  choice.is_window = true;
  if (text.empty()) {
    return choice;
  }
  const auto size = text.front() == ':' ? parse_size(text.substr(1)) : std::nullopt;
  if (!size) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a window is like window:1280x800, not window{}", text));
  }
  if (size->width < kLeastWindowWidth || size->height < kLeastWindowHeight ||
      size->width > kMostFrameSide || size->height > kMostFrameSide) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("a window has {}x{} to {}x{} pixels, not {}x{}", kLeastWindowWidth,
                    kLeastWindowHeight, kMostFrameSide, kMostFrameSide, size->width, size->height));
  }
  choice.width_px = size->width;
  choice.height_px = size->height;
  return choice;
}

}  // namespace

Result<ScreenChoice> parse_screen_choice(std::string_view text) {
  if (text.empty()) {
    return ScreenChoice{};
  }
  if (text.starts_with(kWindow)) {
    return parse_window(text.substr(kWindow.size()));
  }
  const auto number = parse_number(text);
  if (!number) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("a screen is a display's number (`wccl devices` lists them) or "
                            "window:WIDTHxHEIGHT, not {}",
                            text));
  }
  ScreenChoice choice;
  choice.display = *number;
  return choice;
}

}  // namespace wccl::device
