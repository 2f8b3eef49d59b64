#include "app/decode_command.h"

#include <cmath>
#include <ctime>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/capture_prefetch.h"
#include "app/decode_report.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "app/print.h"
#include "app/progress_line.h"
#include "app/received_file.h"
#include "app/units.h"
#include "device/capture_source.h"
#include "link/file_receiver.h"
#include "phy/mode.h"
#include "phy/receiver.h"
#include "transfer/hash.h"
#include "transfer/made_folders.h"
#include "transfer/one_way_object.h"

namespace wccl::app {
namespace {

constexpr const char* kFooter = R"(Examples:
  wccl decode captures/*.jpg             pictures of a camera, 30 a second
  wccl decode --fps 25 --out inbox video.mp4
  ffmpeg -f v4l2 -i /dev/video0 -c copy -f mjpeg - | wccl decode -

Exit status: 0 the file is whole, 3 incomplete (stderr says what would help).)";

/// Captures go in, one after the other, until a file is whole.
class Decoding {
 public:
  explicit Decoding(const DecodeCommand& command) : command_(command) {
    outcome_.fps = command.fps;
  }

  /// @return whether the file is whole; kIo when it cannot be stored.
  Result<bool> take(const Result<YuvImage>& picture);
  [[nodiscard]] DecodeOutcome& outcome() { return outcome_; }
  [[nodiscard]] std::string progress(std::optional<std::size_t> count) const;
  void note_progress();

 private:
  Result<bool> finish(const link::FileReceiver::Object& object);

  const DecodeCommand& command_;
  phy::Receiver receiver_;
  link::FileReceiver files_;
  DecodeOutcome outcome_;
};

Result<bool> Decoding::take(const Result<YuvImage>& picture) {
  CaptureTally& tally = outcome_.tally;
  if (!picture) {
    ++tally.captures;
    ++tally.unreadable;
    return false;
  }
  const Instant captured_at(from_seconds(tally.captures / command_.fps));
  const auto reception = receiver_.receive(picture->view(), captured_at);
  tally.add(reception);
  for (const auto& screen : reception.screens) {
    for (const auto& frame : screen.frames) {
      const auto object = files_.take(frame);
      if (!object) {
        continue;
      }
      const auto whole = finish(*object);
      if (!whole || *whole) {
        return whole;
      }
    }
  }
  return false;
}

Result<bool> Decoding::finish(const link::FileReceiver::Object& object) {
  const auto files = transfer::parse_one_way_object(object.bytes);
  if (!files && files.error().code == ErrorCode::kCorrupt) {
    ++outcome_.objects_corrupt;
    return false;
  }
  if (!files) {
    return tl::make_unexpected(files.error());
  }
  if (transfer::holds_manifest(object.bytes)) {
    return fail(
        ErrorCode::kUnsupported,
        fmt::format("the pictures bear {} of `wccl send --one-way`: `wccl receive --one-way "
                    "DIR --camera PICTURES` takes them, from a film or a folder",
                    transfer::describe(files->manifest)));
  }
  const transfer::Entry& file = files->manifest.entries().front();
  if (auto stored =
          store_received_file(command_.out, file.local_path, files->content, command_.force);
      !stored) {
    return tl::make_unexpected(stored.error());
  }
  outcome_.file = file.local_path;
  outcome_.renamed = transfer::describe_renamed(files->manifest);
  outcome_.bytes = file.n_bytes;
  outcome_.sha256 = transfer::to_hex(file.sha256);
  outcome_.mode = phy::find_mode(object.id.mode)->name;
  outcome_.share = 1;
  return true;
}

void Decoding::note_progress() {
  const auto best = files_.best();
  if (!best) {
    return;
  }
  outcome_.mode = phy::find_mode(best->id.mode)->name;
  outcome_.bytes = best->id.object_bytes;
  outcome_.share =
      static_cast<double>(best->symbols_held) / static_cast<double>(best->symbols_needed);
}

std::string Decoding::progress(std::optional<std::size_t> count) const {
  const CaptureTally& tally = outcome_.tally;
  const std::string of = count ? fmt::format(" of {}", *count) : "";
  const auto best = files_.best();
  if (!best) {
    return fmt::format("capture {}{}: {}", tally.captures, of,
                       tally.located > 0 ? "a screen, no data yet" : "no screen yet");
  }
  return fmt::format(
      "capture {}{}: {:.1f}% of {} bytes, mode {}, {} blocks good, {} bad", tally.captures, of,
      100 * static_cast<double>(best->symbols_held) / static_cast<double>(best->symbols_needed),
      best->id.object_bytes, phy::find_mode(best->id.mode)->name, tally.blocks_ok,
      tally.blocks_bad);
}

/// @return kInvalidArgument, kNotFound or kIo for what kept the work from being done; an incomplete
/// file is an outcome.
Result<DecodeOutcome> decode(const DecodeCommand& command) {
  if (!(command.fps > 0) || command.fps > 10000) {
    return fail(ErrorCode::kInvalidArgument, "--fps must be above 0");
  }
  const transfer::MadeFolders made(command.out);
  if (auto status = prepare_receive_folder(command.out); !status) {
    return tl::make_unexpected(status.error());
  }
  auto source = device::open_captures(command.captures, interrupted);
  if (!source) {
    return tl::make_unexpected(source.error());
  }
  CapturePrefetch captures(std::move(*source));
  Decoding decoding(command);
  ProgressLine progress(stderr);
  while (const auto picture = captures.next()) {
    if (interrupted()) {
      break;
    }
    const auto whole = decoding.take(*picture);
    if (!picture->has_value()) {
      progress.clear();
      app::print(stderr, "wccl decode: {}\n", picture->error().message);
    }
    if (!whole) {
      return tl::make_unexpected(whole.error());
    }
    if (*whole) {
      break;
    }
    progress.show([&] { return decoding.progress(captures.count()); });
  }
  if (!decoding.outcome().file) {
    if (interrupted()) {
      return fail(ErrorCode::kCancelled, "interrupted");
    }
    decoding.note_progress();
  }
  decoding.outcome().cpu_s = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  return std::move(decoding.outcome());
}

void print_incomplete(const DecodeOutcome& outcome) {
  const CaptureTally& tally = outcome.tally;
  app::print(stderr,
             "wccl decode: incomplete, {:.1f}% is there; of {} captures {} show a screen, {} gave "
             "data\n",
             std::floor(1000 * outcome.share) / 10, tally.captures, tally.located, tally.with_data);
  for (const auto& line : advice(outcome)) {
    app::print(stderr, "  {}\n", line);
  }
}

}  // namespace

CLI::App* add_decode(CLI::App& program, DecodeCommand& command) {
  auto* decode = program.add_subcommand("decode", "Read a file from pictures of `encode`'s frames");
  decode
      ->add_option("CAPTURES", command.captures,
                   "Pictures (JPEG, PNG) in order, folders of them, a video, or - for stdin")
      ->required()
      ->type_name("PICTURE...|VIDEO|-");
  decode->add_option("--out", command.out, "Folder for the file")
      ->type_name("DIR")
      ->capture_default_str();
  decode->add_flag("--json", command.json, "Print one JSON object");
  decode->add_option("--fps", command.fps, "Captures a second")
      ->type_name("F")
      ->capture_default_str();
  decode->add_flag("--force", command.force, "Replace another file of the same name");
  decode->footer(kFooter);
  return decode;
}

int decode_command(const DecodeCommand& command) {
  const InterruptGuard guard;
  const auto outcome = decode(command);
  if (!outcome) {
    return report("decode", outcome.error());
  }
  if (command.json) {
    app::print("{}\n", to_json(*outcome).dump(2, ' ', false,
                                              nlohmann::ordered_json::error_handler_t::replace));
  }
  if (!outcome->file) {
    print_incomplete(*outcome);
    return kExitIncomplete;
  }
  if (!command.json) {
    app::print("{} ({} bytes, SHA-256 {}): {} captures, {}\n",
               (command.out / *outcome->file).string(), outcome->bytes, outcome->sha256,
               outcome->tally.captures, bit_rate(goodput_bps(*outcome)));
    if (!outcome->renamed.empty()) {
      app::print("{}\n", outcome->renamed);
    }
  }
  return kExitOk;
}

}  // namespace wccl::app
