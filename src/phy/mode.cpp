#include "phy/mode.h"

namespace wccl::phy {
namespace {

constexpr std::array kLumaLayers{Layer{0, kBothHalves}};
constexpr std::array kRgbLayers{Layer{1, 0}, Layer{1, 1}, Layer{0, 0},
                                Layer{0, 1}, Layer{2, 0}, Layer{2, 1}};

using enum CodeRate;
using Rates = std::array<CodeRate, kMostLayers>;

// R, G and B, each on the first and on the second half. In all scenes of the room the layers keep
// about the same distances (docs/link.md): against the first half of green, which is read without
// any knowledge, its second half has 3 dB more; the first halves of red and blue have 2 to 3 dB
// less, though green is known; their second halves are about equal to it. Some cameras see blue
// 3 dB less well: 1.3 and 1.6 are for them.
constexpr Rates kLuma{k1_2};
constexpr Rates k13{k1_3, k1_2, k1_2, k3_4, k1_5, k1_3};
constexpr Rates k15{k1_3, k1_2, k1_2, k3_4, k1_3, k1_2};
constexpr Rates k16{k2_5, k2_3, k2_3, k5_6, k1_5, k2_5};
constexpr Rates k18{k2_5, k2_3, k2_3, k5_6, k2_5, k3_5};
constexpr Rates k21{k1_2, k3_4, k3_4, k8_9, k1_2, k3_4};
constexpr Rates k24{k2_3, k8_9, k5_6, k8_9, k2_3, k5_6};
constexpr Rates k26{k5_6, k8_9, k8_9, k8_9, k5_6, k8_9};

constexpr Mode luma(std::string_view name, int cell_px) {
  return {name, cell_px, Colouring::kLuma, 1, kLuma};
}

constexpr Mode rgb(std::string_view name, int cell_px, const Rates& rates) {
  return {name, cell_px, Colouring::kRgb, 1, rates};
}

constexpr std::array kModes{
    luma("luma16-0.5", 16),  luma("luma12-0.5", 12),  luma("luma8-0.5", 8),
    luma("luma6-0.5", 6),    luma("luma5-0.5", 5),    rgb("rgb8-1.3", 8, k13),
    rgb("rgb8-1.5", 8, k15), rgb("rgb8-1.8", 8, k18), luma("luma4-0.5", 4),
    rgb("rgb6-1.3", 6, k13), rgb("rgb6-1.5", 6, k15), rgb("rgb6-1.8", 6, k18),
    rgb("rgb5-1.3", 5, k13), rgb("rgb5-1.5", 5, k15), rgb("rgb5-1.6", 5, k16),
    rgb("rgb5-1.8", 5, k18), rgb("rgb4-1.3", 4, k13), rgb("rgb5-2.1", 5, k21),
    rgb("rgb4-1.5", 4, k15), rgb("rgb4-1.6", 4, k16), rgb("rgb4-1.8", 4, k18),
    rgb("rgb4-2.1", 4, k21), rgb("rgb3-1.3", 3, k13), rgb("rgb4-2.4", 4, k24),
    rgb("rgb3-1.5", 3, k15), rgb("rgb3-1.6", 3, k16), rgb("rgb3-1.8", 3, k18),
    rgb("rgb3-2.1", 3, k21), rgb("rgb3-2.4", 3, k24), rgb("rgb3-2.6", 3, k26),
    rgb("rgb2-1.3", 2, k13), rgb("rgb2-1.5", 2, k15), rgb("rgb2-1.6", 2, k16),
    rgb("rgb2-1.8", 2, k18), rgb("rgb2-2.1", 2, k21), rgb("rgb2-2.4", 2, k24),
    rgb("rgb2-2.6", 2, k26),
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
