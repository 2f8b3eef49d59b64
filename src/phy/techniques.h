#pragma once

namespace wccl::phy {

/// What a receiver makes use of: measurements switch a part off to see what it brings.
struct Techniques {
  bool equalizer = true;       ///< Else a cell is judged by the samples at its centre alone.
  bool soft_decisions = true;  ///< Else all bits that are seen are equally sure.
  bool layers = true;          ///< Else no layer knows of those before it.
  bool mixing = true;          ///< Else known frames are not taken out of mixtures.
};

}  // namespace wccl::phy
