#include "train/state_store.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "train/whole_file.h"

namespace wccl::train {
namespace {

namespace fs = std::filesystem;

// No network of ours is trained by more.
constexpr int kMostRanks = 256;

}  // namespace

StateStore::StateStore(fs::path folder, int rank, RunIdentity identity)
    : folder_(std::move(folder)), rank_(rank), identity_(std::move(identity)) {}

Status StateStore::save(const RankState& state) const {
  if (folder_.empty()) {
    return {};
  }
  const auto [last, before] = paths(rank_);
  std::error_code error;
  if (fs::exists(last, error)) {
    fs::rename(last, before, error);
  }
  if (error) {
    return fail(ErrorCode::kIo,
                fmt::format("{} cannot be written: {}", before.string(), error.message()));
  }
  return write_state(last, state, identity_);
}

Result<StateStore::Kept> StateStore::load() const {
  if (folder_.empty()) {
    return Kept{};
  }
  auto own = load_of(rank_);
  for (int other = 0; own && own->states.empty() && other < kMostRanks; ++other) {
    if (other != rank_) {
      own = load_of(other);
    }
  }
  return own;
}

Status StateStore::forget_after(int syncs) const {
  if (folder_.empty()) {
    return {};
  }
  for (const auto& path : paths(rank_)) {
    std::error_code error;
    const auto state = read_state(path, identity_);
    if (!state || state->progress.syncs > syncs) {
      fs::remove(path, error);
    }
    if (error) {
      return fail(ErrorCode::kIo,
                  fmt::format("{} cannot be removed: {}", path.string(), error.message()));
    }
  }
  flush_folder(folder_);
  return {};
}

std::array<fs::path, 2> StateStore::paths(int rank) const {
  return {folder_ / fmt::format("state-rank{}.safetensors", rank),
          folder_ / fmt::format("state-rank{}-previous.safetensors", rank)};
}

Result<StateStore::Kept> StateStore::load_of(int rank) const {
  Kept kept;
  for (const auto& path : paths(rank)) {
    auto state = read_state(path, identity_);
    if (state) {
      kept.states.push_back(*std::move(state));
    } else if (state.error().code == ErrorCode::kInvalidArgument) {
      return tl::make_unexpected(state.error());
    } else if (state.error().code != ErrorCode::kNotFound) {
      kept.notes.push_back(state.error().message);
    }
  }
  if (kept.states.empty() && !kept.notes.empty()) {
    return fail(
        ErrorCode::kCorrupt,
        kept.notes.front() +
            "; take the file away to go on with what the other ranks have, if they have it");
  }
  return kept;
}

}  // namespace wccl::train
