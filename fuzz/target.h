#pragma once

#include <cstddef>
#include <source_location>
#include <span>
#include <vector>

#include "wccl/transport.h"

namespace wccl::fuzz {

// What each fuzz/NAME.cpp defines; libfuzzer_main.cpp and replay_main.cpp call it.

/// Hands an input to a parser and states what must hold, whatever the input is.
void check(std::span<const std::byte> input);

/// Inputs that mutation begins with, made by our own encoders.
[[nodiscard]] std::vector<Bytes> seeds();

/// Ends the program with the place of the statement when it does not hold: to a fuzzer that is a
/// crash. Unlike assert() it is there in every build.
void require(bool holds, std::source_location place = std::source_location::current());

}  // namespace wccl::fuzz
