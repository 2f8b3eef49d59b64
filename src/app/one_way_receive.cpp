#include "app/one_way_receive.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/capture_prefetch.h"
#include "app/decode_report.h"
#include "app/interrupt.h"
#include "app/print.h"
#include "app/progress_line.h"
#include "app/transfer_progress.h"
#include "app/transfer_resume_hint.h"
#include "base/capture.h"
#include "device/camera.h"
#include "device/camera_choice.h"
#include "device/camera_trouble.h"
#include "device/capture_source.h"
#include "device/steady_time.h"
#include "phy/mode.h"
#include "phy/receiver.h"
#include "transfer/one_way_receiver.h"

namespace wccl::app {
namespace {

// A laptop that looks for others is no one-way sender that has yet to begin.
constexpr Duration kTwoWayPatience = std::chrono::seconds(5);
constexpr Duration kCapturePatience = std::chrono::milliseconds(100);
// Of films: only differences count.
constexpr double kFilmFps = 30;

/// Where captures come from, and their clock.
class Pictures {
 public:
  virtual ~Pictures() = default;
  Pictures() = default;
  Pictures(const Pictures&) = delete;
  Pictures& operator=(const Pictures&) = delete;

  /// @return nothing when none came for a moment; an error when there will never be another.
  [[nodiscard]] virtual Result<std::optional<Capture>> next() = 0;
  [[nodiscard]] virtual Instant now() const = 0;
  /// A sender is in view: as it is lit now, it stays.
  virtual void on_view() {}
  [[nodiscard]] virtual bool is_live() const = 0;
  /// What keeps them from being any use; else empty.
  [[nodiscard]] virtual std::string trouble() const { return ""; }
};

class CameraPictures final : public Pictures {
 public:
  static Result<std::unique_ptr<Pictures>> open(const std::string& choice) {
    auto pictures = std::make_unique<CameraPictures>();
    auto camera = device::open_camera(choice, {}, pictures->time_);
    if (!camera) {
      return tl::make_unexpected(camera.error());
    }
    for (const auto& warning : (*camera)->warnings()) {
      app::print(stderr, "wccl receive: {}: {}\n", (*camera)->name(), warning);
    }
    pictures->camera_ = std::move(*camera);
    return pictures;
  }
  Result<std::optional<Capture>> next() override {
    auto capture = camera_->next(kCapturePatience);
    if (capture && *capture) {
      last_ = **capture;
    }
    return capture;
  }
  [[nodiscard]] Instant now() const override { return time_.now(); }
  void on_view() override { static_cast<void>(camera_->lock_automatics()); }
  [[nodiscard]] bool is_live() const override { return true; }
  [[nodiscard]] std::string trouble() const override {
    return device::camera_trouble(*camera_, last_, time_.now());
  }

 private:
  device::SteadyTime time_;
  std::unique_ptr<device::Camera> camera_;
  Capture last_;
};

/// A film or a folder of pictures, of which none is left out, as fast as they can be decoded.
class FilmPictures final : public Pictures {
 public:
  explicit FilmPictures(std::unique_ptr<device::CaptureSource> source)
      : captures_(std::move(source)) {}

  static Result<std::unique_ptr<Pictures>> open(const std::string& name) {
    auto source = device::open_captures({&name, 1}, interrupted);
    if (!source) {
      return tl::make_unexpected(source.error());
    }
    return std::make_unique<FilmPictures>(std::move(*source));
  }
  Result<std::optional<Capture>> next() override {
    auto picture = captures_.next();
    if (!picture) {
      return fail(ErrorCode::kNotFound, "the film has ended");
    }
    ++n_;
    if (!*picture) {
      app::print(stderr, "wccl receive: {}\n", picture->error().message);
      return std::nullopt;
    }
    return make_capture(std::make_shared<const YuvImage>(std::move(**picture)), now());
  }
  [[nodiscard]] Instant now() const override { return Instant(from_seconds(n_ / kFilmFps)); }
  [[nodiscard]] bool is_live() const override { return false; }

 private:
  CapturePrefetch captures_;
  int n_ = 0;
};

Result<std::unique_ptr<Pictures>> open_pictures(const std::string& choice) {
  const auto parsed = device::parse_camera_choice(choice);
  std::error_code ignored;
  const bool is_film = (parsed && parsed->kind == device::CameraChoice::Kind::kFile) ||
                       std::filesystem::is_directory(choice, ignored);
  return is_film ? FilmPictures::open(choice) : CameraPictures::open(choice);
}

class OneWayWatch {
 public:
  OneWayWatch(Pictures& pictures,
              const transfer::Destination& destination,
              const OneWayReceive& options)
      : pictures_(pictures), files_(destination), options_(options), began_(pictures.now()) {}

