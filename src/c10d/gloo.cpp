#include "c10d/gloo.h"

#include <exception>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#ifndef USE_C10D_GLOO  // LibTorch's own CMake config defines it; a bare LibTorch may not
#define USE_C10D_GLOO
#endif
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "c10d/socket.h"

namespace wccl::c10d {
namespace {

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

std::string names(const std::vector<int>& ranks) {
  return fmt::format("rank{} {}", ranks.size() == 1 ? "" : "s", fmt::join(ranks, ", "));
}

Result<GlooGroup> connect(int rank,
                          int world_size,
                          const Endpoint& master,
                          const std::string& local_address,
                          Socket listener,
                          const GlooTimeouts& timeouts) {
  ::c10d::TCPStoreOptions options = store_options(world_size, master.port, timeouts.meeting);
  options.waitWorkers = false;  // It could not say who is missing.
  if (rank == 0) {
    options.isServer = true;
    options.masterListenFd = listener.release();
  }
  const auto store = c10::make_intrusive<::c10d::TCPStore>(master.host, options);
  auto attendance = std::make_unique<Attendance>(store->clone(), rank, world_size);
  if (const auto absent = attendance->wait_for_all(timeouts.meeting); !absent.empty()) {
    return fail(ErrorCode::kTimeout,
                fmt::format("gloo: {} did not come within {} s; start each rank once, with the "
                            "same --nodes and --master",
                            names(absent), to_seconds(timeouts.meeting)));
  }
  const auto gloo_options = ProcessGroupGloo::Options::create(to_milliseconds(timeouts.operation));
  gloo_options->devices = {ProcessGroupGloo::createDeviceForHostname(local_address)};
  return GlooGroup{c10::make_intrusive<ProcessGroupGloo>(store, rank, world_size, gloo_options),
                   std::move(attendance)};
}

}  // namespace

Result<GlooGroup> make_gloo_group(int rank,
                                  int world_size,
                                  const std::string& master_host,
                                  std::uint16_t master_port,
                                  const GlooTimeouts& timeouts) {
  if (world_size < 1 || rank < 0 || rank >= world_size) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("gloo: no rank {} in a world of {}", rank, world_size));
  }
  if (master_port == 0 || timeouts.meeting <= Duration::zero() ||
      timeouts.operation <= Duration::zero()) {
    return fail(ErrorCode::kInvalidArgument, "gloo: the port and the timeouts must be above 0");
  }
  const Endpoint master{master_host, master_port};
  Socket listener;
  if (rank == 0) {
    auto listening = listen_on(master);
    if (!listening) {
      return tl::make_unexpected(listening.error());
    }
    listener = std::move(*listening);
  } else if (const Status found = wait_for_listener(master, timeouts.meeting); !found) {
    // TCPStore would retry as well, but with a warning on the terminal for each attempt.
    return tl::make_unexpected(found.error());
  }
  const auto local_address = local_address_towards(master);
  if (!local_address) {
    return tl::make_unexpected(local_address.error());
  }
  try {
    return connect(rank, world_size, master, *local_address, std::move(listener), timeouts);
  } catch (const std::exception& exception) {
    return to_error(exception, timeouts.meeting);
  }
}

}  // namespace wccl::c10d
