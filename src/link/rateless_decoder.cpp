#include "link/rateless_decoder.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

#include "link/gf256.h"

namespace wccl::link {
namespace {

std::size_t padded(std::size_t n_bytes) {
  return (n_bytes + kGf256Stride - 1) / kGf256Stride * kGf256Stride;
}

/// Equations over GF(256): per row the coefficients of the unknowns, then the right side.
class Equations {
 public:
  Equations(std::size_t n_rows, std::size_t n_unknowns, std::size_t right_bytes)
      : n_unknowns_(n_unknowns),
        left_(padded(n_unknowns)),
        width_(left_ + padded(right_bytes)),
        cells_(n_rows * width_) {
    for (std::size_t row = 0; row < n_rows; ++row) {
      rows_.push_back(cells_.data() + row * width_);
    }
  }

  [[nodiscard]] std::uint8_t& coefficient(std::size_t row, std::size_t unknown) {
    return rows_[row][unknown];
  }
  [[nodiscard]] std::span<std::uint8_t> right(std::size_t row) {
    return {rows_[row] + left_, width_ - left_};
  }

  /// Gauss and Jordan; afterwards right(i) is unknown i. @return false when they do not tell.
  [[nodiscard]] bool solve() {
    for (std::size_t pivot = 0; pivot < n_unknowns_; ++pivot) {
      const auto found = std::find_if(rows_.begin() + static_cast<std::ptrdiff_t>(pivot),
                                      rows_.end(), [pivot](auto* row) { return row[pivot] != 0; });
      if (found == rows_.end()) {
        return false;
      }
      std::swap(*found, rows_[pivot]);
      // What is left of the pivot is zero already.
      const std::size_t from = pivot / kGf256Stride * kGf256Stride;
      const std::span<std::uint8_t> source{rows_[pivot] + from, width_ - from};
      gf256_scale(source, gf256_inverse(rows_[pivot][pivot]));
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        if (row == pivot) {
          continue;
        }
        gf256_add_multiple({rows_[row] + from, width_ - from}, source, rows_[row][pivot]);
      }
    }
    return true;
  }

 private:
  std::size_t n_unknowns_;
  std::size_t left_;
  std::size_t width_;
  std::vector<std::uint8_t> cells_;
  std::vector<std::uint8_t*> rows_;
};

}  // namespace

RatelessDecoder::RatelessDecoder(const RatelessLayout& layout)
    : layout_(layout), generations_(layout.n_generations) {}

bool RatelessDecoder::add(SymbolId id, std::span<const std::byte> symbol) {
  assert(symbol.size() == layout_.symbol_bytes && id.generation < layout_.n_generations);
  Generation& generation = generations_[id.generation];
  if (generation.whole) {
    return false;
  }
  auto& indices = generation.indices;
  const auto place = std::lower_bound(indices.begin(), indices.end(), id.index);
  if (place != indices.end() && *place == id.index) {
    return false;
  }
  const auto slot = static_cast<std::uint32_t>(indices.size());
  generation.slots.insert(generation.slots.begin() + (place - indices.begin()), slot);
  indices.insert(place, id.index);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(symbol.data());
  generation.bytes.insert(generation.bytes.end(), bytes, bytes + symbol.size());
  if (indices.size() <= layout_.generation_symbols) {
    ++symbols_held_;
  }
  const std::size_t k = layout_.generation_symbols;
  if (indices.size() < std::max(k, generation.next_try)) {
    return true;
  }
  if (solve(id.generation, generation)) {
    ++n_complete_;
  } else {
    // One more mostly settles it. Somebody who picks symbols that never do gets rarer and rarer
    // tries: each takes up to half a second.
    generation.next_try = indices.size() + (indices.size() - k + 1);
  }
  return true;
}

bool RatelessDecoder::solve(std::uint32_t number, Generation& generation) const {
  const std::size_t k = layout_.generation_symbols;
  const std::size_t n_bytes = layout_.symbol_bytes;
  const std::size_t stride = padded(n_bytes);
  const auto& indices = generation.indices;
  const auto first_repair = static_cast<std::size_t>(
      std::lower_bound(indices.begin(), indices.end(), k) - indices.begin());

  std::vector<std::uint8_t> source(k * stride);
  std::vector<bool> known(k);
  for (std::size_t i = 0; i < first_repair; ++i) {
    std::memcpy(source.data() + indices[i] * stride,
                generation.bytes.data() + generation.slots[i] * n_bytes, n_bytes);
    known[indices[i]] = true;
  }
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < k; ++i) {
    if (!known[i]) {
      missing.push_back(i);
    }
  }

  Equations equations(indices.size() - first_repair, missing.size(), n_bytes);
  std::vector<std::uint8_t> coefficients(k);
  for (std::size_t i = first_repair; i < indices.size() && !missing.empty(); ++i) {
    const std::size_t row = i - first_repair;
    repair_coefficients({number, indices[i]}, coefficients);
    const auto right = equations.right(row);
    std::memcpy(right.data(), generation.bytes.data() + generation.slots[i] * n_bytes, n_bytes);
    for (std::size_t j = 0; j < k; ++j) {
      if (known[j]) {
        gf256_add_multiple(right, {source.data() + j * stride, stride}, coefficients[j]);
      }
    }
    for (std::size_t j = 0; j < missing.size(); ++j) {
      equations.coefficient(row, j) = coefficients[missing[j]];
    }
  }
  if (!equations.solve()) {
    return false;
  }
  for (std::size_t j = 0; j < missing.size(); ++j) {
    std::memcpy(source.data() + missing[j] * stride, equations.right(j).data(), n_bytes);
  }

  std::vector<std::uint8_t> whole(k * n_bytes);
  for (std::size_t i = 0; i < k; ++i) {
    std::memcpy(whole.data() + i * n_bytes, source.data() + i * stride, n_bytes);
  }
  generation = {{}, {}, std::move(whole), true};
  return true;
}

std::span<const std::uint8_t> RatelessDecoder::source_symbol(std::size_t number) const {
  const Generation& generation = generations_[number / layout_.generation_symbols];
  const std::size_t index = number % layout_.generation_symbols;
  std::size_t slot = index;
  if (!generation.whole) {
    const auto place = std::ranges::lower_bound(generation.indices, index);
    if (place == generation.indices.end() || *place != index) {
      return {};
    }
    slot = generation.slots[static_cast<std::size_t>(place - generation.indices.begin())];
  }
  return std::span(generation.bytes).subspan(slot * layout_.symbol_bytes, layout_.symbol_bytes);
}

std::optional<std::vector<std::byte>> RatelessDecoder::prefix(std::size_t n_bytes) const {
  if (n_bytes > layout_.object_bytes) {
    return std::nullopt;
  }
  std::vector<std::byte> bytes;
  for (std::size_t number = 0; bytes.size() < n_bytes; ++number) {
    const auto symbol = std::as_bytes(source_symbol(number));
    if (symbol.empty()) {
      return std::nullopt;
    }
    bytes.insert(bytes.end(), symbol.begin(), symbol.end());
  }
  bytes.resize(n_bytes);
  return bytes;
}

std::vector<std::byte> RatelessDecoder::take() {
  assert(complete());
  std::vector<std::byte> object;
  object.reserve(layout_.source_symbols() * layout_.symbol_bytes);
  for (Generation& generation : generations_) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(generation.bytes.data());
    object.insert(object.end(), bytes, bytes + generation.bytes.size());
    generation.bytes = {};
  }
  object.resize(layout_.object_bytes);
  return object;
}

}  // namespace wccl::link
