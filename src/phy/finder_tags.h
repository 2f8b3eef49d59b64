#pragma once

#include <array>
#include <cstddef>

#include "base/image.h"

namespace wccl::phy {

/// One of the four ways in which finders can be a panel's corners: corner c of the panel is finder
/// (c + turn) % 4 of those given.
struct TagMatch {
  std::size_t turn = 0;
  double score = 0;  ///< -1 to 1: how well the tags agree with those of the best node number.
};

/// Reads the node number in four finders' tags, clockwise in the capture. A true screen's speak
/// clearly for one turn, those of finders that do not belong together for none.
/// @param centres    In the capture.
/// @param module_px  Of each finder; 0 for one that is hidden.
/// @return best first.
[[nodiscard]] std::array<TagMatch, 4> match_tags(const PlaneView& luma,
                                                 const std::array<Point, 4>& centres,
                                                 const std::array<double, 4>& module_px);

}  // namespace wccl::phy
