#pragma once

#include <cstdint>

#include <CLI/CLI.hpp>

namespace wccl::app {

/// Adds --seed to a command. CLI11 wraps a negative number around into an unsigned one; this
/// refuses it.
void add_seed_option(CLI::App& command, std::uint64_t& seed);

}  // namespace wccl::app
