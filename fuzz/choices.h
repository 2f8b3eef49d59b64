#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "base/bytes.h"

namespace wccl::fuzz {

/// An input as decisions, for parsers that are led through many states. Past its end every decision
/// is 0. ByteWriter writes what this reads.
class Choices {
 public:
  explicit Choices(std::span<const std::byte> input) : reader_(input) {}

  [[nodiscard]] bool any_left() const { return !reader_.rest().empty(); }

  template <std::unsigned_integral T>
  [[nodiscard]] T number() {
    if (reader_.rest().size() < sizeof(T)) {
      static_cast<void>(reader_.get_bytes(reader_.rest().size()));
      return 0;
    }
    return *reader_.get<T>();
  }
  [[nodiscard]] std::uint8_t byte() { return number<std::uint8_t>(); }
  [[nodiscard]] bool coin() { return (byte() & 1U) != 0; }
  /// From one byte. @param bound  1 to 256.
  [[nodiscard]] std::size_t below(std::size_t bound) { return byte() % bound; }
  /// As many as there are, and no more.
  [[nodiscard]] std::span<const std::byte> bytes(std::size_t n_bytes) {
    return *reader_.get_bytes(std::min(n_bytes, reader_.rest().size()));
  }
  [[nodiscard]] std::span<const std::byte> rest() { return bytes(reader_.rest().size()); }

 private:
  ByteReader reader_;
};

/// Decisions of one byte each, for seeds.
inline void put_decisions(ByteWriter& writer, std::initializer_list<int> decisions) {
  for (const int decision : decisions) {
    writer.put(static_cast<std::uint8_t>(decision));
  }
}

}  // namespace wccl::fuzz
