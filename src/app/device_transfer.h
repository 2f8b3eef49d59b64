#pragma once

#include "wccl/result.h"

#include "app/transfer_options.h"
#include "app/transfer_summary.h"
#include "transfer/destination.h"
#include "transfer/source_files.h"

namespace wccl::app {

/// From finding the others to the last receiver's word that it has all.
[[nodiscard]] Result<TransferSummary> send_on_devices(const TransferOptions& options,
                                                      transfer::SourceFiles& files);
/// From finding the others until all is in place.
[[nodiscard]] Result<TransferSummary> receive_on_devices(const TransferOptions& options,
                                                         const transfer::Destination& destination);

}  // namespace wccl::app
