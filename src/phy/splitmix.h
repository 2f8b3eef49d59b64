#pragma once

#include <cstdint>

namespace wccl::phy {

/// The mixer of splitmix64 (Steele, Lea and Flood, OOPSLA 2014): a random word for every index, in
/// any order.
[[nodiscard]] constexpr std::uint64_t splitmix64(std::uint64_t index) {
  std::uint64_t word = (index + 1) * 0x9e3779b97f4a7c15ULL;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
  return word ^ (word >> 31);
}

}  // namespace wccl::phy
