#pragma once

#include <cstdint>
#include <string>

namespace wccl::link {

/// Two short English words for an identity, such as "amber otter": what people compare between a
/// screen and a terminal. Each of the 65,536 identities has words of its own.
[[nodiscard]] std::string words_of(std::uint16_t identity);

}  // namespace wccl::link
