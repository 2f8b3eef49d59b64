// fuzz_NAME: a target without libFuzzer, for any compiler.
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "fuzz/mutation.h"
#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUsage =
    "Usage: fuzz_NAME [--mutations N] [--seed S]  checks the seed inputs and N changed ones "
    "(1000)\n"
    "       fuzz_NAME --write-seeds FOLDER        writes the seed inputs, a file each\n"
    "       fuzz_NAME FILE...                     checks these inputs\n"
    "A statement that does not hold ends the program, and says where it stands.\n";

/// What is checked now.
std::string current_name;
std::span<const std::byte> current_input;
bool is_made_up = true;  ///< It is in no file.
constexpr const char* kMadeUpFile = "fuzz_input";

/// The program is about to die of its input, which is all that anybody wants from it now.
extern "C" void keep_current(int /*signal*/) {
  std::fprintf(stderr, "fuzz: the input was %s\n", current_name.c_str());
  if (std::FILE* const file = is_made_up ? std::fopen(kMadeUpFile, "wb") : nullptr) {
    std::fwrite(current_input.data(), 1, current_input.size(), file);
    std::fclose(file);
    std::fprintf(stderr, "fuzz: it is in ./%s now\n", kMadeUpFile);
  }
}

void check_one(std::string name, std::span<const std::byte> input) {
  current_name = std::move(name);
  current_input = input;
  check(input);
}

void check_seeds(std::span<const Bytes> all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    check_one("seed input " + std::to_string(i), all[i]);
  }
}

void check_mutations(std::span<const Bytes> all, std::uint64_t n, std::uint64_t seed) {
  const Rng rng(seed);
  for (std::uint64_t i = 0; i < n; ++i) {
    // Each from a stream of its own, so that one can be made again alone.
    Rng own = rng.split(i);
    check_one("mutation " + std::to_string(i) + " of seed " + std::to_string(seed),
              mutate(all, own));
  }
}

Bytes read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

int write_seeds(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  std::size_t number = 0;
  for (const Bytes& seed : seeds()) {
    std::ofstream file(folder / ("seed-" + std::to_string(number++)), std::ios::binary);
    file.write(reinterpret_cast<const char*>(seed.data()),
               static_cast<std::streamsize>(seed.size()));
    if (!file.flush()) {
      std::fprintf(stderr, "fuzz: cannot write into %s\n", folder.c_str());
      return 1;
    }
  }
  return 0;
}

int check_files(std::span<const std::string> paths) {
  is_made_up = false;
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) {
      std::fprintf(stderr, "fuzz: no file %s\n", path.c_str());
      return 2;
    }
    check_one(path, read(path));
  }
  return 0;
}

std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

int run(std::span<const std::string> arguments) {
  std::uint64_t n_mutations = 1000;
  std::uint64_t seed = 1;
  std::vector<std::string> files;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("--")) {
      files.push_back(argument);
      continue;
    }
    const bool has_value = i + 1 < arguments.size();
    if (argument == "--write-seeds" && has_value) {
      return write_seeds(arguments[i + 1]);
    }
    const auto number = has_value ? parse_number(arguments[i + 1]) : std::nullopt;
    if (argument == "--help" || !number || (argument != "--mutations" && argument != "--seed")) {
      std::fputs(kUsage, argument == "--help" ? stdout : stderr);
      return argument == "--help" ? 0 : 2;
    }
    (argument == "--seed" ? seed : n_mutations) = *number;
    ++i;
  }
  if (!files.empty()) {
    return check_files(files);
  }
  const std::vector<Bytes> all = seeds();
  check_seeds(all);
  check_mutations(all, n_mutations, seed);
  std::printf("%zu seed inputs and %llu mutations: all is well\n", all.size(),
              static_cast<unsigned long long>(n_mutations));
  return 0;
}

}  // namespace
}  // namespace wccl::fuzz

int main(int argc, char** argv) {
  std::signal(SIGABRT, wccl::fuzz::keep_current);
  std::signal(SIGSEGV, wccl::fuzz::keep_current);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return wccl::fuzz::run(arguments);
}
