#include "train/weights_hash.h"

#include <array>
#include <bit>
#include <cstdint>

#include <fmt/format.h>
#include <sodium/crypto_hash_sha256.h>

#include "base/bytes.h"

namespace wccl::train {

std::string sha256_hex(std::span<const std::byte> bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256(digest.data(), reinterpret_cast<const unsigned char*>(bytes.data()),
                     bytes.size());
  std::string hex;
  for (const unsigned char byte : digest) {
    hex += fmt::format("{:02x}", byte);
  }
  return hex;
}

std::string weights_sha256(std::span<const float> weights) {
  ByteWriter writer;
  for (const float weight : weights) {
    writer.put(std::bit_cast<std::uint32_t>(weight));
  }
  return sha256_hex(writer.take());
}

}  // namespace wccl::train
