#include "device/camera_choice.h"

#include <filesystem>

#include <fmt/format.h>

namespace wccl::device {
namespace {

constexpr std::string_view kDisplayPrefix = "x11grab:";

/// Takes what follows the last `mark` off `text`.
std::optional<std::string_view> take_after(std::string_view& text, char mark) {
  const auto at = text.rfind(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const auto rest = text.substr(at + 1);
  text = text.substr(0, at);
  return rest;
}

/// "10,20" into the choice.
bool read_corner(std::string_view text, CameraChoice& choice) {
  const auto comma = text.find(',');
  if (comma == std::string_view::npos) {
    return false;
  }
  const auto x = parse_number(text.substr(0, comma));
  const auto y = parse_number(text.substr(comma + 1));
  choice.x = x.value_or(0);
  choice.y = y.value_or(0);
  return x && y;
}

/// DISPLAY, DISPLAY:WxH or DISPLAY+X,Y:WxH, where DISPLAY itself has a colon and a number.
std::optional<CameraChoice> parse_display(std::string_view text) {
  CameraChoice choice;
  choice.kind = CameraChoice::Kind::kDisplay;
  std::string_view rest = text;
  if (const auto size = take_after(rest, ':'); size && size->find('x') != std::string_view::npos) {
    choice.size = parse_size(*size);
    if (!choice.size) {
      return std::nullopt;
    }
    text = rest;
  }
  // A part that begins elsewhere has to say how large it is.
  if (const auto corner = take_after(text, '+');
      corner && (!choice.size || !read_corner(*corner, choice))) {
    return std::nullopt;
  }
  rest = text;
  const auto number = take_after(rest, ':');  // "99" or "99.0"
  if (!number || !parse_number(number->substr(0, number->find('.')))) {
    return std::nullopt;
  }
  choice.name = text;
  return choice;
}

}  // namespace

Result<CameraChoice> parse_camera_choice(std::string_view text) {
  if (text.starts_with(kDisplayPrefix)) {
    auto choice = parse_display(text.substr(kDisplayPrefix.size()));
    if (!choice) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("a part of a display is like x11grab::0 or "
                              "x11grab::0+100,50:1280x800, not {}",
                              text));
    }
    return *choice;
  }
  CameraChoice choice;
  choice.name = text;
  std::error_code ignored;
  if (text.find("://") != std::string_view::npos) {
    choice.kind = CameraChoice::Kind::kUrl;
  } else if (!parse_number(text) && std::filesystem::is_regular_file(choice.name, ignored)) {
    choice.kind = CameraChoice::Kind::kFile;
  }
  return choice;
}

}  // namespace wccl::device
