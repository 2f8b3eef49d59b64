#pragma once

#include <string>

namespace wccl::app {

/// "412 kbit/s", three digits that a person can take in.
[[nodiscard]] std::string bit_rate(double bits_per_second);

}  // namespace wccl::app
