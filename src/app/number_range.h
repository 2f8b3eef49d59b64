#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace wccl::app {

/// A number from `least` to `most`. Unlike CLI::Range it refuses nan.
[[nodiscard]] CLI::Validator number_in(double least, double most);

/// --nodes of commands in which 0 means "as the others say".
[[nodiscard]] CLI::Validator nodes_or_zero();

}  // namespace wccl::app
