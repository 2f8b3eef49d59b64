#include "phy/mode.h"

namespace wccl::phy {
namespace {

using Rates = std::array<std::array<CodeRate, kHalves>, 3>;

constexpr std::array<CodeRate, kHalves> both(CodeRate rate) {
  return {rate, rate};
}

constexpr std::array kLumaLayers{Layer{0, 0}, Layer{0, 1}};
constexpr std::array kRgbLayers{Layer{1, 0}, Layer{1, 1}, Layer{0, 0},
                                Layer{0, 1}, Layer{2, 0}, Layer{2, 1}};

constexpr Rates kHalf{both(CodeRate::k1_2)};
// Green has twice the samples of red and blue in a Bayer mosaic, and weighs most in the luma that
// 4:2:0 keeps at full resolution: it carries a weaker code.
constexpr Rates kSafe{both(CodeRate::k1_2), both(CodeRate::k3_4), both(CodeRate::k1_2)};
constexpr Rates kFast{both(CodeRate::k2_3), both(CodeRate::k5_6), both(CodeRate::k2_3)};

constexpr Rates kTest{{{CodeRate::k1_2, CodeRate::k2_3},
                       {CodeRate::k2_3, CodeRate::k5_6},
                       {CodeRate::k1_2, CodeRate::k2_3}}};
constexpr Rates kTest2{{{CodeRate::k2_3, CodeRate::k5_6},
                        {CodeRate::k5_6, CodeRate::k5_6},
                        {CodeRate::k3_4, CodeRate::k5_6}}};
constexpr Rates kTest3{{{CodeRate::kNone, CodeRate::k1_2},
                        {CodeRate::k1_2, CodeRate::k3_4},
                        {CodeRate::kNone, CodeRate::k1_2}}};
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
    Mode{"rgb3-t", 3, Colouring::kRgb, 1, kTest},
    Mode{"rgb4-t2", 4, Colouring::kRgb, 1, kTest2},
    Mode{"rgb4-t", 4, Colouring::kRgb, 1, kTest},
    Mode{"rgb3-t3", 3, Colouring::kRgb, 1, kTest3},
    Mode{"rgb4-t3", 4, Colouring::kRgb, 1, kTest3},
};

}  // namespace

std::span<const Layer> layers(Colouring colouring) {
  return colouring == Colouring::kLuma ? std::span<const Layer>(kLumaLayers)
                                       : std::span<const Layer>(kRgbLayers);
}

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
