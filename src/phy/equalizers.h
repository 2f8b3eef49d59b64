#pragma once

#include <array>
#include <optional>
#include <span>

#include "phy/equalizer.h"
#include "phy/layout.h"
#include "phy/mode.h"
#include "phy/techniques.h"

namespace wccl::phy {

/// All equalisers of one screen for cells of one size and colouring. What they have learned serves
/// every mode that has such cells, whatever its code rates.
struct Equalizers {
  Equalizer plain;  ///< All channels, from samples alone.
  /// Of each layer, as index_of() counts, once those before it are known; absent for the first,
  /// which needs nothing.
  std::array<std::optional<Equalizer>, kMostLayers> informed;
};

/// After a change of mode, which often follows a change of the scene.
void learn_fast(Equalizers& equalizers);

[[nodiscard]] Equalizers make_equalizers(const Layout& layout, const Techniques& techniques);

}  // namespace wccl::phy
