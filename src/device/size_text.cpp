#include "device/size_text.h"

#include <charconv>

namespace wccl::device {

std::optional<int> parse_number(std::string_view text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.empty() || text.front() == '-' || parsed.ec != std::errc() || parsed.ptr != end) {
    return std::nullopt;
  }
  return value;
}

std::optional<PixelSize> parse_size(std::string_view text) {
  const auto cross = text.find('x');
  if (cross == std::string_view::npos) {
    return std::nullopt;
  }
  const auto width = parse_number(text.substr(0, cross));
  const auto height = parse_number(text.substr(cross + 1));
  if (!width || !height || *width == 0 || *height == 0) {
    return std::nullopt;
  }
  return PixelSize{*width, *height};
}

}  // namespace wccl::device
