#pragma once

#include "device/ffmpeg.h"

namespace wccl::device {

/// Whether a format is RGB in the first three of four bytes, in either order: what displays are
/// grabbed as.
[[nodiscard]] bool is_packed_rgb(int format);

/// Full-range planes of BT.601, chroma of full size: ten times as fast as libswscale, which matters
/// for a display that is grabbed 60 times a second.
/// @param frame   is_packed_rgb().
/// @param planes  YUVJ444P of the same size.
void packed_rgb_to_planes(const AVFrame& frame, AVFrame& planes);

}  // namespace wccl::device
