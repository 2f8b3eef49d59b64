#pragma once

#include "app/transfer_figures.h"
#include "base/clock.h"
#include "transfer/one_way_receiver.h"

namespace wccl::app {

/// What receiving from a one-way sender came to, of one receiver that has all, with times on its
/// clock. The first and last byte are those that came with the first symbol and the last needed
/// one.
/// @param now  All is in place.
[[nodiscard]] TransferFigures summarize(const transfer::OneWayReceiver& receiver, Instant now);

}  // namespace wccl::app
