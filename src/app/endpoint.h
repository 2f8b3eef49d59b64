#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wccl/result.h"

namespace wccl::app {

/// Where a server listens.
struct Endpoint {
  std::string host;
  std::uint16_t port = 0;
};

/// "HOST:PORT", also "[v6]:PORT".
/// @param option  That the error names: "--master".
/// @return kInvalidArgument
[[nodiscard]] Result<Endpoint> parse_endpoint(std::string_view option, const std::string& text);

}  // namespace wccl::app