  Result<TransferFigures> run() {
    while (true) {
      const auto capture = pictures_.next();
      if (interrupted()) {
        return hinted({ErrorCode::kCancelled, "interrupted"});
      }
      if (!capture) {
        return incomplete(capture.error().message);
      }
      if (*capture) {
        const auto done = take(**capture);
        if (!done) {
          return hinted(done.error());
        }
        if (*done) {
          TransferFigures summary = summarize(files_, pictures_.now());
          summary.start = summary.first_byte;  // before that nobody sent
          return summary;
        }
      }
      if (pictures_.is_live() && is_silent()) {
        return incomplete("nothing new came");
      }
      line_.show([this] { return progress_text(); });
    }
  }

 private:
  Result<bool> take(const Capture& capture) {
    const auto reception = receiver_.receive(capture.picture, capture.captured_at);
    tally_.add(reception);
    auto done = files_.take(reception, pictures_.now());
    const auto progress = files_.progress();
    if (progress.first_symbol && !had_view_) {
      had_view_ = true;
      pictures_.on_view();
    }
    if (progress.n_bytes > 0) {
      progress_.note(progress.bytes_had, progress.n_bytes, pictures_.now());
    }
    return done;
  }

  [[nodiscard]] bool is_silent() const {
    const auto progress = files_.progress();
    if (progress.first_symbol) {
      return pictures_.now() - progress.last_symbol > options_.timeout;
    }
    const Duration waited = pictures_.now() - began_;
    return waited > from_seconds(options_.devices.calibration_s) ||
           (progress.sees_two_way && waited > kTwoWayPatience);
  }

  [[nodiscard]] std::string progress_text() const {
    if (files_.progress().n_bytes > 0) {
      return progress_.text();
    }
    if (auto trouble = pictures_.trouble(); !trouble.empty()) {
      return trouble;
    }
    return tally_.located > 0 ? "a screen, no data yet" : "no screen yet";
  }

  /// What is there, and what would help.
  [[nodiscard]] tl::unexpected<Error> incomplete(const std::string& why) const {
    const auto progress = files_.progress();
    if (progress.n_bytes == 0 && progress.sees_two_way) {
      return fail(ErrorCode::kTimeout,
                  "the laptop in sight sends both ways: leave out --one-way, or start `wccl send "
                  "--one-way` there");
    }
    if (const auto trouble = pictures_.trouble(); progress.n_bytes == 0 && !trouble.empty()) {
      return fail(ErrorCode::kTimeout, trouble);
    }
    DecodeOutcome outcome;
    outcome.tally = tally_;
    outcome.objects_corrupt = static_cast<int>(progress.n_corrupt);
    outcome.mode = progress.mode ? phy::find_mode(*progress.mode)->name : "";
    const std::string help = advice(outcome).front();
    if (progress.n_bytes == 0) {
      return fail(ErrorCode::kTimeout, fmt::format("{}: {}", why, help));
    }
    const double share =
        static_cast<double>(progress.bytes_had) / static_cast<double>(progress.n_bytes);
    return hinted({ErrorCode::kTimeout,
                   fmt::format("{}: {:.0f}% of {} is there; {}", why, std::floor(100 * share),
                               transfer::bytes_text(progress.n_bytes), help)});
  }
  [[nodiscard]] tl::unexpected<Error> hinted(Error error) const {
    return tl::make_unexpected(files_.progress().n_bytes > 0 ? with_resume_hint(std::move(error))
                                                             : std::move(error));
  }

  Pictures& pictures_;
  phy::Receiver receiver_;
  transfer::OneWayReceiver files_;
  const OneWayReceive& options_;
  Instant began_;
  bool had_view_ = false;
  CaptureTally tally_;
  TransferProgress progress_;
  ProgressLine line_{stderr};
};

}  // namespace

Result<TransferFigures> receive_one_way(const OneWayReceive& options,
                                        const transfer::Destination& destination) {
  const auto pictures = open_pictures(options.devices.camera.value_or(""));
  if (!pictures) {
    return tl::make_unexpected(pictures.error());
  }
  return OneWayWatch(**pictures, destination, options).run();
}

}  // namespace wccl::app
