#include "train/rank_state.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/bytes.h"
#include "train/progress_json.h"
#include "train/safetensors.h"
#include "train/weight_tensors.h"
#include "train/weights_hash.h"

namespace wccl::train {
namespace {

namespace fs = std::filesystem;

// Keys of the metadata. The version changes with what a state holds.
constexpr const char* kVersionKey = "wccl_state";
constexpr const char* kVersion = "1";
constexpr const char* kRank = "rank";
constexpr const char* kProgress = "progress";
constexpr const char* kOptions = "options";
constexpr const char* kDigest = "sha256";

std::string to_json(const RunIdentity& identity) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const auto& option : identity.options) {
    json[option.key] = option.value;
  }
  return json.dump();
}

/// Over all but itself: names, numbers and metadata.
std::string digest(const Safetensors& content) {
  ByteWriter writer;
  const auto put_text = [&](const std::string& text) {
    writer.put(static_cast<std::uint64_t>(text.size()));
    writer.put_bytes(std::as_bytes(std::span(text)));
  };
  for (const auto& [key, value] : content.metadata) {
    if (key != kDigest) {
      put_text(key);
      put_text(value);
    }
  }
  for (const auto& tensor : content.tensors) {
    put_text(tensor.name);
    writer.put(static_cast<std::uint64_t>(tensor.values.size()));
    for (const float value : tensor.values) {
      writer.put(std::bit_cast<std::uint32_t>(value));
    }
  }
  return sha256_hex(writer.take());
}

std::string value_of(const Safetensors& content, const char* key) {
  const auto found = content.metadata.find(key);
  return found == content.metadata.end() ? std::string() : found->second;
}

tl::unexpected<Error> damaged(const fs::path& path) {
  return fail(ErrorCode::kCorrupt, fmt::format("{} is damaged", path.string()));
}

/// The first option that the file has otherwise, if any.
std::optional<Error> difference(const std::string& kept_options,
                                const RunIdentity& identity,
                                const fs::path& path) {
  const auto kept = nlohmann::json::parse(kept_options, nullptr, false);
  for (const auto& option : identity.options) {
    const bool is_text =
        kept.is_object() && kept.contains(option.key) && kept[option.key].is_string();
    const std::string value = is_text ? kept[option.key].get<std::string>() : "";
    if (value != option.value) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("the run in {} has {} {}, not {}: it goes on only as it began",
                               path.parent_path().string(), option.label, value, option.value)};
    }
  }
  return std::nullopt;
}

std::optional<int> parse_rank(const std::string& text) {
  int rank = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (error != std::errc() || end != text.data() + text.size() || rank < 0) {
    return std::nullopt;
  }
  return rank;
}

std::optional<RankState> parse(Safetensors content) {
  const auto rank = parse_rank(value_of(content, kRank));
  if (!rank) {
    return std::nullopt;
  }
  const auto progress = parse_progress(value_of(content, kProgress), *rank);
  RankState state;
  for (auto& tensor : content.tensors) {
    state.memory[std::move(tensor.name)] = std::move(tensor.values);
  }
  auto weights = take_weights(state.memory);
  if (!progress || !weights) {
    return std::nullopt;
  }
  state.progress = *progress;
  state.weights = std::move(*weights);
  return state;
}

}  // namespace

RankState take_state(const Progress& progress,
                     std::span<const float> weights,
                     std::span<const MemoryPart> memory) {
  RankState state{progress, {weights.begin(), weights.end()}, {}};
  for (const auto& part : memory) {
    state.memory[part.name] = {part.values.begin(), part.values.end()};
  }
  return state;
}

void put_back(const RankState& state, std::span<const MemoryPart> memory, int rank) {
  for (const auto& part : memory) {
    if (part.shared || state.progress.rank == rank) {
      std::ranges::copy(state.memory.at(part.name), part.values.begin());
    }
  }
}

bool fits(const RankState& state, std::span<const MemoryPart> memory, int rank) {
  return std::ranges::all_of(memory, [&](const MemoryPart& part) {
    const auto found = state.memory.find(part.name);
    return (!part.shared && state.progress.rank != rank) ||
           (found != state.memory.end() && found->second.size() == part.values.size());
  });
}

Status write_state(const fs::path& path, const RankState& state, const RunIdentity& identity) {
  Safetensors content;
  content.tensors = weight_tensors(state.weights);
  for (const auto& [name, values] : state.memory) {
    content.tensors.push_back({name, {static_cast<std::int64_t>(values.size())}, values});
  }
  content.metadata = {{kVersionKey, kVersion},
                      {kRank, std::to_string(state.progress.rank)},
                      {kProgress, to_json_line(state.progress)},
                      {kOptions, to_json(identity)}};
  content.metadata[kDigest] = digest(content);
  return write_safetensors(path, content);
}

Result<RankState> read_state(const fs::path& path, const RunIdentity& identity) {
  auto content = read_safetensors(path);
  if (!content) {
    return tl::make_unexpected(content.error());
  }
  if (value_of(*content, kDigest) != digest(*content)) {
    return damaged(path);
  }
  if (const auto version = value_of(*content, kVersionKey); version != kVersion) {
    return fail(ErrorCode::kCorrupt,
                fmt::format("{} has version {} of what a rank keeps, and this program reads {}",
                            path.string(), version, kVersion));
  }
  if (const auto different = difference(value_of(*content, kOptions), identity, path)) {
    return tl::make_unexpected(*different);
  }
  auto state = parse(std::move(*content));
  if (!state) {
    return damaged(path);
  }
  return *std::move(state);
}

}  // namespace wccl::train
