#include "app/calibrate_command.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "app/aiming_view.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "app/number_range.h"
#include "app/print.h"
#include "app/terminal.h"
#include "app/text_wrap.h"
#include "app/world_check.h"
#include "link/identity_words.h"
#include "session/device_session.h"

namespace wccl::app {
namespace {

constexpr const char* kFooter = R"(Examples:
  wccl calibrate                               this laptop's screen and first camera, two laptops
  wccl calibrate --nodes 3 --camera 1          three laptops; the second camera
  wccl calibrate --screen window --text        a window, and no live view in it

Start it on every laptop. Each shows what its camera sees at the bottom of its screen, and says
what would help; it ends when all see one another.

Exit status: 0 all see one another, 1 error, 130 interrupted.)";

// Of the screen's height. Frames keep the rest, whole, so that what others measure of them holds.
constexpr double kStripShare = 0.3;
// Calm: what changes faster cannot be read.
constexpr auto kTextInterval = std::chrono::milliseconds(500);
constexpr auto kLogInterval = std::chrono::seconds(3);
constexpr auto kViewInterval = std::chrono::milliseconds(200);

/// The lines below the live view and in the terminal, redrawn in place where that can be.
class AimText {
 public:
  template <class MakeLines>
  void show(const MakeLines& make_lines) {
    const auto now = std::chrono::steady_clock::now();
    const Terminal terminal = inspect_terminal(stdout);
    if (last_ && now - *last_ < (terminal.redraws ? kTextInterval : kLogInterval)) {
      return;
    }
    last_ = now;
    std::string out;
    if (terminal.redraws && n_rows_ > 0) {
      out += fmt::format("\x1b[{}A\x1b[J", n_rows_);
    }
    n_rows_ = 0;
    for (const std::string& line : make_lines()) {
      // What a terminal wraps itself cannot be counted, and would stay behind.
      for (const auto& row :
           terminal.redraws ? wrap(line, terminal.width - 1) : std::vector{line}) {
        out += row + "\n";
        ++n_rows_;
      }
    }
    app::print("{}", out);
    std::fflush(stdout);
  }

 private:
  std::optional<std::chrono::steady_clock::time_point> last_;
  std::size_t n_rows_ = 0;
};

class Calibration {
 public:
  explicit Calibration(const CalibrateCommand& command) : command_(command) {}

  Status run() {
    auto options = session_options("calibrate", command_.devices);
    options.activity = link::Activity::kAim;
    options.world_size = command_.nodes;
    options.rank = command_.rank;
    options.title = "wccl calibrate";
    options.calibration_deadline =
        command_.seconds > 0 ? from_seconds(command_.seconds) : std::chrono::hours(24);
    options.on_search = [this] {
      text_.show([this] { return lines(report_aim(*session_, identity_)); });
    };
    options.abort = interrupted;
    if (!command_.text) {
      options.on_sighting = [this](const session::Sighting& sighting) { draw(sighting); };
      options.strip_share = kStripShare;
      options.paint_strip = [this](RgbImage& screen, int top) { paint_strip(screen, top); };
    }
    identity_ = options.identity;
    auto opened = session::DeviceSession::open(std::move(options));
    if (!opened) {
      return tl::make_unexpected(opened.error());
    }
    session_ = std::move(*opened);
    for (const auto& warning : session_->camera().warnings()) {
      app::print("{}: {}\n", session_->camera().name(), warning);
    }
    return session_->run([](session::RankContext&) { return Status(); },
                         [this](Rank rank) { rank_ = rank; });
  }

  void print_end() const {
    app::print(
        "all {} laptops see one another; this one is rank {}: leave them as they stand, and start "
        "`wccl train`, `eval`, or `send` and `receive`, with the same --screen and --camera, on "
        "each\n",
        command_.nodes, rank_);
  }

 private:
  [[nodiscard]] std::vector<std::string> lines(const AimReport& report) const {
    auto lines = aim_lines(report);
    std::string head = fmt::format("this laptop is {}", link::words_of(identity_));
    if (!report.screens.empty()) {
      head += "; " + sight_line(report, command_.nodes);
    }
    lines.insert(lines.begin(), std::move(head));
    return lines;
  }

  /// A capture was read.
  void draw(const session::Sighting& sighting) {
    const auto now = std::chrono::steady_clock::now();
    if (drawn_at_ && now - *drawn_at_ < kViewInterval) {
      return;
    }
    drawn_at_ = now;
    const auto screen = session_->screen().format();
    const int height = static_cast<int>(kStripShare * screen.height_px);
    auto view = std::make_shared<RgbImage>(draw_aiming_view(
        screen.width_px, height, sighting, lines(report_aim(sighting, identity_))));
    const std::lock_guard lock(view_mutex_);
    view_ = std::move(view);
  }

  void paint_strip(RgbImage& screen, int top) {
    std::shared_ptr<const RgbImage> view;
    {
      const std::lock_guard lock(view_mutex_);
      view = view_;
    }
    for (int y = 0; view && y < std::min(view->height, screen.height - top); ++y) {
      std::copy_n(view->row(y), std::ptrdiff_t{3} * view->width, screen.row(top + y));
    }
  }

  const CalibrateCommand& command_;
  std::unique_ptr<session::DeviceSession> session_;
  AimText text_;
  std::uint16_t identity_ = 0;
  Rank rank_ = 0;
  std::optional<std::chrono::steady_clock::time_point> drawn_at_;
  std::mutex view_mutex_;
  std::shared_ptr<const RgbImage> view_;  ///< From the decoding thread to the display's.
};

}  // namespace

CLI::App* add_calibrate(CLI::App& program, CalibrateCommand& command) {
  auto* calibrate =
      program.add_subcommand("calibrate", "Aim cameras at screens, with a live view and hints");
  add_device_options(*calibrate, command.devices);
  calibrate
      ->add_option(
          "--nodes", command.nodes,
          "Number of laptops, 2 to 8. By light all must see one another: 2 or 3 do, 4 do not")
      ->capture_default_str();
  calibrate->add_option("--rank", command.rank,
                        "Of this laptop; without it laptops agree by themselves");
  calibrate->add_flag("--text", command.text, "Lines in the terminal alone, no live view");
  calibrate
      ->add_option("--seconds", command.seconds,
                   "Give up after so many (default: when you press Ctrl-C or Esc)")
      ->check(number_in(0.1, 86400.0));
  calibrate->footer(kFooter);
  return calibrate;
}

int calibrate_command(const CalibrateCommand& command) {
  if (auto status = check_world(command.nodes, command.rank); !status) {
    return report("calibrate", status.error());
  }
  const InterruptGuard guard;
  Calibration calibration(command);
  const Status status = calibration.run();
  if (status) {
    calibration.print_end();
    return kExitOk;
  }
  if (interrupted() || status.error().code == ErrorCode::kCancelled) {
    return kExitInterrupted;
  }
  return report("calibrate", status.error());
}

}  // namespace wccl::app
