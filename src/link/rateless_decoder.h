#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "link/rateless_code.h"

namespace wccl::link {

/// Symbols in any order -> the object. Twin of RatelessEncoder. Memory grows with what has come,
/// and not with what the layout claims.
class RatelessDecoder {
 public:
  explicit RatelessDecoder(const RatelessLayout& layout);

  [[nodiscard]] const RatelessLayout& layout() const { return layout_; }
  /// @param symbol  [symbol_bytes]
  /// @return whether it was of use: not seen before, and its generation not yet whole.
  bool add(SymbolId id, std::span<const std::byte> symbol);

  [[nodiscard]] bool complete() const { return n_complete_ == layout_.n_generations; }
  /// Of source_symbols(): distinct ones that came, each generation counted up to what it needs.
  [[nodiscard]] std::size_t symbols_held() const { return symbols_held_; }
  /// The object's first bytes, if they are known before all of it: a source symbol is the object as
  /// it is.
  [[nodiscard]] std::optional<std::vector<std::byte>> prefix(std::size_t n_bytes) const;
  /// The object; only when complete.
  [[nodiscard]] std::vector<std::byte> take();

 private:
  struct Generation {
    std::vector<std::uint32_t> indices;  ///< Sorted.
    std::vector<std::uint32_t> slots;    ///< [indices]: its place in `bytes`, in symbols.
    std::vector<std::uint8_t> bytes;     ///< As they came; the source once whole.
    bool whole = false;
    std::size_t next_try = 0;  ///< To solve it: with so many symbols.
  };
  /// [symbol_bytes]; empty while it is not known.
  [[nodiscard]] std::span<const std::uint8_t> source_symbol(std::size_t number) const;
  [[nodiscard]] bool solve(std::uint32_t number, Generation& generation) const;

  RatelessLayout layout_;
  std::vector<Generation> generations_;
  std::size_t n_complete_ = 0;
  std::size_t symbols_held_ = 0;
};

}  // namespace wccl::link
