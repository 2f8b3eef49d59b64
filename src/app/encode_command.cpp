#include "app/encode_command.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/encode_folder.h"
#include "app/exit_status.h"
#include "app/frame_png.h"
#include "app/interrupt.h"
#include "app/print.h"
#include "app/progress_line.h"
#include "app/train_settings.h"
#include "device/picture.h"
#include "link/file_sender.h"
#include "phy/layout.h"
#include "phy/mode.h"
#include "phy/transmitter.h"
#include "transfer/file_object.h"
#include "transfer/hash.h"

namespace wccl::app {
namespace {

constexpr int kRefreshHz = 60;
// What a webcam of 1080p at arm's length reads with ease (docs/file_format.md).
constexpr std::string_view kAutoMode = "rgb5-1.5";
// A camera needs some captures to find its exposure, and a receiver to find the screen.
constexpr std::size_t kStartFrames = 6;
constexpr std::size_t kLeastFrames = 24;
// Beside the third that may be lost: generations do not fill quite evenly.
constexpr double kMargin = 1.02;

constexpr const char* kFooter = R"(Examples:
  wccl encode photo.jpg --out frames            PNG frames and manifest.json, for a slide show or video
  wccl encode photo.jpg --out frames --hold 3   20 frames a second instead of 15
  wccl encode notes.txt --out frames --mode luma8-0.5   for a small or dim view (`wccl modes`))";

/// "1920x1200".
std::optional<phy::PanelSize> parse_panel(std::string_view text) {
  phy::PanelSize panel;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, panel.width_px);
  if (width.ec != std::errc() || width.ptr == end || (*width.ptr != 'x' && *width.ptr != 'X')) {
    return std::nullopt;
  }
  const auto height = std::from_chars(width.ptr + 1, end, panel.height_px);
  if (height.ec != std::errc() || height.ptr != end) {
    return std::nullopt;
  }
  return panel;
}

struct Plan {
  phy::PanelSize panel;
  phy::ModeId mode = 0;
};

Result<Plan> make_plan(const EncodeCommand& command) {
  const auto panel = parse_panel(command.panel);
  if (!panel) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--panel is like 1920x1200, not {}", command.panel));
  }
  if (!phy::is_panel_supported(*panel)) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("frames do not fit a panel of {}", command.panel));
  }
  if (command.hold < 1 || command.hold > kMostHold) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("--hold must be 1 to {} refreshes", kMostHold));
  }
  const auto mode = phy::find_mode(command.mode == "auto" ? kAutoMode : command.mode);
  if (!mode) {
    return tl::make_unexpected(unknown_mode(command.mode));
  }
  return Plan{*panel, *mode};
}

/// So many frames that a receiver that loses a third of them finishes.
std::size_t default_frames(const link::FileStreamLayout& layout) {
  const auto source = static_cast<double>(layout.code().source_symbols()) /
                      static_cast<double>(layout.symbols_per_frame());
  const auto frames = static_cast<std::size_t>(1.5 * kMargin * source) + 1 + kStartFrames;
  return std::clamp(frames, kLeastFrames, link::kMostFileFrames);
}

/// Renders and writes frames on all cores.
class FrameWriter {
 public:
  FrameWriter(const link::FileSender& sender, const EncodeCommand& command, std::size_t n_frames)
      : sender_(sender), command_(command), n_frames_(n_frames) {}

  Status run() {
    const unsigned n_threads = std::clamp(std::thread::hardware_concurrency(), 1U, 8U);
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < n_threads; ++i) {
      threads.emplace_back([this] { work(nullptr); });
    }
    {
      ProgressLine progress(stderr);
      work(&progress);
    }
    threads.clear();
    if (interrupted()) {
      return fail(ErrorCode::kCancelled, "interrupted; nothing was left behind");
    }
    return status_;
  }

 private:
  void work(ProgressLine* progress) {
    const phy::Transmitter transmitter(sender_.layout().id().panel);
    while (!stop_ && !interrupted()) {
      const std::size_t frame = next_++;
      if (frame >= n_frames_) {
        return;
      }
      const auto number = static_cast<std::uint32_t>(frame);
      phy::FrameHeader header = sender_.header(number);
      header.transmit_time_ms = static_cast<std::uint16_t>(
          frame * static_cast<std::size_t>(command_.hold) * 1000 / kRefreshHz);
      const auto picture = transmitter.render(header, sender_.payloads(number));
      if (auto written = write_frame_png(command_.out / frame_name(frame), picture); !written) {
        const std::lock_guard lock(mutex_);
        status_ = written;
        stop_ = true;
      }
      if (progress == nullptr) {
        continue;
      }
      progress->show([&] { return fmt::format("frame {} of {}", frame, n_frames_); });
    }
  }

  const link::FileSender& sender_;
  const EncodeCommand& command_;
  std::size_t n_frames_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  Status status_;
};

