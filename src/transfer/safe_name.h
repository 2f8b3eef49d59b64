#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wccl::transfer {

/// Of a name in the file systems of our day.
inline constexpr std::size_t kMostNameBytes = 255;

/// What somebody else said, fit for a terminal: valid UTF-8, and an underscore for each control
/// character and for those in `forbidden`.
[[nodiscard]] std::string printable(std::string_view text,
                                    std::size_t most_bytes,
                                    std::string_view forbidden = {});

/// A name that can only be that of a file in the folder at hand: no path, no control characters,
/// nothing that Windows keeps for itself, valid UTF-8, at most 255 bytes. An honest name stays as
/// it is.
[[nodiscard]] std::string safe_base_name(std::string_view name);

}  // namespace wccl::transfer
