#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/clock.h"

namespace wccl::link {

/// Screens whose frames are of a version that this program does not read.
class ForeignVersions {
 public:
  /// Called with what each capture says, if anything.
  void note(std::span<const std::uint8_t> versions, Instant now);
  /// A version that several captures have shown, lately.
  [[nodiscard]] std::optional<std::uint8_t> in_sight(Instant now) const;
  /// The same as a line that says what to do; empty when there is none.
  [[nodiscard]] std::string complaint(Instant now) const;

 private:
  struct Sighting {
    int captures = 0;  ///< In a row without long gaps.
    Instant last;
  };
  std::array<Sighting, 16> sightings_{};  ///< By version.
};

}  // namespace wccl::link
