#include "link/rateless_encoder.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "link/gf256.h"

namespace wccl::link {

RatelessEncoder::RatelessEncoder(std::span<const std::byte> object, const RatelessLayout& layout)
    : layout_(layout),
      stride_((layout.symbol_bytes + kGf256Stride - 1) / kGf256Stride * kGf256Stride),
      rows_(layout.source_symbols() * stride_) {
  assert(object.size() == layout.object_bytes);
  for (std::size_t row = 0; !object.empty(); ++row) {
    const auto symbol = object.first(std::min(object.size(), layout.symbol_bytes));
    std::memcpy(rows_.data() + row * stride_, symbol.data(), symbol.size());
    object = object.subspan(symbol.size());
  }
}

void RatelessEncoder::encode(SymbolId id, std::span<std::byte> symbol) const {
  assert(symbol.size() == layout_.symbol_bytes && id.generation < layout_.n_generations);
  const std::size_t k = layout_.generation_symbols;
  const std::uint8_t* const rows = rows_.data() + id.generation * k * stride_;
  if (id.index < k) {
    std::memcpy(symbol.data(), rows + id.index * stride_, symbol.size());
    return;
  }
  std::vector<std::uint8_t> coefficients(k);
  repair_coefficients(id, coefficients);
  std::vector<std::uint8_t> sum(stride_);
  for (std::size_t i = 0; i < k; ++i) {
    gf256_add_multiple(sum, {rows + i * stride_, stride_}, coefficients[i]);
  }
  std::memcpy(symbol.data(), sum.data(), symbol.size());
}

}  // namespace wccl::link
