#pragma once

#include <optional>
#include <string_view>

namespace wccl::device {

struct PixelSize {
  int width = 0;
  int height = 0;

  friend bool operator==(const PixelSize&, const PixelSize&) = default;
};

/// "1280x800", digits only, both above 0. @return nothing for anything else.
[[nodiscard]] std::optional<PixelSize> parse_size(std::string_view text);
/// Digits only, and all of them. @return nothing for anything else, a sign too.
[[nodiscard]] std::optional<int> parse_number(std::string_view text);

}  // namespace wccl::device
