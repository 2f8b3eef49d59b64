#include "synthetic_digits.h"

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/rng.h"

namespace wccl::train {
namespace {

constexpr int kSide = 28;

LabelledImages make_part(int n_images, Rng rng) {
  LabelledImages part{n_images, kSide, kSide, {}, {}};
  part.pixels.resize(static_cast<std::size_t>(n_images) * kSide * kSide);
  for (std::size_t i = 0; i < static_cast<std::size_t>(n_images); ++i) {
    const auto digit = static_cast<int>(rng.below(10));
    part.labels.push_back(static_cast<std::uint8_t>(digit));
    const int left = 3 + 5 * (digit % 4) + static_cast<int>(rng.below(3));
    const int top = 3 + 7 * (digit / 4) + static_cast<int>(rng.below(3));
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        const bool inside = left <= x && x < left + 5 && top <= y && y < top + 5;
        const auto noise = static_cast<int>(rng.below(40));
        part.pixels[(i * kSide + static_cast<std::size_t>(y)) * kSide +
                    static_cast<std::size_t>(x)] =
            static_cast<std::uint8_t>(noise + (inside ? 200 : 0));
      }
    }
  }
  return part;
}

void write_file(const std::filesystem::path& path,
                const std::vector<int>& header,
                const std::vector<std::uint8_t>& payload) {
  std::ofstream file(path, std::ios::binary);
  for (const int word : header) {
    for (const int shift : {24, 16, 8, 0}) {
      file.put(static_cast<char>((word >> shift) & 0xFF));
    }
  }
  file.write(reinterpret_cast<const char*>(payload.data()),
             static_cast<std::streamsize>(payload.size()));
  if (!file) {
    throw std::runtime_error("cannot write " + path.string());
  }
}

void write_part(const std::filesystem::path& folder,
                const std::string& name,
                const LabelledImages& part) {
  write_file(folder / (name + "-images-idx3-ubyte"),
             {0x803, part.n_images, part.rows, part.columns}, part.pixels);
  write_file(folder / (name + "-labels-idx1-ubyte"), {0x801, part.n_images}, part.labels);
}

std::filesystem::path mnist_folder() {
  if (const char* folder = std::getenv("WCCL_MNIST")) {
    return folder;
  }
  if (const char* home = std::getenv("WCCL_HOME")) {
    return std::filesystem::path(home) / "mnist";
  }
  if (const char* home = std::getenv("HOME")) {
    return std::filesystem::path(home) / ".cache" / "wccl" / "mnist";
  }
  return {};
}

}  // namespace

Mnist make_digits(int n_train, int n_test, std::uint64_t seed) {
  return {make_part(n_train, Rng(seed).split(0)), make_part(n_test, Rng(seed).split(1))};
}

Mnist make_unlearnable_digits(int n_train, int n_test, std::uint64_t seed) {
  Mnist digits = make_digits(n_train, n_test, seed);
  digits.test.labels[0] = static_cast<std::uint8_t>((digits.test.labels[0] + 1) % 10);
  return digits;
}

void write_idx(const std::filesystem::path& folder, const Mnist& mnist) {
  write_part(folder, "train", mnist.train);
  write_part(folder, "t10k", mnist.test);
}

std::optional<Mnist> real_mnist() {
  auto mnist = load_mnist(mnist_folder());
  if (!mnist) {
    return std::nullopt;
  }
  return std::move(*mnist);
}

}  // namespace wccl::train
