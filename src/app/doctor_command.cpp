#include "app/doctor_command.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/exit_status.h"
#include "app/interrupt.h"
#include "app/print.h"
#include "app/train_settings.h"
#include "app/version.h"
#include "base/rng.h"
#include "device/camera.h"
#include "device/camera_trouble.h"
#include "device/screen.h"
#include "device/screen_choice.h"
#include "phy/receiver.h"
#include "phy/transmitter.h"
#include "session/aim.h"

namespace wccl::app {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr const char* kFooter = R"(Examples:
  wccl doctor                                  the first camera and all displays
  wccl doctor --camera http://10.0.0.7:8080/video

Exit status: 0 all is well or could be better, 1 something keeps WCCL from working here.)";

enum class Verdict : std::uint8_t { kGood, kPoor, kBad };

/// One line for each thing looked at, and what to do about it.
class Findings {
 public:
  void add(Verdict verdict, const std::string& what, const std::string& advice = "") {
    constexpr std::array kWords{"ok", "poor", "FAIL"};
    app::print("  {:<5} {}\n", kWords[static_cast<std::size_t>(verdict)], what);
    if (!advice.empty()) {
      app::print("        {}\n", advice);
    }
    std::fflush(stdout);
    any_bad_ |= verdict == Verdict::kBad;
  }
  [[nodiscard]] bool any_bad() const { return any_bad_; }

 private:
  bool any_bad_ = false;
};

void look_at_build(Findings& findings) {
#ifdef WCCL_WITH_TORCH
  findings.add(Verdict::kGood, fmt::format("wccl {}, with LibTorch", kVersion));
#else
  findings.add(Verdict::kPoor, fmt::format("wccl {}, without LibTorch", kVersion),
               "`wccl train` needs it: build again without WCCL_TORCH=OFF");
#endif
  std::error_code error;
  const auto data = default_data_folder();
  if (std::filesystem::exists(data / "train-images-idx3-ubyte", error)) {
    findings.add(Verdict::kGood, fmt::format("MNIST in {}", data.string()));
  } else {
    findings.add(
        Verdict::kPoor, fmt::format("no MNIST in {}", data.string()),
        "`wccl train` needs it: ./demo fetches it, or set WCCL_MNIST to a folder of yours");
  }
}

/// A picture in which a panel's frame fills most of the width, so that decoding has its usual work.
YuvImage frame_picture(const RgbImage& frame) {
  constexpr int kMargin = 40;
  YuvImage picture(frame.width + 2 * kMargin, frame.height + 2 * kMargin);
  std::ranges::fill(picture.y, 80);
  std::ranges::fill(picture.cb, 128);
  std::ranges::fill(picture.cr, 128);
  for (int y = 0; y < frame.height; ++y) {
    const std::uint8_t* rgb = frame.row(y);
    std::uint8_t* to =
        picture.y.data() +
        static_cast<std::size_t>(y + kMargin) * static_cast<std::size_t>(picture.width) + kMargin;
    for (int x = 0; x < frame.width; ++x) {
      to[x] = rgb[3 * x + 1];
    }
  }
  return picture;
}

