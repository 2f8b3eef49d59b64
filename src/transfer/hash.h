#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace wccl::transfer {

using Sha256 = std::array<std::byte, 32>;

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(Hasher&&) noexcept;
  Hasher& operator=(Hasher&&) noexcept;

  void add(std::span<const std::byte> bytes);
  /// Once; nothing may be added after it.
  [[nodiscard]] Sha256 finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] Sha256 sha256(std::span<const std::byte> bytes);
/// In lower case hexadecimal.
[[nodiscard]] std::string to_hex(std::span<const std::byte> bytes);

}  // namespace wccl::transfer
