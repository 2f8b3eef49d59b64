#include "app/units.h"

#include <fmt/core.h>

namespace wccl::app {

std::string bit_rate(double bits_per_second) {
  if (bits_per_second >= 1e6) {
    return fmt::format("{:.2f} Mbit/s", bits_per_second / 1e6);
  }
  if (bits_per_second >= 1e4) {
    return fmt::format("{:.0f} kbit/s", bits_per_second / 1e3);
  }
  return fmt::format("{:.1f} kbit/s", bits_per_second / 1e3);
}

}  // namespace wccl::app
