#include "base/bits.h"

#include <array>

#include <gmock/gmock.h>

#include "base/rng.h"

namespace wccl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Bits, TheHighestBitOfAByteComesFirst) {
  constexpr std::array kBytes{std::byte{0b1000'0001}, std::byte{0b0110'0000}};
  EXPECT_THAT(unpack_bits(kBytes), ElementsAre(1, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0));
}

TEST(Bits, PackingUndoesUnpacking) {
  Rng rng(31);
  std::vector<std::byte> bytes(257);
  for (auto& byte : bytes) {
    byte = static_cast<std::byte>(rng.next());
  }
  EXPECT_EQ(pack_bits(unpack_bits(bytes)), bytes);
}

TEST(Bits, AnIncompleteLastByteIsFilledWithZeros) {
  EXPECT_THAT(pack_bits(BitVector{1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1}),
              ElementsAre(std::byte{0xFF}, std::byte{0b1010'0000}));
}

TEST(Bits, NothingPacksToNothing) {
  EXPECT_THAT(pack_bits(BitVector{}), IsEmpty());
  EXPECT_THAT(unpack_bits({}), IsEmpty());
}

}  // namespace
}  // namespace wccl
