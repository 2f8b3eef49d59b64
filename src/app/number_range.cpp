#include "app/number_range.h"

#include <fmt/format.h>

#include "phy/frame_header.h"

namespace wccl::app {

CLI::Validator number_in(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    double value = 0;
    const bool is_inside =
        CLI::detail::lexical_cast(text, value) && value >= least && value <= most;
    return is_inside ? std::string()
                     : fmt::format("must be {:g} to {:g}, not {}", least, most, text);
  };
  return {check, fmt::format("{:g} to {:g}", least, most)};
}

CLI::Validator nodes_or_zero() {
  const auto check = [](const std::string& text) {
    int value = 0;
    const bool is_right = CLI::detail::lexical_cast(text, value) &&
                          (value == 0 || (value >= 2 && value <= phy::kMaxNodes));
    return is_right ? std::string()
                    : fmt::format("must be 2 to {}, or 0, not {}", phy::kMaxNodes, text);
  };
  return {check, ""};
}

}  // namespace wccl::app
