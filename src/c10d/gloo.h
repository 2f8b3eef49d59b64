#pragma once

#include <cstdint>
#include <string>

#include <c10/util/intrusive_ptr.h>

#include "wccl/result.h"

#include "base/clock.h"

namespace c10d {
class Backend;
}

namespace wccl::c10d {

/// LibTorch's Gloo backend over TCP, for processes on one machine or LAN. Rank 0 listens on
/// master_host:master_port, where the others find it (a c10d::TCPStore); blocks until all ranks
/// have come.
///
/// Neither encrypted nor authenticated (LibTorch's Gloo has no TLS here): for trusted networks
/// only. Rank 0 accepts on master_host's own address alone, each rank on the one that faces it.
/// @param timeout  For coming together, and later for each operation.
/// @return kInvalidArgument for ranks or ports that cannot be, kIo for a busy port, kNotFound for
/// an
///         unknown host, kTimeout when a rank did not come.
[[nodiscard]] Result<::c10::intrusive_ptr<::c10d::Backend>> make_gloo_backend(
    int rank,
    int world_size,
    const std::string& master_host,
    std::uint16_t master_port,
    Duration timeout);

}  // namespace wccl::c10d
