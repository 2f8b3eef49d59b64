#include "c10d/gloo.h"

#include <exception>
#include <string_view>

#ifndef USE_C10D_GLOO  // LibTorch's own CMake config defines it; a bare LibTorch may not
#define USE_C10D_GLOO
#endif
#include <fmt/format.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "c10d/socket.h"

namespace wccl::c10d {
namespace {

using BackendPtr = c10::intrusive_ptr<::c10d::Backend>;
using ::c10d::ProcessGroupGloo;

std::chrono::milliseconds to_milliseconds(Duration duration) {
  return std::chrono::ceil<std::chrono::milliseconds>(duration);
}

/// What LibTorch threw, in one line and without its stack trace.
tl::unexpected<Error> to_error(const std::exception& exception, Duration timeout) {
  const auto* const torch_error = dynamic_cast<const c10::Error*>(&exception);
  std::string text =
      torch_error != nullptr ? torch_error->what_without_backtrace() : exception.what();
  text.resize(std::min(text.find('\n'), text.size()));
  if (text.find("imed out") != std::string::npos || text.find("imeout") != std::string::npos) {
    return fail(ErrorCode::kTimeout,
                fmt::format("gloo: not all ranks came within {} s; start each rank once, with the "
                            "same --nodes and --master ({})",
                            to_seconds(timeout), text));
  }
  return fail(ErrorCode::kIo, "gloo: " + text);
}

/// @param listener  Of rank 0: the socket on which it serves the store.
::c10d::TCPStoreOptions store_options(int world_size, std::uint16_t port, Duration timeout) {
  ::c10d::TCPStoreOptions options;
  options.port = port;
  options.numWorkers = static_cast<std::size_t>(world_size);
  options.timeout = to_milliseconds(timeout);
  return options;
}

BackendPtr connect(int rank,
                   int world_size,
                   const Endpoint& master,
                   const std::string& local_address,
                   Socket listener,
                   Duration timeout) {
  ::c10d::TCPStoreOptions options = store_options(world_size, master.port, timeout);
  if (rank == 0) {
    options.isServer = true;
    options.masterListenFd = listener.release();
  }
  const auto store = c10::make_intrusive<::c10d::TCPStore>(master.host, options);
  const auto gloo_options = ProcessGroupGloo::Options::create(to_milliseconds(timeout));
  gloo_options->devices = {ProcessGroupGloo::createDeviceForHostname(local_address)};
  return c10::make_intrusive<ProcessGroupGloo>(store, rank, world_size, gloo_options);
}

}  // namespace

Result<BackendPtr> make_gloo_backend(int rank,
                                     int world_size,
                                     const std::string& master_host,
                                     std::uint16_t master_port,
                                     Duration timeout) {
  if (world_size < 1 || rank < 0 || rank >= world_size) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("gloo: no rank {} in a world of {}", rank, world_size));
  }
  if (master_port == 0 || timeout <= Duration::zero()) {
    return fail(ErrorCode::kInvalidArgument, "gloo: the port and the timeout must be above 0");
  }
  const Endpoint master{master_host, master_port};
  Socket listener;
  if (rank == 0) {
    auto listening = listen_on(master);
    if (!listening) {
      return tl::make_unexpected(listening.error());
    }
    listener = std::move(*listening);
  } else if (const Status found = wait_for_listener(master, timeout); !found) {
    // TCPStore would retry as well, but with a warning on the terminal for each attempt.
    return tl::make_unexpected(found.error());
  }
  const auto local_address = local_address_towards(master);
  if (!local_address) {
    return tl::make_unexpected(local_address.error());
  }
  try {
    return connect(rank, world_size, master, *local_address, std::move(listener), timeout);
  } catch (const std::exception& exception) {
    return to_error(exception, timeout);
  }
}

}  // namespace wccl::c10d
