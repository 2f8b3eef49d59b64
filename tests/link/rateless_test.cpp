#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "link/rateless_code.h"
#include "link/rateless_decoder.h"
#include "link/rateless_encoder.h"

namespace wccl::link {
namespace {

std::vector<std::byte> random_object(std::size_t n_bytes, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::byte> object(n_bytes);
  for (auto& byte : object) {
    byte = static_cast<std::byte>(rng.below(256));
  }
  return object;
}

/// Sends symbols from `first` on, of which `lost` says which do not arrive.
/// @return how many arrived until the object was whole.
template <class Lost>
std::size_t transfer(const RatelessEncoder& encoder, RatelessDecoder& decoder, Lost lost) {
  std::size_t arrived = 0;
  std::vector<std::byte> symbol(encoder.layout().symbol_bytes);
  for (std::uint64_t position = 0; !decoder.complete(); ++position) {
    if (lost(position)) {
      continue;
    }
    const SymbolId id = symbol_at(encoder.layout(), position);
    encoder.encode(id, symbol);
    decoder.add(id, symbol);
    ++arrived;
  }
  return arrived;
}

TEST(RatelessLayout, CutsIntoEqualGenerations) {
  const auto small = RatelessLayout::of(1, 39);
  EXPECT_EQ(small.n_generations, 1U);
  EXPECT_EQ(small.generation_symbols, 1U);
  const auto large = RatelessLayout::of(1'000'000, 39);
  EXPECT_EQ(large.n_generations, 13U);
  EXPECT_LE(large.generation_symbols, kMostGenerationSymbols);
  EXPECT_GE(large.source_symbols() * 39, 1'000'000U);
  EXPECT_LT(large.source_symbols() * 39, 1'000'000U + 14U * 39U);
}

TEST(RatelessOrder, EveryRoundHasOneSymbolOfEachGeneration) {
  const auto layout = RatelessLayout::of(1'000'000, 39);
  for (std::uint64_t round = 0; round < 100; ++round) {
    std::set<std::uint32_t> generations;
    for (std::uint64_t i = 0; i < layout.n_generations; ++i) {
      const SymbolId id = symbol_at(layout, round * layout.n_generations + i);
      EXPECT_EQ(id.index, round);
      generations.insert(id.generation);
    }
    EXPECT_EQ(generations.size(), layout.n_generations);
  }
}

TEST(Rateless, SourceAloneGivesTheObject) {
  for (const std::size_t n_bytes : {1U, 38U, 39U, 40U, 5000U, 200'001U}) {
    const auto object = random_object(n_bytes, n_bytes);
    const RatelessEncoder encoder(object, RatelessLayout::of(n_bytes, 39));
    RatelessDecoder decoder(encoder.layout());
    const auto arrived = transfer(encoder, decoder, [](auto) { return false; });
    EXPECT_EQ(arrived, encoder.layout().source_symbols());
    EXPECT_EQ(decoder.symbols_held(), arrived);
    EXPECT_EQ(decoder.take(), object);
  }
}

TEST(Rateless, AnyThirdMayBeLost) {
  const auto object = random_object(100'000, 3);
  const RatelessEncoder encoder(object, RatelessLayout::of(object.size(), 58));
  RatelessDecoder decoder(encoder.layout());
  Rng rng(4);
  const auto arrived = transfer(encoder, decoder, [&rng](auto) { return rng.below(3) == 0; });
  EXPECT_EQ(decoder.take(), object);
  // 256^-n for n symbols more than there are unknowns, in each generation: 2 of 1725 is ample.
  EXPECT_LE(arrived, encoder.layout().source_symbols() + 2);
}

TEST(Rateless, GenerationsFillEvenlyWhateverIsLost) {
  const auto object = random_object(400'000, 5);
  const RatelessEncoder encoder(object, RatelessLayout::of(object.size(), 39));
  ASSERT_EQ(encoder.layout().n_generations, 6U);
  RatelessDecoder decoder(encoder.layout());
  Rng rng(6);
  const auto arrived = transfer(encoder, decoder, [&rng](auto) { return rng.below(5) == 0; });
  EXPECT_EQ(decoder.take(), object);
  // Of 1710 symbols a generation, a fifth is lost: sigma is 18, and the worst of six is rarely 3
  // off.
  EXPECT_LE(static_cast<double>(arrived),
            1.04 * static_cast<double>(encoder.layout().source_symbols()));
}

TEST(Rateless, RepairAloneGivesTheObject) {
  const auto object = random_object(9000, 7);
  const RatelessEncoder encoder(object, RatelessLayout::of(object.size(), 24));
  RatelessDecoder decoder(encoder.layout());
  const auto source = encoder.layout().source_symbols();
  const auto arrived =
      transfer(encoder, decoder, [source](std::uint64_t position) { return position < source; });
  EXPECT_EQ(decoder.take(), object);
  EXPECT_LE(arrived, source + 2);
}

TEST(Rateless, WhatComesTwiceCountsOnce) {
  const auto object = random_object(100, 8);
  const RatelessEncoder encoder(object, RatelessLayout::of(object.size(), 24));
  RatelessDecoder decoder(encoder.layout());
  std::vector<std::byte> symbol(24);
  encoder.encode({0, 2}, symbol);
  EXPECT_TRUE(decoder.add({0, 2}, symbol));
  EXPECT_FALSE(decoder.add({0, 2}, symbol));
  EXPECT_EQ(decoder.symbols_held(), 1U);
}

// Computed in Python from docs/file_format.md alone.
TEST(Rateless, SymbolsThatNeverSufficeDoNotKeepTheRestFromBeingSolved) {
  const auto object = random_object(400, 8);
  const RatelessEncoder encoder(object, RatelessLayout::of(object.size(), 100));
  RatelessDecoder decoder(encoder.layout());
  std::vector<std::byte> symbol(100);
  const auto add = [&](std::uint32_t index) {
    encoder.encode({0, index}, symbol);
    decoder.add({0, index}, symbol);
  };
  // Combinations in which the first symbol has no part.
  std::vector<std::uint32_t> hostile;
  std::vector<std::uint8_t> coefficients(encoder.layout().generation_symbols);
  for (std::uint32_t index = 4; hostile.size() < 60; ++index) {
    repair_coefficients({0, index}, coefficients);
    if (coefficients[0] == 0) {
      hostile.push_back(index);
    }
  }
  for (std::size_t i = 0; i < 20; ++i) {
    add(hostile[i]);
  }
  EXPECT_FALSE(decoder.complete());
  add(0);
  for (std::size_t i = 20; i < hostile.size() && !decoder.complete(); ++i) {
    add(hostile[i]);
  }
  ASSERT_TRUE(decoder.complete());
  EXPECT_EQ(decoder.take(), object);
}

TEST(Rateless, CoefficientsAreThoseOfTheFormat) {
  std::vector<std::uint8_t> coefficients(10);
  repair_coefficients({3, 5}, coefficients);
  EXPECT_THAT(coefficients,
              testing::ElementsAre(0xf7, 0xd6, 0xf6, 0xc3, 0xda, 0x47, 0x62, 0xbd, 0x6e, 0x08));
}

TEST(RatelessOrder, IsThatOfTheFormat) {
  const auto layout = RatelessLayout::of(1'000'000, 39);
  const std::vector<std::pair<std::uint64_t, SymbolId>> pinned{
      {0, {9, 0}}, {1, {10, 0}}, {12, {8, 0}}, {13, {6, 1}}, {1000, {8, 76}}};
  for (const auto& [position, id] : pinned) {
    EXPECT_EQ(symbol_at(layout, position), id) << position;
  }
}

TEST(Rateless, SourceSymbolsTellTheFirstBytesEarly) {
  const std::size_t n_bytes = 1000;
  std::vector<std::byte> object(n_bytes);
  for (std::size_t i = 0; i < n_bytes; ++i) {
    object[i] = static_cast<std::byte>(i * 7);
  }
  const auto layout = RatelessLayout::of(n_bytes, 100);
  const RatelessEncoder encoder(object, layout);
  RatelessDecoder decoder(layout);
  const auto give = [&](std::uint32_t index) {
    std::vector<std::byte> symbol(100);
    encoder.encode({0, index}, symbol);
    decoder.add({0, index}, symbol);
  };
  for (const std::uint32_t index : {2U, 15U, 0U}) {
    give(index);
  }
  const auto first = [&](std::size_t n) {
    return std::vector(object.begin(), object.begin() + static_cast<std::ptrdiff_t>(n));
  };
  EXPECT_EQ(decoder.prefix(100), first(100));
  EXPECT_EQ(decoder.prefix(101), std::nullopt);
  EXPECT_EQ(decoder.prefix(1001), std::nullopt);
  give(1);
  EXPECT_EQ(decoder.prefix(250), first(250));
  for (std::uint32_t index = 20; !decoder.complete(); ++index) {
    give(index);
  }
  EXPECT_EQ(decoder.prefix(n_bytes), object);
}

}  // namespace
}  // namespace wccl::link
