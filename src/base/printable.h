#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wccl {

/// What somebody else said, fit for a terminal: valid UTF-8, and an underscore for each control
/// character and for those in `forbidden`.
[[nodiscard]] std::string printable(std::string_view text,
                                    std::size_t most_bytes,
                                    std::string_view forbidden = {});

}  // namespace wccl
