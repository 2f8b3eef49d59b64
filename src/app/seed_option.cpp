#include "app/seed_option.h"

#include <string>

namespace wccl::app {
namespace {

std::string check_digits(const std::string& text) {
  const bool good = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const bool fits = text.size() < 20 || (text.size() == 20 && text <= "18446744073709551615");
  return good && fits ? "" : "must be a whole number from 0 to 2^64 - 1, not " + text;
}

}  // namespace

void add_seed_option(CLI::App& command, std::uint64_t& seed) {
  command.add_option("--seed", seed, "The same seed gives the same bytes")
      ->check(CLI::Validator(check_digits, ""))
      ->capture_default_str();
}

}  // namespace wccl::app
