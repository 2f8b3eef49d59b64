#pragma once

#include <memory>
#include <string>
#include <utility>

#include "wccl/communicator.h"
#include "wccl/wccl.h"

/// What a wcclComm_t points to. Whatever carries the messages is kept alive by `owner`.
struct wcclComm {
  wcclComm(std::shared_ptr<void> owner_of_transport, wccl::Transport& transport)
      : owner(std::move(owner_of_transport)), communicator(transport) {}

  std::shared_ptr<void> owner;
  wccl::Communicator communicator;
  std::string last_error;
};
