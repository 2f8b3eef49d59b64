#include "wccl/communicator.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include <fmt/format.h>

#include "collective/exchange.h"
#include "collective/message_header.h"
#include "collective/reduction.h"

namespace wccl {

using collective::Contributions;
using collective::Exchange;
using collective::Expectation;
using collective::Finished;
using collective::MessageHeader;
using collective::OpCode;

namespace {

/// Tags from here on are point-to-point messages, numbered for each pair of ranks and direction;
/// below are collectives, numbered alike on all ranks.
constexpr Tag kPointToPointTags = 0x80000000U;

Tag count_up(Tag& counter) {
  const Tag tag = counter;
  counter = (counter + 1) % kPointToPointTags;
  return tag;
}

std::unique_ptr<Work> failed(OpCode op, Error error) {
  error.message = fmt::format("{}: {}", collective::name_of(op), error.message);
  return std::make_unique<Finished>(tl::make_unexpected(std::move(error)));
}

void copy(std::span<const std::byte> from, std::span<std::byte> to) {
  assert(from.size() == to.size());
  if (!from.empty()) {
    std::memmove(to.data(), from.data(), from.size());
  }
}

/// The contributions of all ranks in rank order, given those of the others.
Contributions with_own(Contributions others, Rank rank, std::span<const std::byte> own) {
  others.insert(others.begin() + rank, own);
  return others;
}

Status check_elements(std::size_t n_bytes, DataType type, ReduceOp op) {
  if (type > DataType::kUint8 || op > ReduceOp::kMax) {
    return fail(ErrorCode::kInvalidArgument, "no such data type or reduction");
  }
  if (n_bytes % size_of(type) != 0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("{} bytes are no whole number of elements of {} bytes", n_bytes,
                            size_of(type)));
  }
  return {};
}

}  // namespace

/// What one operation sends, awaits and does in the end.
struct Communicator::Plan {
  MessageHeader header{};
  Tag tag = 0;
  std::size_t n_bytes = 0;            ///< From each rank that contributes.
  std::span<const std::byte> data{};  ///< [n_bytes] to the receivers, if there are any.
  std::vector<Rank> receivers{};
  std::vector<Rank> senders{};
  std::function<void(const Contributions&)> finish{};
};

Communicator::Communicator(Transport& transport)
    : transport_(transport),
      history_(collective::kEmptyHistory),
      sent_(static_cast<std::size_t>(transport.world_size())),
      received_(static_cast<std::size_t>(transport.world_size())) {}

Rank Communicator::rank() const {
  return transport_.rank();
}

int Communicator::world_size() const {
  return transport_.world_size();
}

Status Communicator::check_root(Rank root) const {
  if (root >= 0 && root < world_size()) {
    return {};
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("root {} is none of the ranks 0 to {}", root, world_size() - 1));
}

Status Communicator::check_peer(Rank peer) const {
  if (peer >= 0 && peer < world_size() && peer != rank()) {
    return {};
  }
  return fail(
      ErrorCode::kInvalidArgument,
      fmt::format("rank {} is no peer of rank {} in a world of {}", peer, rank(), world_size()));
}

Status Communicator::check_gather(std::size_t n_input, std::size_t n_output) const {
  const std::size_t n_needed = n_input * static_cast<std::size_t>(world_size());
  if (n_output == n_needed) {
    return {};
  }
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("the output has {} bytes; {} ranks of {} bytes need {}", n_output,
                          world_size(), n_input, n_needed));
}

std::unique_ptr<Work> Communicator::start(Plan plan) {
  if (!plan.receivers.empty()) {
    const Bytes message = collective::encode_message(plan.header, plan.data);
    const Status sent = transport_.send(plan.receivers, plan.tag, message);
    if (!sent) {
      return failed(plan.header.op, sent.error());
    }
  }
  return std::make_unique<Exchange>(transport_,
                                    Expectation{.tag = plan.tag,
                                                .header = plan.header,
                                                .senders = std::move(plan.senders),
                                                .n_bytes = plan.n_bytes},
                                    std::move(plan.finish));
}

std::unique_ptr<Work> Communicator::start_collective(Plan plan) {
  plan.tag = count_up(next_tag_);
  plan.header.history = history_;
  history_ = collective::next_history(plan.header, plan.n_bytes);
  return start(std::move(plan));
}

std::unique_ptr<Work> Communicator::barrier_async() {
  return start_collective({.header = {.op = OpCode::kBarrier},
                           .receivers = transport_.peers(),
                           .senders = transport_.peers()});
}

std::unique_ptr<Work> Communicator::broadcast_async(std::span<std::byte> buffer, Rank root) {
  if (const Status ok = check_root(root); !ok) {
    return failed(OpCode::kBroadcast, ok.error());
  }
  Plan plan{.header = {.op = OpCode::kBroadcast, .root = static_cast<std::uint16_t>(root)},
            .n_bytes = buffer.size()};
  if (root == rank()) {
    plan.data = buffer;
    plan.receivers = transport_.peers();
  } else {
    plan.senders = {root};
    plan.finish = [buffer](const Contributions& parts) { copy(parts[0], buffer); };
  }
  return start_collective(std::move(plan));
}

