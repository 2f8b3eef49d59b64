#include "link/foreign_versions.h"

#include "phy/frame_header.h"

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

// Of 65,536 misread headers one passes the CRC, and that one names any version.
constexpr int kSureCaptures = 3;
// Five captures of a camera of 3 frames/s, as screens that are not read are not looked for in each.
constexpr Duration kLongestGap = 2s;
constexpr Duration kLatest = 3s;

}  // namespace

void ForeignVersions::note(std::span<const std::uint8_t> versions, Instant now) {
  for (const std::uint8_t version : versions) {
    Sighting& sighting = sightings_.at(version);
    if (now - sighting.last > kLongestGap) {
      sighting.captures = 0;
    }
    ++sighting.captures;
    sighting.last = now;
  }
}

std::optional<std::uint8_t> ForeignVersions::in_sight(Instant now) const {
  for (std::size_t version = 0; version < sightings_.size(); ++version) {
    const Sighting& sighting = sightings_[version];
    if (sighting.captures >= kSureCaptures && now - sighting.last <= kLatest) {
      return static_cast<std::uint8_t>(version);
    }
  }
  return std::nullopt;
}

std::string ForeignVersions::complaint(Instant now) const {
  const auto version = in_sight(now);
  if (!version) {
    return {};
  }
  std::string text = "a screen in sight shows frames of version ";
  text += std::to_string(*version);
  text += ", this program reads version ";
  text += std::to_string(phy::kFrameVersion);
  text += *version > phy::kFrameVersion ? ": update this one" : ": update the other laptop's";
  return text;
}

}  // namespace wccl::link
