#pragma once

#include <span>

#include "wccl/transport.h"

#include "base/rng.h"

namespace wccl::fuzz {

/// One to eight small changes: bits, bytes, telling numbers, pieces that go, come twice or come
/// from another seed.
/// @param seeds  Not empty.
[[nodiscard]] Bytes mutate(std::span<const Bytes> seeds, Rng& rng);

}  // namespace wccl::fuzz