std::unique_ptr<Work> Communicator::all_gather_async(std::span<const std::byte> input,
                                                     std::span<std::byte> output) {
  if (const Status ok = check_gather(input.size(), output.size()); !ok) {
    return failed(OpCode::kAllGather, ok.error());
  }
  const auto finish = [input, output, own = rank()](const Contributions& others) {
    // The own part first: it may lie in `output`, where another rank's will come.
    const auto own_index = static_cast<std::size_t>(own);
    copy(input, output.subspan(own_index * input.size(), input.size()));
    for (std::size_t i = 0; i < others.size(); ++i) {
      const std::size_t sender = i < own_index ? i : i + 1;
      copy(others[i], output.subspan(sender * input.size(), input.size()));
    }
  };
  return start_collective({.header = {.op = OpCode::kAllGather},
                           .n_bytes = input.size(),
                           .data = input,
                           .receivers = transport_.peers(),
                           .senders = transport_.peers(),
                           .finish = finish});
}

std::unique_ptr<Work> Communicator::gather_async(std::span<const std::byte> input,
                                                 std::span<std::byte> output,
                                                 Rank root) {
  Status ok = check_root(root);
  if (ok && root == rank()) {
    ok = check_gather(input.size(), output.size());
  }
  if (!ok) {
    return failed(OpCode::kGather, ok.error());
  }
  Plan plan{.header = {.op = OpCode::kGather, .root = static_cast<std::uint16_t>(root)},
            .n_bytes = input.size(),
            .data = input};
  if (root == rank()) {
    plan.senders = transport_.peers();
    plan.finish = [input, output, root](const Contributions& others) {
      copy(input, output.subspan(static_cast<std::size_t>(root) * input.size(), input.size()));
      const Contributions parts = with_own(others, root, input);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i == static_cast<std::size_t>(root)) {
          continue;
        }
        copy(parts[i], output.subspan(i * input.size(), input.size()));
      }
    };
  } else {
    plan.receivers = {root};
  }
  return start_collective(std::move(plan));
}

std::unique_ptr<Work> Communicator::all_reduce_async(std::span<std::byte> buffer,
                                                     DataType type,
                                                     ReduceOp op) {
  if (const Status ok = check_elements(buffer.size(), type, op); !ok) {
    return failed(OpCode::kAllReduce, ok.error());
  }
  const auto finish = [buffer, type, op, own = rank()](const Contributions& others) {
    collective::reduce_in_order(with_own(others, own, buffer), type, op, buffer);
  };
  return start_collective({.header = {.op = OpCode::kAllReduce, .type = type, .reduce_op = op},
                           .n_bytes = buffer.size(),
                           .data = buffer,
                           .receivers = transport_.peers(),
                           .senders = transport_.peers(),
                           .finish = finish});
}

std::unique_ptr<Work> Communicator::reduce_async(std::span<std::byte> buffer,
                                                 DataType type,
                                                 ReduceOp op,
                                                 Rank root) {
  Status ok = check_elements(buffer.size(), type, op);
  if (ok) {
    ok = check_root(root);
  }
  if (!ok) {
    return failed(OpCode::kReduce, ok.error());
  }
  Plan plan{.header = {.op = OpCode::kReduce,
                       .type = type,
                       .reduce_op = op,
                       .root = static_cast<std::uint16_t>(root)},
            .n_bytes = buffer.size(),
            .data = buffer};
  if (root == rank()) {
    plan.senders = transport_.peers();
    plan.finish = [buffer, type, op, root](const Contributions& others) {
      collective::reduce_in_order(with_own(others, root, buffer), type, op, buffer);
    };
  } else {
    plan.receivers = {root};
  }
  return start_collective(std::move(plan));
}

std::unique_ptr<Work> Communicator::send_async(std::span<const std::byte> buffer, Rank to) {
  if (const Status ok = check_peer(to); !ok) {
    return failed(OpCode::kPointToPoint, ok.error());
  }
  return start({.header = {.op = OpCode::kPointToPoint},
                .tag = kPointToPointTags + count_up(sent_[static_cast<std::size_t>(to)]),
                .n_bytes = buffer.size(),
                .data = buffer,
                .receivers = {to}});
}

std::unique_ptr<Work> Communicator::receive_async(std::span<std::byte> buffer, Rank from) {
  if (const Status ok = check_peer(from); !ok) {
    return failed(OpCode::kPointToPoint, ok.error());
  }
  return start({.header = {.op = OpCode::kPointToPoint},
                .tag = kPointToPointTags + count_up(received_[static_cast<std::size_t>(from)]),
                .n_bytes = buffer.size(),
                .senders = {from},
                .finish = [buffer](const Contributions& parts) { copy(parts[0], buffer); }});
}

Status Communicator::barrier() {
  return barrier_async()->wait();
}

Status Communicator::broadcast(std::span<std::byte> buffer, Rank root) {
  return broadcast_async(buffer, root)->wait();
}

Status Communicator::all_gather(std::span<const std::byte> input, std::span<std::byte> output) {
  return all_gather_async(input, output)->wait();
}

Status Communicator::all_reduce(std::span<std::byte> buffer, DataType type, ReduceOp op) {
  return all_reduce_async(buffer, type, op)->wait();
}

Status Communicator::gather(std::span<const std::byte> input,
                            std::span<std::byte> output,
                            Rank root) {
  return gather_async(input, output, root)->wait();
}

Status Communicator::reduce(std::span<std::byte> buffer, DataType type, ReduceOp op, Rank root) {
  return reduce_async(buffer, type, op, root)->wait();
}

Status Communicator::send(std::span<const std::byte> buffer, Rank to) {
  return send_async(buffer, to)->wait();
}

Status Communicator::receive(std::span<std::byte> buffer, Rank from) {
  return receive_async(buffer, from)->wait();
}

Status Communicator::flush() {
  return transport_.flush();
}

}  // namespace wccl
