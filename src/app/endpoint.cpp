#include "app/endpoint.h"

#include <charconv>

#include <fmt/core.h>

namespace wccl::app {

Result<Endpoint> parse_endpoint(std::string_view option, const std::string& text) {
  const auto colon = text.rfind(':');
  const auto wrong = [&] {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{} must be HOST:PORT with a port from 1 to 65535, not '{}'", option, text));
  };
  if (colon == std::string::npos || colon == 0) {
    return wrong();
  }
  std::string_view host(text.data(), colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  std::uint16_t port = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + colon + 1, last, port);
  if (error != std::errc() || end != last || port == 0) {
    return wrong();
  }
  return Endpoint{std::string(host), port};
}

}  // namespace wccl::app