Result<EncodeManifest> encode(const EncodeCommand& command) {
  const auto plan = make_plan(command);
  if (!plan) {
    return tl::make_unexpected(plan.error());
  }
  const auto content = device::read_file(command.file, link::kMostObjectBytes);
  if (!content) {
    return tl::make_unexpected(content.error());
  }
  const std::string name = command.file.filename().string();
  const auto object = transfer::make_file_object(name, *content);
  const link::FileStreamId id{plan->panel, plan->mode, transfer::epoch_of(object),
                              static_cast<std::uint32_t>(object.size())};
  auto layout = link::FileStreamLayout::of(id);
  if (!layout) {
    return fail(
        ErrorCode::kInvalidArgument,
        fmt::format("{} is too large for mode {}: {} frames do not bear it; a faster mode "
                    "may (`wccl modes`)",
                    command.file.string(), phy::find_mode(id.mode)->name, link::kMostFileFrames));
  }
  const std::size_t n_frames = command.frames > 0 ? command.frames : default_frames(*layout);
  if (n_frames < layout->source_frames()) {
    app::print(stderr,
               "wccl encode: {} frames are too few to read the whole file from; it takes {}\n",
               n_frames, layout->source_frames());
  }
  if (auto status = prepare_encode_folder(command.out); !status) {
    return tl::make_unexpected(status.error());
  }
  const link::FileSender sender(object, std::move(*layout));
  EncodeManifest manifest{plan->panel,
                          kRefreshHz,
                          command.hold,
                          std::string(phy::find_mode(plan->mode)->name),
                          name,
                          content->size(),
                          transfer::to_hex(transfer::sha256(*content)),
                          n_frames};
  auto status = FrameWriter(sender, command, n_frames).run();
  if (status) {
    status = write_manifest(command.out, manifest);
  }
  if (!status) {
    abandon_encode_folder(command.out);
    return tl::make_unexpected(status.error());
  }
  return manifest;
}

std::string check_frames(const std::string& text) {
  std::size_t frames = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), frames);
  const bool good = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() &&
                    frames >= 1 && frames <= link::kMostFileFrames;
  return good ? "" : fmt::format("must be 1 to {}, not {}", link::kMostFileFrames, text);
}

}  // namespace

CLI::App* add_encode(CLI::App& program, EncodeCommand& command) {
  auto* encode = program.add_subcommand("encode", "Turn a file into frames for a screen");
  encode->add_option("FILE", command.file, "What to send")->required();
  encode->add_option("--out", command.out, "Folder for the frames and manifest.json")
      ->required()
      ->type_name("DIR");
  encode->add_option("--panel", command.panel, "Size of the screen that will show the frames")
      ->type_name("WxH")
      ->capture_default_str();
  encode
      ->add_option("--hold", command.hold,
                   "Refreshes of a 60 Hz screen that each frame stays: 4 is 15 frames a second")
      ->type_name("R")
      ->capture_default_str();
  encode
      ->add_option("--mode", command.mode,
                   "A mode by name (`wccl modes`); auto is one that a webcam at arm's length reads")
      ->capture_default_str();
  encode
      ->add_option("--frames", command.frames,
                   "Number of frames (default: so many that a third of them may be lost)")
      ->check(CLI::Validator(check_frames, ""))
      ->type_name("N");
  encode->footer(kFooter);
  return encode;
}

int encode_command(const EncodeCommand& command) {
  const InterruptGuard guard;
  const auto manifest = encode(command);
  if (!manifest) {
    return report("encode", manifest.error());
  }
  const double seconds = static_cast<double>(manifest->frames) * manifest->hold / kRefreshHz;
  app::print(
      "{} ({} bytes) -> {} frames of mode {} in {}: {:.1f} s on a 60 Hz screen, {} refreshes "
      "each\n",
      manifest->file, manifest->bytes, manifest->frames, manifest->mode, command.out.string(),
      seconds, manifest->hold);
  return kExitOk;
}

}  // namespace wccl::app
