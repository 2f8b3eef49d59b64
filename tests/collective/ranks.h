#pragma once

#include <functional>
#include <span>
#include <thread>
#include <vector>

#include "wccl/communicator.h"

#include "collective/loopback_transport.h"

namespace wccl {

/// Runs `program` once a rank, each in its own thread with a communicator of its own.
inline void run_ranks(LoopbackWorld& world, const std::function<void(Communicator&)>& program) {
  std::vector<std::thread> threads;
  for (Rank rank = 0; rank < world.world_size(); ++rank) {
    threads.emplace_back([&world, &program, rank] {
      Communicator communicator(world.transport(rank));
      program(communicator);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

inline void run_ranks(int world_size, const std::function<void(Communicator&)>& program) {
  LoopbackWorld world(world_size);
  run_ranks(world, program);
}

template <class T>
std::span<std::byte> bytes_of(std::vector<T>& values) {
  return std::as_writable_bytes(std::span(values));
}

}  // namespace wccl
