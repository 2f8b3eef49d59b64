#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wccl {

/// What somebody else said, fit for a terminal: valid UTF-8, and an underscore for each control
/// character, those of the direction of writing too (what follows them reads as something else),
/// and for those in `forbidden`.
[[nodiscard]] std::string printable(std::string_view text,
                                    std::size_t most_bytes,
                                    std::string_view forbidden = {});

/// The same for one who is to see what is in it: bytes that cannot be shown as "\x1b", and "..."
/// after `most_bytes`.
[[nodiscard]] std::string escaped(std::string_view text, std::size_t most_bytes);

}  // namespace wccl
