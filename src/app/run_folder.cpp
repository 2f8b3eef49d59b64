#include "app/run_folder.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include "app/folder.h"
#include "room/png.h"

namespace wccl::app {
namespace {

namespace fs = std::filesystem;

// The file that tells a folder of ours from any other.
constexpr std::string_view kConfig = "config.json";

/// A config.json that says it is ours. It may be anybody's file: parsing must not throw.
bool is_run_folder(const fs::path& path) {
  std::ifstream file(path / kConfig);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  return json.is_object() && json.contains("wccl_version");
}

bool is_ours(const std::string& name) {
  constexpr std::array<std::string_view, 4> kNames = {kConfig, "metrics.jsonl",
                                                      "checkpoint.safetensors", "summary.json"};
  for (const auto ours : kNames) {
    if (name == ours) {
      return true;
    }
  }
  return (name.starts_with("camera-") && name.ends_with(".png")) ||
         (name.starts_with("state-rank") && name.ends_with(".safetensors")) ||
         name.ends_with(".part");
}

/// A folder within, of a rank that was launched with the one whose folder this is.
bool is_rank_folder(const fs::path& path) {
  return path.filename().string().starts_with("rank") && is_run_folder(path);
}

/// Takes away the files of the earlier run, and only those.
Status empty_of_run(const fs::path& path) {
  std::error_code error;
  for (fs::directory_iterator entries(path, error), end; !error && entries != end;
       entries.increment(error)) {
    if (is_rank_folder(entries->path())) {
      if (auto emptied = empty_of_run(entries->path()); !emptied) {
        return emptied;
      }
      std::error_code not_empty;  // A user's file stays, and with it its folder.
      fs::remove(entries->path(), not_empty);
    } else if (is_ours(entries->path().filename())) {
      fs::remove(entries->path(), error);
    }
  }
  if (error) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot empty the run folder {}: {}", path.string(), error.message()));
  }
  return {};
}

Status rename_into_place(const fs::path& part, const fs::path& path) {
  std::error_code error;
  fs::rename(part, path, error);
  if (error) {
    return fail(ErrorCode::kIo, fmt::format("cannot write {}: {}", path.string(), error.message()));
  }
  return {};
}

Status write_whole(const fs::path& path, std::span<const std::byte> bytes) {
  const fs::path part = path.string() + ".part";
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
      return fail(ErrorCode::kIo, fmt::format("cannot write {}", part.string()));
    }
  }
  return rename_into_place(part, path);
}

/// Held while a run writes. Systems of files that know no locks are taken as they are.
/// @return the lock; fails when another run has it.
Result<std::shared_ptr<const int>> lock_folder(const fs::path& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return std::shared_ptr<const int>();
  }
  std::shared_ptr<const int> lock(new int(descriptor), [](const int* held) {
    close(*held);
    delete held;
  });
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return fail(ErrorCode::kIo,
                fmt::format("another run writes into {}; give each its own --out", path.string()));
  }
  return lock;
}

}  // namespace

Result<RunFolder> RunFolder::create(const fs::path& path) {
  std::error_code error;
  const bool is_new = !fs::exists(path, error);
  if (auto made = make_folder(path, "run folder"); !made) {
    return tl::make_unexpected(made.error());
  }
  auto lock = lock_folder(path);
  if (!lock) {
    return tl::make_unexpected(lock.error());
  }
  const bool is_empty = fs::is_empty(path, error);
  if (error) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot read the run folder {}: {}", path.string(), error.message()));
  }
  if (!is_empty) {
    if (!is_run_folder(path)) {
      return fail(
          ErrorCode::kInvalidArgument,
          fmt::format("--out: {} holds something that is not a run of wccl; name a new or an "
                      "empty folder",
                      path.string()));
    }
    if (auto status = empty_of_run(path); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  RunFolder folder(path);
  folder.is_new_ = is_new;
  folder.lock_ = std::move(*lock);
  if (auto status = folder.probe(); !status) {
    return tl::make_unexpected(status.error());
  }
  return folder;
}

void RunFolder::discard() const {
  std::error_code error;
  for (fs::directory_iterator entries(path_, error), end; !error && entries != end;
       entries.increment(error)) {
    if (is_ours(entries->path().filename())) {
      fs::remove(entries->path(), error);
    }
  }
  if (is_new_) {
    fs::remove(path_, error);  // Another rank may have a folder in it.
  }
}

Result<RunFolder> RunFolder::resume(const fs::path& path) {
  std::error_code error;
  if (!fs::is_directory(path, error) || fs::is_empty(path, error)) {
    return fail(ErrorCode::kNotFound,
                fmt::format("--resume: there is no run in {}", path.string()));
  }
  if (!is_run_folder(path)) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("--resume: {} holds something that is not a run of wccl", path.string()));
  }
  auto lock = lock_folder(path);
  if (!lock) {
    return tl::make_unexpected(lock.error());
  }
  fs::remove(path / "summary.json", error);
  RunFolder folder(path);
  folder.lock_ = std::move(*lock);
  if (auto status = folder.probe(); !status) {
    return tl::make_unexpected(status.error());
  }
  return folder;
}

Status RunFolder::probe() const {
  if (auto status = write("probe", std::span<const std::byte>()); !status) {
    return fail(ErrorCode::kIo, fmt::format("cannot write into the run folder {}", path_.string()));
  }
  std::error_code ignored;
  fs::remove(path_ / "probe", ignored);
  return {};
}

Status RunFolder::write(const std::string& name, std::span<const std::byte> bytes) const {
  return write_whole(path_ / name, bytes);
}

Status RunFolder::write(const std::string& name, const nlohmann::ordered_json& json) const {
  const std::string text = json.dump(2) + "\n";
  return write(name, std::as_bytes(std::span(text)));
}

Status RunFolder::write(const std::string& name, const RgbImage& picture) const {
  const fs::path part = path_ / (name + ".part");
  if (auto status = room::write_png(part, picture); !status) {
    return status;
  }
  return rename_into_place(part, path_ / name);
}

std::filesystem::path default_run_folder(std::uint64_t seed, std::optional<int> rank) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> date{};
  std::strftime(date.data(), date.size(), "%Y%m%d-%H%M%S", &local);
  std::string name = fmt::format("{}-seed{}", date.data(), seed);
  if (rank) {
    name += fmt::format("-rank{}", *rank);
  }
  fs::path path = fs::path("runs") / name;
  std::error_code ignored;
  for (int copy = 2; fs::exists(path, ignored); ++copy) {
    path = fs::path("runs") / fmt::format("{}-{}", name, copy);
  }
  return path;
}

}  // namespace wccl::app
