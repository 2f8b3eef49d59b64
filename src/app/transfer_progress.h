#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "base/clock.h"

namespace wccl::app {

/// How far a transfer is, how fast, and how long it will still take.
class TransferProgress {
 public:
  void note(std::uint64_t bytes_had, std::uint64_t bytes_in_all, Instant now);
  /// Of the last few seconds; 0 while nothing moves.
  [[nodiscard]] double bytes_per_second() const;
  /// "42% of 1.00 MB, 8.31 Mbit/s, 12 s left"
  [[nodiscard]] std::string text() const;

 private:
  struct Sample {
    Instant at;
    std::uint64_t bytes = 0;
  };
  std::deque<Sample> samples_;  ///< Oldest first.
  std::uint64_t bytes_in_all_ = 0;
};

/// "12 s", "3 min", "2 h 5 min".
[[nodiscard]] std::string time_text(double seconds);

}  // namespace wccl::app
