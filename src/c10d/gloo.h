#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include <c10/util/intrusive_ptr.h>

#include "wccl/result.h"

#include "base/clock.h"
#include "c10d/attendance.h"

namespace c10d {
class Backend;
}

namespace wccl::c10d {

/// One rank's part of a job over Gloo.
struct GlooGroup {
  ::c10::intrusive_ptr<::c10d::Backend> backend;
  std::unique_ptr<Attendance> attendance;  ///< Who is gone, when an operation of the backend fails.
};

struct GlooTimeouts {
  Duration meeting = std::chrono::seconds(60);    ///< For coming together.
  Duration operation = std::chrono::seconds(30);  ///< For each operation later.
};

/// LibTorch's Gloo backend over TCP, for processes on one machine or LAN. Rank 0 listens on
/// master_host:master_port, where the others find it (a c10d::TCPStore); blocks until all ranks
/// have come.
///
/// Neither encrypted nor authenticated (LibTorch's Gloo has no TLS here): for trusted networks
/// only. Rank 0 accepts on master_host's own address alone, each rank on the one that faces it.
/// SIGPIPE must be ignored in the process: LibTorch writes to ranks that may have gone.
/// @return kInvalidArgument for ranks or ports that cannot be, kIo for a busy port, kNotFound for
/// an unknown host, kTimeout naming the ranks that did not come.
[[nodiscard]] Result<GlooGroup> make_gloo_group(int rank,
                                                int world_size,
                                                const std::string& master_host,
                                                std::uint16_t master_port,
                                                const GlooTimeouts& timeouts);

}  // namespace wccl::c10d
