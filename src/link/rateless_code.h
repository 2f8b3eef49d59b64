#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace wccl::link {

/// How an object is cut into symbols: `n_generations` of `generation_symbols` source symbols each,
/// the last ones zero padded. Symbol i of generation g is the object's bytes from
/// (g * generation_symbols + i) * symbol_bytes on.
struct RatelessLayout {
  std::size_t object_bytes = 0;
  std::size_t symbol_bytes = 0;
  std::size_t n_generations = 0;
  std::size_t generation_symbols = 0;

  /// @param object_bytes, symbol_bytes  Above 0.
  [[nodiscard]] static RatelessLayout of(std::size_t object_bytes, std::size_t symbol_bytes);
  [[nodiscard]] std::size_t source_symbols() const { return n_generations * generation_symbols; }
  friend bool operator==(const RatelessLayout&, const RatelessLayout&) = default;
};

/// Elimination costs the cube of what was lost of a generation, so generations stay this small.
inline constexpr std::size_t kMostGenerationSymbols = 2048;

/// A symbol of a generation: the first `generation_symbols` are the source itself, each further one
/// is a random linear combination of it over GF(256).
struct SymbolId {
  std::uint32_t generation = 0;
  std::uint32_t index = 0;
  friend bool operator==(const SymbolId&, const SymbolId&) = default;
};

/// The order on air. Any run of n_generations symbols from a multiple of it has one of each
/// generation, so that all of them fill evenly whatever is lost.
/// @param position  Counts symbols from the start of the stream.
[[nodiscard]] SymbolId symbol_at(const RatelessLayout& layout, std::uint64_t position);

/// Coefficients of a repair symbol. @param coefficients  [generation_symbols]
void repair_coefficients(SymbolId id, std::span<std::uint8_t> coefficients);

}  // namespace wccl::link
