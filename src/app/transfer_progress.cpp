#include "app/transfer_progress.h"

#include <cmath>

#include <fmt/format.h>

#include "app/units.h"
#include "transfer/manifest.h"

namespace wccl::app {
namespace {

constexpr Duration kWindow = std::chrono::seconds(4);
// What comes within less is one sample.
constexpr Duration kSpacing = std::chrono::milliseconds(50);

}  // namespace

void TransferProgress::note(std::uint64_t bytes_had, std::uint64_t bytes_in_all, Instant now) {
  bytes_in_all_ = bytes_in_all;
  if (!samples_.empty() && bytes_had < samples_.back().bytes) {
    samples_.clear();  // A receiver that started anew.
  }
  if (samples_.size() > 1 && now - samples_[samples_.size() - 2].at < kSpacing) {
    samples_.back() = {now, bytes_had};
  } else {
    samples_.push_back({now, bytes_had});
  }
  while (samples_.size() > 2 && now - samples_.front().at > kWindow) {
    samples_.pop_front();
  }
}

double TransferProgress::bytes_per_second() const {
  if (samples_.size() < 2 || samples_.back().at == samples_.front().at) {
    return 0;
  }
  return static_cast<double>(samples_.back().bytes - samples_.front().bytes) /
         to_seconds(samples_.back().at - samples_.front().at);
}

std::string TransferProgress::text() const {
  const std::uint64_t had = samples_.empty() ? 0 : samples_.back().bytes;
  const double share =
      bytes_in_all_ == 0 ? 1 : static_cast<double>(had) / static_cast<double>(bytes_in_all_);
  std::string text =
      fmt::format("{:.0f}% of {}", std::floor(100 * share), transfer::bytes_text(bytes_in_all_));
  const double rate = bytes_per_second();
  if (rate > 0) {
    text += fmt::format(", {}, {} left", bit_rate(8 * rate),
                        time_text(static_cast<double>(bytes_in_all_ - had) / rate));
  }
  return text;
}

std::string time_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(seconds));
  if (whole < 100) {
    return fmt::format("{} s", whole);
  }
  const std::uint64_t minutes = (whole + 30) / 60;
  return minutes < 100 ? fmt::format("{} min", minutes)
                       : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

}  // namespace wccl::app
