#include "transfer/hash.h"

#include <fmt/format.h>
#include <sodium/crypto_hash_sha256.h>

namespace wccl::transfer {

static_assert(std::tuple_size_v<Sha256> == crypto_hash_sha256_BYTES);

struct Hasher::State {
  crypto_hash_sha256_state sodium;
};

Hasher::Hasher() : state_(std::make_unique<State>()) {
  crypto_hash_sha256_init(&state_->sodium);
}
Hasher::~Hasher() = default;
Hasher::Hasher(Hasher&&) noexcept = default;
Hasher& Hasher::operator=(Hasher&&) noexcept = default;

void Hasher::add(std::span<const std::byte> bytes) {
  crypto_hash_sha256_update(&state_->sodium, reinterpret_cast<const unsigned char*>(bytes.data()),
                            bytes.size());
}

Sha256 Hasher::finish() {
  Sha256 hash{};
  crypto_hash_sha256_final(&state_->sodium, reinterpret_cast<unsigned char*>(hash.data()));
  return hash;
}

Sha256 sha256(std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.add(bytes);
  return hasher.finish();
}

std::string to_hex(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
  }
  return text;
}

}  // namespace wccl::transfer
