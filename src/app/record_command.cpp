#include "app/record_command.h"

#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/exit_status.h"
#include "app/folder.h"
#include "app/interrupt.h"
#include "app/number_range.h"
#include "app/print.h"
#include "app/progress_line.h"
#include "app/write_file.h"
#include "device/recording_camera.h"
#include "device/size_text.h"

namespace wccl::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter = R"(Examples:
  wccl record --out captures --seconds 10              the first camera
  wccl record --camera http://phone:8080/video --out captures --captures 300
  wccl record --camera x11grab::0 --out captures --seconds 5   a display, for trying
  wccl decode captures                                  then reads them

Ctrl-C ends the recording and keeps what there is.)";

/// A camera that has shown nothing for so long is said to be silent.
constexpr Duration kPatience = std::chrono::milliseconds(500);
constexpr Duration kSilence = std::chrono::seconds(10);

/// What there is of a recording.
struct Recording {
  int captures = 0;
  int torn = 0;
  std::optional<Instant> first;
  Instant last;

  [[nodiscard]] double fps() const {
    return captures > 1 && last > *first ? (captures - 1) / to_seconds(last - *first) : 0;
  }
};

Result<device::CameraFormat> wanted_format(const RecordCommand& command) {
  device::CameraFormat format;
  format.fps = command.fps;
  if (!command.size.empty()) {
    const auto size = device::parse_size(command.size);
    if (!size) {
      return fail(ErrorCode::kInvalidArgument,
                  fmt::format("--size is like 1280x720, not {}", command.size));
    }
    format.width_px = size->width;
    format.height_px = size->height;
  }
  return format;
}

/// A recording starts in an empty folder: nothing that somebody filmed is ever mixed or replaced.
Status prepare_folder(const fs::path& folder) {
  if (auto made = make_folder(folder); !made) {
    return made;
  }
  std::error_code error;
  if (fs::is_empty(folder, error) && !error) {
    return {};
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("{} has something in it; name a new folder", folder.string()));
}

/// An empty folder need not stay.
void remove_empty(const fs::path& folder) {
  std::error_code ignored;
  fs::remove(folder, ignored);
}

std::string progress_text(const Recording& recording, const RecordCommand& command) {
  const double seconds = recording.first ? to_seconds(recording.last - *recording.first) : 0;
  return fmt::format("{} captures{} in {:.1f} s, {:.1f} a second; Ctrl-C ends", recording.captures,
                     command.captures > 0 ? fmt::format(" of {}", command.captures) : "", seconds,
                     recording.fps());
}

bool is_complete(const Recording& recording, const RecordCommand& command) {
  return (command.captures > 0 && recording.captures >= command.captures) ||
         (command.seconds > 0 && recording.first &&
          to_seconds(recording.last - *recording.first) >= command.seconds);
}

/// Takes one capture, if one comes. @return whether one did that is a picture.
Result<bool> keep_next(device::RecordingCamera& camera, const fs::path& out, Recording& recording) {
  const auto capture = camera.next(kPatience);
  if (!capture) {
    if (capture.error().code == ErrorCode::kCorrupt) {
      ++recording.torn;
      return false;
    }
    return tl::make_unexpected(capture.error());
  }
  if (!*capture) {
    return false;
  }
  const fs::path path = out / fmt::format("capture-{:05}.jpg", recording.captures);
  if (auto written = write_whole_file(path, (*capture)->jpeg); !written) {
    return tl::make_unexpected(written.error());
  }
  ++recording.captures;
  recording.first = recording.first.value_or((*capture)->captured_at);
  recording.last = (*capture)->captured_at;
  return true;
}

Status record_all(device::RecordingCamera& camera,
                  const RecordCommand& command,
                  const device::SteadyTime& time,
                  Recording& recording) {
  ProgressLine progress(stderr);
  Instant last_sign = time.now();
  while (!interrupted() && !is_complete(recording, command)) {
    const auto kept = keep_next(camera, command.out, recording);
    if (!kept) {
      // A film ends when it has been played.
      const bool has_ended = kept.error().code == ErrorCode::kNotFound && recording.captures > 0;
      return has_ended ? Status{} : tl::make_unexpected(kept.error());
    }
    if (*kept) {
      last_sign = time.now();
    } else if (time.now() - last_sign > kSilence) {
      return fail(
          ErrorCode::kTimeout,
          fmt::format(
              "{} gives no {}pictures{}", camera.name(), recording.torn > 0 ? "readable " : "",
              recording.captures > 0
                  ? fmt::format("; {} captures are in {}", recording.captures, command.out.string())
                  : ""));
    }
    progress.show([&] { return progress_text(recording, command); });
  }
  return {};
}

Status record(const RecordCommand& command) {
  const auto wanted = wanted_format(command);
  if (!wanted) {
    return tl::make_unexpected(wanted.error());
  }
  if (auto prepared = prepare_folder(command.out); !prepared) {
    return prepared;
  }
  const device::SteadyTime time;
  const auto camera = device::RecordingCamera::open(command.camera, *wanted, time);
  if (!camera) {
    remove_empty(command.out);
    return tl::make_unexpected(camera.error());
  }
  if (const auto warning = (*camera)->warning()) {
    app::print(stderr, "wccl record: {}: {}\n", (*camera)->name(), *warning);
  }
  Recording recording;
  const auto status = record_all(**camera, command, time, recording);
  if (recording.captures == 0) {
    remove_empty(command.out);
  }
  if (!status) {
    return status;
  }
  const auto dropped = (*camera)->counts().dropped;
  app::print("{}: {} captures of {}, {:.2f} a second{}{}\n", command.out.string(),
             recording.captures, (*camera)->name(), recording.fps(),
             dropped > 0 ? fmt::format("; {} were lost, as the disk is slow", dropped) : "",
             recording.torn > 0 ? fmt::format("; {} were unreadable", recording.torn) : "");
  return recording.captures > 0 ? Status{} : fail(ErrorCode::kCancelled, "interrupted");
}

}  // namespace

CLI::App* add_record(CLI::App& program, RecordCommand& command) {
  auto* record = program.add_subcommand("record", "Keep a camera's captures as files");
  record
      ->add_option("--camera", command.camera,
                   "Name or number (`wccl devices`), x11grab:DISPLAY, URL, or film (default: the "
                   "first camera)")
      ->type_name("C");
  record->add_option("--out", command.out, "New folder for the captures")
      ->required()
      ->type_name("DIR");
  record->add_option("--seconds", command.seconds, "Stop after so long (default: at Ctrl-C)")
      ->check(number_in(0.1, 1e6));
  record->add_option("--captures", command.captures, "Stop after so many")
      ->check(CLI::Range(1, 10'000'000));
  record->add_option("--size", command.size, "Ask the camera for this (default: 1920x1080)")
      ->type_name("WxH");
  record->add_option("--fps", command.fps, "Ask the camera for so many a second (default: 30)")
      ->check(number_in(0.1, 1000.0));
  record->footer(kFooter);
  return record;
}

int record_command(const RecordCommand& command) {
  const InterruptGuard guard;
  const auto recorded = record(command);
  return recorded ? kExitOk : report("record", recorded.error());
}

}  // namespace wccl::app
