#pragma once

#include "base/bytes.h"
#include "base/clock.h"
#include "fuzz/choices.h"
#include "phy/receiver.h"

namespace wccl::fuzz {

/// What a camera may have read of hostile screens: whatever phy::Receiver can give, and no more.
[[nodiscard]] phy::CaptureReception read_reception(Choices& choices, Instant captured_at);

/// Writes what read_reception() reads; qualities and shares are rounded.
void put_reception(ByteWriter& writer, const phy::CaptureReception& reception);

}  // namespace wccl::fuzz
