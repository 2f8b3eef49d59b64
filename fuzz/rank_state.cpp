// train::read_state(): what a rank kept to go on from, its hash made to hold.
#include "train/rank_state.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "train/safetensors.h"
#include "train/weights_hash.h"

namespace wccl::fuzz {
namespace {

using namespace train;

constexpr std::size_t kWeights = 670;

RunIdentity identity() {
  return {{{"strategy", "--strategy", "diloco"}, {"seed", "--seed", "7"}}};
}

RankState example() {
  RankState state;
  state.progress = {1, 3, 300, 0.5, 0.8, Duration(2'000'000)};
  state.weights.assign(kWeights, 0.25F);
  state.memory["momentum"] = std::vector<float>(4, 1.5F);
  return state;
}

/// As docs/training.md has it: over keys and texts, names and numbers, each with its length.
std::string digest(const Safetensors& content) {
  ByteWriter writer;
  const auto put_text = [&](const std::string& text) {
    writer.put(static_cast<std::uint64_t>(text.size()));
    writer.put_bytes(std::as_bytes(std::span(text)));
  };
  for (const auto& [key, value] : content.metadata) {
    if (key != "sha256") {
      put_text(key);
      put_text(value);
    }
  }
  for (const auto& tensor : content.tensors) {
    put_text(tensor.name);
    writer.put(static_cast<std::uint64_t>(tensor.values.size()));
    writer.put_bytes(std::as_bytes(std::span(tensor.values)));
  }
  return sha256_hex(writer.take());
}

/// A good state in which the input has its say about metadata and tensors.
Safetensors read_content(Choices& choices) {
  const auto path = scratch() / "good";
  require(write_state(path, example(), identity()).has_value());
  Safetensors content = *read_safetensors(path);
  constexpr std::array kKeys{"wccl_state", "rank", "progress", "options", "other"};
  for (std::size_t n = choices.below(4); n > 0; --n) {
    const char* const key = kKeys[choices.below(kKeys.size())];
    content.metadata[key] = as_text(choices.bytes(choices.byte()));
  }
  for (std::size_t n = choices.below(3); n > 0 && !content.tensors.empty(); --n) {
    const std::size_t at = choices.below(content.tensors.size());
    if (choices.coin()) {
      content.tensors.erase(content.tensors.begin() + static_cast<std::ptrdiff_t>(at));
    } else {
      content.tensors[at].values.resize(choices.byte());
      content.tensors[at].shape = {static_cast<std::int64_t>(content.tensors[at].values.size())};
    }
  }
  content.metadata["sha256"] = digest(content);
  return content;
}

}  // namespace

void check(std::span<const std::byte> input) {
  Choices choices(input);
  const auto path = scratch() / "state";
  const Safetensors content = read_content(choices);
  for (const auto& [key, text] : content.metadata) {
    // Others cannot be in a file of JSON.
    if (std::any_of(text.begin(), text.end(), [](unsigned char c) { return c >= 0x80; })) {
      return;
    }
  }
  require(write_safetensors(path, content).has_value());
  const auto state = read_state(path, identity());
  if (!state) {
    require(!state.error().message.empty());
    return;
  }
  require(state->weights.size() == kWeights && state->progress.rank >= 0);
  require(write_state(path, *state, identity()).has_value());
  const auto again = read_state(path, identity());
  require(again.has_value() && again->memory.size() == state->memory.size());
}

std::vector<Bytes> seeds() {
  const auto change = [](int key, const std::string& text) {
    ByteWriter writer;
    put_decisions(writer, {1, key, static_cast<int>(text.size())});
    writer.put_bytes(std::as_bytes(std::span(text)));
    return writer.take();
  };
  return {Bytes{std::byte{0}},
          change(0, "2"),
          change(1, "2"),
          change(3, R"({"strategy":7})"),
          change(3, R"({"strategy":"diloco","seed":"7"})"),
          change(2, R"({"sync":4,"steps":400,"loss":0.1,"accuracy":0.9,"elapsed_s":3})")};
}

}  // namespace wccl::fuzz
