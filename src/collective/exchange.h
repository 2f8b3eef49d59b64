#pragma once

#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "wccl/communicator.h"
#include "wccl/transport.h"

#include "collective/message_header.h"

namespace wccl::collective {

/// One message from each of some ranks, all of one size: what every operation waits for.
struct Expectation {
  Tag tag = 0;
  MessageHeader header;  ///< What each of them must be doing.
  std::vector<Rank> senders;
  std::size_t n_bytes = 0;  ///< From each, without the header.
};

/// The data of each sender, in the order of Expectation::senders.
using Contributions = std::vector<std::span<const std::byte>>;

/// Collects the messages and, when all are there and right, hands them to `finish`.
class Exchange final : public Work {
 public:
  Exchange(Transport& transport,
           Expectation expectation,
           std::function<void(const Contributions&)> finish);

  bool test() override;
  Status wait() override;

 private:
  Status take(std::size_t sender_index, Bytes message);
  void complete();
  void fail_with(Error error);

  Transport& transport_;
  Expectation expectation_;
  std::function<void(const Contributions&)> finish_;
  std::vector<Bytes> messages_;  ///< One a sender; empty: not here yet (a message has a header).
  bool done_ = false;
  Status status_;
};

/// An operation that was over before it began.
class Finished final : public Work {
 public:
  explicit Finished(Status status) : status_(std::move(status)) {}
  bool test() override { return true; }
  Status wait() override { return status_; }

 private:
  Status status_;
};

}  // namespace wccl::collective
