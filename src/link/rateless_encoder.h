#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "link/rateless_code.h"

namespace wccl::link {

/// An object -> as many symbols as one likes. Twin of RatelessDecoder.
class RatelessEncoder {
 public:
  /// @param object  Copied.
  RatelessEncoder(std::span<const std::byte> object, const RatelessLayout& layout);

  [[nodiscard]] const RatelessLayout& layout() const { return layout_; }
  /// @param symbol  [symbol_bytes]
  void encode(SymbolId id, std::span<std::byte> symbol) const;

 private:
  RatelessLayout layout_;
  std::size_t stride_;
  std::vector<std::uint8_t> rows_;  ///< [source_symbols][stride]
};

}  // namespace wccl::link
