#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wccl::transfer {

/// Of a name in the file systems of our day.
inline constexpr std::size_t kMostNameBytes = 255;

/// A name that can only be that of a file in the folder at hand: no path, no control characters,
/// nothing that Windows keeps for itself, valid UTF-8, at most 255 bytes. An honest name stays as
/// it is.
[[nodiscard]] std::string safe_base_name(std::string_view name);

}  // namespace wccl::transfer
