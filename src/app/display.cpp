#include "app/display.h"

#include <utility>

#include <fmt/core.h>

#include "app/interrupt.h"
#include "app/print.h"
#include "app/terminal.h"
#include "app/units.h"

namespace wccl::app {
namespace {

// Calm: what changes faster cannot be read.
constexpr auto kRedrawInterval = std::chrono::milliseconds(250);

constexpr const char* kBold = "\x1b[1m";
constexpr const char* kPlain = "\x1b[0m";
constexpr const char* kClearToEndOfLine = "\x1b[K";

const char* name_of(Phase phase) {
  switch (phase) {
    case Phase::kCalibrating:
      return "calibrating";
    case Phase::kTraining:
      return "training";
    case Phase::kDone:
      return "done";
  }
  return "";
}

std::string time_text(const RunView& view) {
  return fmt::format("{} {:.1f} s", view.has_air ? "air time" : "time", view.air_time_s);
}

std::string progress_text(const RunView& view) {
  if (!view.progress) {
    return "no sync yet";
  }
  const auto& progress = *view.progress;
  return fmt::format("sync {}  step {}  loss {:.3f}  accuracy {:.2f}% of {:.0f}%", progress.syncs,
                     progress.steps, progress.loss, 100 * progress.accuracy,
                     100 * view.target_accuracy);
}

std::string link_text(const LinkSummary& link) {
  if (link.frames == 0) {
    return fmt::format("  {} > {}  not seen yet", link.from, link.to);
  }
  return fmt::format("  {} > {}  {:>12}  {:5.2f}% of blocks bad  {:4.1f} dB  {:.1f} px a cell",
                     link.from, link.to, bit_rate(link.goodput_bps), 100 * error_rate(link),
                     link.snr_db, link.cell_px);
}

/// Lines are ASCII, so that bytes are columns.
std::string cut(std::string line, int width) {
  if (line.size() > static_cast<std::size_t>(width)) {
    line.resize(static_cast<std::size_t>(width));
  }
  return line;
}

}  // namespace

std::vector<std::string> block_lines(const RunView& view) {
  std::vector<std::string> lines = {view.title,
                                    fmt::format("  {}  {}", name_of(view.phase), time_text(view)),
                                    "  " + progress_text(view)};
  for (const auto& link : view.links) {
    lines.push_back(link_text(link));
  }
  return lines;
}

std::string log_line(const RunView& view) {
  if (!view.progress) {
    return fmt::format("{}: {}, {}", time_text(view), name_of(view.phase), view.title);
  }
  std::string line = fmt::format("{}: {}", time_text(view), progress_text(view));
  for (const auto& link : view.links) {
    line += fmt::format("  {}>{} {} {:.1f}% bad", link.from, link.to, bit_rate(link.goodput_bps),
                        100 * error_rate(link));
  }
  return line;
}

Display::Display(std::FILE* stream) : stream_(stream) {}

void Display::tick(const RunView& view) {
  const std::lock_guard lock(mutex_);
  if (!inspect_terminal(stream_).redraws) {
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (last_redraw_ && now - *last_redraw_ < kRedrawInterval) {
    return;
  }
  last_redraw_ = now;
  redraw(view);
}

void Display::event(const RunView& view) {
  const std::lock_guard lock(mutex_);
  if (inspect_terminal(stream_).redraws) {
    last_redraw_ = std::chrono::steady_clock::now();
    redraw(view);
  } else {
    app::print(stream_, "{}\n", log_line(view));
    std::fflush(stream_);
  }
}

void Display::say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  lines_on_screen_ = 0;  // The next block is drawn below.
  app::print(stream_, "{}\n", line);
  std::fflush(stream_);
}

void Display::finish(const RunView& view) {
  const std::lock_guard lock(mutex_);
  if (inspect_terminal(stream_).redraws) {
    redraw(view);
  }
}

void Display::redraw(const RunView& view) {
  const Terminal terminal = inspect_terminal(stream_);
  if (!std::exchange(interrupted_, interrupted()) && interrupted_) {
    lines_on_screen_ = 0;
  }
  // One write a redraw, each line overwritten and then cleared to its end: nothing ever blinks.
  std::string out;
  if (lines_on_screen_ > 0) {
    out += fmt::format("\x1b[{}A", lines_on_screen_);
  }
  const auto lines = block_lines(view);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool bold = terminal.colours && i == 0;
    out += fmt::format("\r{}{}{}{}\n", bold ? kBold : "", cut(lines[i], terminal.width - 1),
                       bold ? kPlain : "", kClearToEndOfLine);
  }
  lines_on_screen_ = lines.size();
  std::fwrite(out.data(), 1, out.size(), stream_);
  std::fflush(stream_);
}

}  // namespace wccl::app