double cpu_ms() {
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// How long the receiver takes for a capture of a screen, once it knows the screen.
void look_at_processor(Findings& findings) {
  const phy::PanelSize panel{1152, 720};
  const phy::Transmitter transmitter(panel);
  phy::FrameHeader header;
  header.panel = panel;
  header.mode = phy::find_mode("luma4-0.5").value_or(0);
  Rng rng(1);
  std::vector<std::vector<std::byte>> payloads(phy::block_slots(panel, header.mode).size());
  for (auto& payload : payloads) {
    payload.resize(phy::kBlockPayloadBytes);
    for (auto& byte : payload) {
      byte = static_cast<std::byte>(rng.below(256));
    }
  }
  phy::Receiver receiver;
  constexpr int kWarmUp = 4;
  constexpr int kCaptures = 12;
  double spent_ms = 0;
  for (int i = 0; i < kWarmUp + kCaptures; ++i) {
    header.sequence = static_cast<std::uint16_t>(i);
    const YuvImage picture = frame_picture(transmitter.render(header, payloads));
    const double start_ms = cpu_ms();
    static_cast<void>(receiver.receive(picture.view(), Instant(i * std::chrono::milliseconds(33))));
    if (i >= kWarmUp) {
      spent_ms += cpu_ms() - start_ms;
    }
  }
  const double ms = spent_ms / kCaptures;
  const std::string what = fmt::format("decoding a capture takes {:.0f} ms of one core", ms);
  if (ms < 33) {
    findings.add(Verdict::kGood, what);
  } else {
    findings.add(Verdict::kPoor, what,
                 fmt::format("this keeps up with {:.0f} captures/s; end other programs, plug the "
                             "laptop in",
                             1000 / ms));
  }
}

/// What --screen names, against what there is.
void look_at_choice(Findings& findings,
                    const std::string& choice,
                    const std::vector<device::DisplayEntry>& displays) {
  const auto screen = device::parse_screen_choice(choice);
  if (!screen) {
    findings.add(Verdict::kBad, fmt::format("--screen {}", choice), screen.error().message);
    return;
  }
  const bool is_there = std::ranges::any_of(displays, [&](const device::DisplayEntry& display) {
    return display.number == screen->display;
  });
  if (!is_there) {
    findings.add(Verdict::kBad, fmt::format("no display {}", screen->display),
                 "give --screen one of those above");
  }
}

void look_at_displays(Findings& findings, const std::optional<std::string>& choice) {
  const auto displays = device::list_displays();
  if (displays.empty()) {
    findings.add(Verdict::kBad, "no display",
                 "start wccl inside the desktop session (on Linux: DISPLAY or WAYLAND_DISPLAY must "
                 "be set)");
    return;
  }
  for (const auto& display : displays) {
    const std::string what =
        fmt::format("display {}: {}, {}x{} at {:.0f} Hz", display.number, display.name,
                    display.format.width_px, display.format.height_px, display.format.refresh_hz);
    if (display.format.width_px < 1024) {
      findings.add(Verdict::kPoor, what, "a larger display carries more");
    } else {
      findings.add(Verdict::kGood, what);
    }
  }
  if (choice) {
    look_at_choice(findings, *choice, displays);
  }
}

struct Watch {
  int captures = 0;
  double seconds = 0;
  std::optional<Capture> last;
};

/// The camera's pictures of some seconds.
Result<Watch> watch(device::Camera& camera) {
  constexpr auto kTime = std::chrono::seconds(3);
  Watch watch;
  const auto start = SteadyClock::now();
  while (SteadyClock::now() - start < kTime && !interrupted()) {
    auto capture = camera.next(std::chrono::milliseconds(500));
    if (!capture) {
      return tl::make_unexpected(capture.error());
    }
    if (*capture) {
      ++watch.captures;
      watch.last = std::move(*capture);
    }
  }
  watch.seconds = std::chrono::duration<double>(SteadyClock::now() - start).count();
  return watch;
}

double mean_level(const PlaneView& luma) {
  double sum = 0;
  for (int y = 0; y < luma.height; ++y) {
    for (int x = 0; x < luma.width; ++x) {
      sum += luma.row(y)[x];
    }
  }
  return sum / (static_cast<double>(luma.width) * luma.height);
}

void look_at_light(Findings& findings, const Capture& capture) {
  const double level = mean_level(capture.picture.y);
  const std::string what = fmt::format("the picture's mean level is {:.0f} of 255", level);
  phy::Receiver receiver;
  const auto reception = receiver.receive(capture.picture, capture.captured_at);
  if (reception.screens.empty()) {
    findings.add(level < 20 || level > 235 ? Verdict::kPoor : Verdict::kGood, what,
                 session::judge_empty_picture(capture.picture));
    return;
  }
  findings.add(Verdict::kGood, what);
  for (const auto& screen : reception.screens) {
    const auto aim = session::judge_aim(screen, capture.picture);
    findings.add(aim.hints.empty() ? Verdict::kGood : Verdict::kPoor,
                 fmt::format("{} fills {:.0f}% of the picture's width",
                             aim.name.empty() ? "a screen" : "the screen of " + aim.name,
                             100 * aim.width_share),
                 aim.hints.empty() ? "" : aim.hints.front());
  }
}

void look_at_camera(Findings& findings, const DoctorCommand& command) {
  const device::SteadyTime time;
  auto camera = device::open_camera(command.devices.camera.value_or(""), {}, time);
  if (!camera) {
    findings.add(Verdict::kBad, "camera: " + camera.error().message);
    return;
  }
  const auto seen = watch(**camera);
  if (!seen) {
    findings.add(Verdict::kBad, fmt::format("{}: {}", (*camera)->name(), seen.error().message));
    return;
  }
  const Capture last = seen->last.value_or(Capture{});
  if (const auto trouble = device::camera_trouble(**camera, last, time.now()); !trouble.empty()) {
    findings.add(Verdict::kBad, trouble);
    return;
  }
  const double fps = seen->captures / seen->seconds;
  const auto format = (*camera)->format();
  findings.add(format.height_px >= 720 && fps >= 14 ? Verdict::kGood : Verdict::kPoor,
               fmt::format("{}: {}x{} {}, {:.1f} captures/s", (*camera)->name(), format.width_px,
                           format.height_px, format.coding, fps),
               fps < 14 ? "few captures a second: more light shortens the exposure; USB hubs halve "
                          "what a camera gives"
                        : "");
  for (const auto& warning : (*camera)->warnings()) {
    findings.add(Verdict::kPoor, warning);
  }
  if (last.owner) {
    look_at_light(findings, last);
  }
}

}  // namespace

CLI::App* add_doctor(CLI::App& program, DoctorCommand& command) {
  auto* doctor = program.add_subcommand(
      "doctor", "Check build, processor, displays, camera and light, and say what to change");
  add_device_options(*doctor, command.devices);
  doctor->footer(kFooter);
  return doctor;
}

int doctor_command(const DoctorCommand& command) {
  const InterruptGuard guard;
  Findings findings;
  app::print("build\n");
  look_at_build(findings);
  app::print("processor\n");
  look_at_processor(findings);
  app::print("displays\n");
  look_at_displays(findings, command.devices.screen);
  app::print("camera and light\n");
  look_at_camera(findings, command);
  if (interrupted()) {
    return kExitInterrupted;
  }
  return findings.any_bad() ? kExitError : kExitOk;
}

}  // namespace wccl::app
