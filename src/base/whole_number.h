#pragma once

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace wccl {

/// A whole number of JSON that somebody else wrote. To ask a JSON library for an int gives one of
/// 1e300 as well, and undefined behaviour with it.
/// @throw std::out_of_range for anything that is no T.
template <std::integral T, class Json>
[[nodiscard]] T whole_number(const Json& json) {
  if (json.is_number_unsigned()) {
    const auto value = json.template get<std::uint64_t>();
    if (std::in_range<T>(value)) {
      return static_cast<T>(value);
    }
  } else if (json.is_number_integer()) {
    const auto value = json.template get<std::int64_t>();
    if (std::in_range<T>(value)) {
      return static_cast<T>(value);
    }
  }
  throw std::out_of_range("a number is no whole one, or out of range");
}

}  // namespace wccl
