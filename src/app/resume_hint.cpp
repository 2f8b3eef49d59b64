#include "app/resume_hint.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

namespace wccl::app {
namespace {

/// For a shell, when it needs that.
std::string quoted(const std::string& text) {
  constexpr std::string_view kPlain = "/._-+=:,@%";
  const bool is_plain = std::ranges::all_of(text, [&](unsigned char c) {
    return std::isalnum(c) != 0 || kPlain.find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain && !text.empty()) {
    return text;
  }
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

bool keeps_a_state(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator entries(folder, error), end; !error && entries != end;
       entries.increment(error)) {
    const auto name = entries->path().filename().string();
    if (name.starts_with("state-rank") && name.ends_with(".safetensors")) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string resume_command(const TrainSettings& settings, const std::filesystem::path& folder) {
  std::string command = "wccl train --resume " + quoted(folder.string());
  if (settings.backend == Backend::kGloo && settings.rank && settings.master) {
    command += fmt::format(" --rank {} --master {}:{}", *settings.rank,
                           quoted(settings.master->host), settings.master->port);
  }
  return command;
}

std::optional<std::string> resume_hint(const TrainSettings& settings,
                                       const std::filesystem::path& folder,
                                       Ending ending,
                                       double air_time_s) {
  if (ending == Ending::kTargetReached || !keeps_a_state(folder)) {
    return std::nullopt;
  }
  std::string command = resume_command(settings, folder);
  if (ending == Ending::kOutOfTime) {
    if (air_time_s < settings.max_air_time_s) {
      return std::nullopt;  // It was not time that ran out.
    }
    // The last sync may have come long after its time.
    command +=
        fmt::format(" --max-air-time {:.0f}", std::min(std::ceil(2 * air_time_s), kMostAirTimeS));
  }
  const bool one_of_many = settings.rank || settings.backend == Backend::kLight;
  return fmt::format("the last sync is kept; to go on from it{}: {}",
                     one_of_many ? ", start all ranks again, this one with" : "", command);
}

}  // namespace wccl::app
