#pragma once

#include <string>

namespace wccl {

/// Why the system refused to read or write, in words that tell what to do where something can be
/// done.
/// @param error_number  errno's.
[[nodiscard]] std::string io_reason(int error_number);

}  // namespace wccl
