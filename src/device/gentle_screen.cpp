#include "device/gentle_screen.h"

#include <array>
#include <optional>
#include <utility>

namespace wccl::device {
namespace {

// Receivers measure what a screen's black and white are (pilots), so any levels do. Between these
// a change is a fifth of full brightness to a half, and no longer black to white.
constexpr int kDarkest = 64;
constexpr int kBrightest = 192;

constexpr std::array<std::uint8_t, 256> kSoft = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<std::uint8_t>(
        kDarkest + (static_cast<int>(i) * (kBrightest - kDarkest) + 127) / 255);
  }
  return table;
}();

class GentleScreen final : public Screen {
 public:
  GentleScreen(std::unique_ptr<Screen> screen, const SteadyTime& time)
      : screen_(std::move(screen)), time_(time) {}

  [[nodiscard]] ScreenFormat format() const override { return screen_->format(); }
  [[nodiscard]] std::string name() const override { return screen_->name(); }

  [[nodiscard]] Result<Instant> present(const RgbImage* frame) override {
    if (frame == nullptr) {
      return screen_->present(nullptr);
    }
    soften(*frame);
    while (last_change_ && time_.now() < *last_change_ + kGentlePause) {
      // Shows nothing new, but notices when the user leaves.
      if (auto waited = screen_->present(nullptr); !waited) {
        return waited;
      }
    }
    auto shown = screen_->present(&soft_);
    if (shown) {
      last_change_ = *shown;
    }
    return shown;
  }

 private:
  void soften(const RgbImage& frame) {
    soft_.width = frame.width;
    soft_.height = frame.height;
    soft_.pixels.resize(frame.pixels.size());
    for (std::size_t i = 0; i < frame.pixels.size(); ++i) {
      soft_.pixels[i] = kSoft[frame.pixels[i]];
    }
  }

  std::unique_ptr<Screen> screen_;
  const SteadyTime& time_;
  RgbImage soft_;
  std::optional<Instant> last_change_;
};

}  // namespace

std::unique_ptr<Screen> make_gentle(std::unique_ptr<Screen> screen, const SteadyTime& time) {
  return std::make_unique<GentleScreen>(std::move(screen), time);
}

}  // namespace wccl::device
