#include "phy/mode.h"

namespace wccl::phy {
namespace {

constexpr std::array<CodeRate, 3> kHalf{CodeRate::k1_2, CodeRate::kNone, CodeRate::kNone};
// Green has twice the samples of red and blue in a Bayer mosaic, and weighs most in the luma that
// 4:2:0 keeps at full resolution: it carries a weaker code.
constexpr std::array<CodeRate, 3> kSafe{CodeRate::k1_2, CodeRate::k3_4, CodeRate::k1_2};
constexpr std::array<CodeRate, 3> kFast{CodeRate::k2_3, CodeRate::k5_6, CodeRate::k2_3};

constexpr std::array kModes{
    Mode{"luma16-1/2", 16, Colouring::kLuma, 1, kHalf},
    Mode{"luma12-1/2", 12, Colouring::kLuma, 1, kHalf},
    Mode{"luma8-1/2", 8, Colouring::kLuma, 1, kHalf},
    Mode{"luma6-1/2", 6, Colouring::kLuma, 1, kHalf},
    Mode{"luma5-1/2", 5, Colouring::kLuma, 1, kHalf},
    Mode{"rgb8-1/2-3/4-1/2", 8, Colouring::kRgb, 1, kSafe},
    Mode{"luma4-1/2", 4, Colouring::kLuma, 1, kHalf},
    Mode{"rgb8-2/3-5/6-2/3", 8, Colouring::kRgb, 1, kFast},
    Mode{"rgb6-1/2-3/4-1/2", 6, Colouring::kRgb, 1, kSafe},
    Mode{"rgb6-2/3-5/6-2/3", 6, Colouring::kRgb, 1, kFast},
    Mode{"rgb5-1/2-3/4-1/2", 5, Colouring::kRgb, 1, kSafe},
    Mode{"rgb5-2/3-5/6-2/3", 5, Colouring::kRgb, 1, kFast},
    Mode{"rgb4-1/2-3/4-1/2", 4, Colouring::kRgb, 1, kSafe},
    Mode{"rgb4-2/3-5/6-2/3", 4, Colouring::kRgb, 1, kFast},
    Mode{"rgb3-1/2-3/4-1/2", 3, Colouring::kRgb, 1, kSafe},
    Mode{"rgb3-2/3-5/6-2/3", 3, Colouring::kRgb, 1, kFast},
};

}  // namespace

std::span<const Mode> modes() {
  return kModes;
}

const Mode* find_mode(ModeId id) {
  return id < kModes.size() ? &kModes[id] : nullptr;
}

std::optional<ModeId> find_mode(std::string_view name) {
  for (std::size_t id = 0; id < kModes.size(); ++id) {
    if (kModes[id].name == name) {
      return static_cast<ModeId>(id);
    }
  }
  return std::nullopt;
}

}  // namespace wccl::phy
