#include "collective/reduction.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>

#include "collective/half.h"

namespace wccl::collective {
namespace {

// GCC and Clang have it on every 64-bit machine; -Wpedantic wants it marked.
__extension__ typedef __int128 Int128;

/// How a stored type is accumulated: wide enough that sums of integers are exact.
template <class T>
struct Accumulation;
template <>
struct Accumulation<float> {
  using Type = float;
};
template <>
struct Accumulation<Float16> {
  using Type = float;
};
template <>
struct Accumulation<Bfloat16> {
  using Type = float;
};
template <>
struct Accumulation<std::uint8_t> {
  using Type = std::int64_t;
};
template <>
struct Accumulation<std::int32_t> {
  using Type = std::int64_t;
};
template <>
struct Accumulation<std::int64_t> {
  using Type = Int128;
};
template <class T>
using Accumulator = typename Accumulation<T>::Type;

template <class T>
Accumulator<T> widen(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return value;
  } else {
    return to_float(value);
  }
}

/// Back to the stored type: integers modulo 2^n, floats rounded once. A NaN is always the same NaN:
/// which one a sum yields is left to the compiler, and ranks may run different builds.
template <class T>
T narrow(Accumulator<T> value) {
  if constexpr (std::is_same_v<T, Float16>) {
    return to_float16(value);
  } else if constexpr (std::is_same_v<T, Bfloat16>) {
    return to_bfloat16(value);
  } else if constexpr (std::is_same_v<T, float>) {
    return value == value ? value : std::numeric_limits<float>::quiet_NaN();
  } else {
    return static_cast<T>(value);
  }
}

/// A NaN wins over numbers, so that no rank's divergence is hidden; of equal values (+0 and -0) the
/// earlier rank's stays.
template <ReduceOp op, class A>
A combine(A before, A next) {
  if constexpr (op == ReduceOp::kMin) {
    return (before <= next || before != before) ? before : next;
  } else if constexpr (op == ReduceOp::kMax) {
    return (before >= next || before != before) ? before : next;
  } else {
    return before + next;
  }
}

constexpr std::size_t kChunkElements = 1024;  // accumulators stay in the first-level cache

template <class T, ReduceOp op>
void reduce_typed(std::span<const std::span<const std::byte>> parts, std::span<std::byte> output) {
  const auto divisor = static_cast<Accumulator<T>>(static_cast<int>(parts.size()));
  std::array<T, kChunkElements> values;
  std::array<Accumulator<T>, kChunkElements> sums;
  for (std::size_t begin = 0; begin < output.size(); begin += sizeof(values)) {
    const std::size_t n_bytes = std::min(sizeof(values), output.size() - begin);
    const std::size_t n = n_bytes / sizeof(T);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      std::memcpy(values.data(), parts[part].data() + begin, n_bytes);  // parts may be unaligned
      for (std::size_t i = 0; i < n; ++i) {
        const auto value = widen(values[i]);
        sums[i] = part == 0 ? value : combine<op>(sums[i], value);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = narrow<T>(op == ReduceOp::kMean ? sums[i] / divisor : sums[i]);
    }
    std::memcpy(output.data() + begin, values.data(), n_bytes);
  }
}

template <class T>
void reduce_with(ReduceOp op,
                 std::span<const std::span<const std::byte>> parts,
                 std::span<std::byte> output) {
  switch (op) {
    case ReduceOp::kSum:
      return reduce_typed<T, ReduceOp::kSum>(parts, output);
    case ReduceOp::kMean:
      return reduce_typed<T, ReduceOp::kMean>(parts, output);
    case ReduceOp::kMin:
      return reduce_typed<T, ReduceOp::kMin>(parts, output);
    case ReduceOp::kMax:
      return reduce_typed<T, ReduceOp::kMax>(parts, output);
  }
}

}  // namespace

void reduce_in_order(std::span<const std::span<const std::byte>> parts,
                     DataType type,
                     ReduceOp op,
                     std::span<std::byte> output) {
  assert(!parts.empty());
  assert(std::ranges::all_of(parts, [&](auto part) { return part.size() == output.size(); }));
  switch (type) {
    case DataType::kFloat32:
      return reduce_with<float>(op, parts, output);
    case DataType::kFloat16:
      return reduce_with<Float16>(op, parts, output);
    case DataType::kBfloat16:
      return reduce_with<Bfloat16>(op, parts, output);
    case DataType::kInt32:
      return reduce_with<std::int32_t>(op, parts, output);
    case DataType::kInt64:
      return reduce_with<std::int64_t>(op, parts, output);
    case DataType::kUint8:
      return reduce_with<std::uint8_t>(op, parts, output);
  }
}

}  // namespace wccl::collective

namespace wccl {

std::size_t size_of(DataType type) {
  switch (type) {
    case DataType::kFloat32:
    case DataType::kInt32:
      return 4;
    case DataType::kFloat16:
    case DataType::kBfloat16:
      return 2;
    case DataType::kInt64:
      return 8;
    case DataType::kUint8:
      return 1;
  }
  return 1;
}

}  // namespace wccl
