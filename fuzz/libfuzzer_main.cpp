#include <cstddef>
#include <cstdint>
#include <span>

#include "fuzz/target.h"

// libFuzzer's names, and its main().
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t n_bytes) {
  wccl::fuzz::check(std::as_bytes(std::span(data, n_bytes)));
  return 0;
}
