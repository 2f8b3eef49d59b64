// train::read_safetensors(): checkpoints, and what ranks keep to go on from.
#include "train/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

using namespace train;

void check_tensor(const NamedTensor& tensor) {
  std::uint64_t n_values = 1;
  for (const std::int64_t side : tensor.shape) {
    require(side >= 0);
    require(side == 0 || n_values <= std::numeric_limits<std::uint64_t>::max() /
                                         static_cast<std::uint64_t>(side));
    n_values *= static_cast<std::uint64_t>(side);
  }
  require(n_values == tensor.values.size());
}

/// Bit by bit: values may be NaN.
bool is_same(const NamedTensor& a, const NamedTensor& b) {
  return a.name == b.name && a.shape == b.shape &&
         std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                    [](float x, float y) {
                      return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
                    });
}

Bytes file_of(const Safetensors& content) {
  const auto path = scratch() / "seed";
  require(write_safetensors(path, content).has_value());
  const std::string text = get_file(path);
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

/// The header as the input has it, its length in front and some data behind.
Bytes with_length(std::span<const std::byte> header) {
  ByteWriter writer;
  writer.put(static_cast<std::uint64_t>(header.size()));
  writer.put_bytes(header);
  writer.put_bytes(Bytes(24));
  return writer.take();
}

void check_file(std::span<const std::byte> bytes) {
  const auto path = scratch() / "input";
  put_file(path, bytes);
  const auto content = read_safetensors(path);
  if (!content) {
    require(!content.error().message.empty());
    return;
  }
  std::size_t n_values = 0;
  for (const NamedTensor& tensor : content->tensors) {
    check_tensor(tensor);
    n_values += tensor.values.size();
  }
  require(4 * n_values <= bytes.size());
  require(write_safetensors(path, *content).has_value());
  const auto again = read_safetensors(path);
  require(again.has_value() && again->metadata == content->metadata);
  require(again->tensors.size() == content->tensors.size());
  // Those without values share their place, so that their order is free.
  for (const NamedTensor& tensor : content->tensors) {
    require(std::any_of(again->tensors.begin(), again->tensors.end(),
                        [&](const NamedTensor& other) { return is_same(tensor, other); }));
  }
}

}  // namespace

void check(std::span<const std::byte> input) {
  check_file(input);
  check_file(with_length(input));
}

std::vector<Bytes> seeds() {
  const Safetensors content{
      {{"conv.weight", {2, 3}, {1, 2, 3, 4, 5, 6}}, {"scalar", {}, {7}}, {"empty", {0, 4}, {}}},
      {{"syncs", "3"}, {"steps", "300"}}};
  Bytes file = file_of(content);
  const std::string header =
      R"({"__metadata__":{"a":"b"},"x":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}})";
  const auto bytes = std::as_bytes(std::span(header));
  return {std::move(file), file_of({}), {bytes.begin(), bytes.end()}};
}

}  // namespace wccl::fuzz
