#include "collective/exchange.h"

#include <fmt/format.h>

namespace wccl::collective {
namespace {

/// Whether `message` of `from` is the one that `expected` describes.
Status check(Rank from, const Expectation& expected, std::span<const std::byte> message) {
  const auto header = decode_header(message);
  if (!header) {
    return fail(ErrorCode::kCorrupt, fmt::format("rank {} sent no message of ours", from));
  }
  const std::string theirs = describe(*header);
  const std::string ours = describe(expected.header);
  if (theirs != ours) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("rank {} calls {} where this rank calls {}", from, theirs, ours));
  }
  if (header->history != expected.header.history) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("rank {} has called other operations or sizes before this one; "
                            "every rank must call the same in the same order",
                            from));
  }
  const std::size_t n_bytes = message.size() - kHeaderBytes;
  if (n_bytes != expected.n_bytes) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("rank {} sent {} bytes where this rank has {}", from, n_bytes,
                            expected.n_bytes));
  }
  return {};
}

}  // namespace

Exchange::Exchange(Transport& transport,
                   Expectation expectation,
                   std::function<void(const Contributions&)> finish)
    : transport_(transport),
      expectation_(std::move(expectation)),
      finish_(std::move(finish)),
      messages_(expectation_.senders.size()) {
  if (expectation_.senders.empty()) {
    complete();
  }
}

bool Exchange::test() {
  bool all_here = true;
  for (std::size_t i = 0; i < messages_.size() && !done_; ++i) {
    if (!messages_[i].empty()) {
      continue;
    }
    auto message = transport_.try_receive(expectation_.senders[i], expectation_.tag);
    if (!message) {
      all_here = false;
    } else if (const Status taken = take(i, std::move(*message)); !taken) {
      fail_with(taken.error());
    }
  }
  if (!done_ && all_here) {
    complete();
  }
  return done_;
}

Status Exchange::wait() {
  for (std::size_t i = 0; i < messages_.size() && !done_; ++i) {
    if (!messages_[i].empty()) {
      continue;
    }
    const Status taken =
        transport_.receive(expectation_.senders[i], expectation_.tag).and_then([&](Bytes message) {
          return take(i, std::move(message));
        });
    if (!taken) {
      fail_with(taken.error());
    }
  }
  if (!done_) {
    complete();
  }
  return status_;
}

Status Exchange::take(std::size_t sender_index, Bytes message) {
  const Status checked = check(expectation_.senders[sender_index], expectation_, message);
  if (checked) {
    messages_[sender_index] = std::move(message);
  }
  return checked;
}

void Exchange::complete() {
  Contributions contributions;
  contributions.reserve(messages_.size());
  for (const Bytes& message : messages_) {
    contributions.push_back(std::span(message).subspan(kHeaderBytes));
  }
  if (finish_) {
    finish_(contributions);
  }
  messages_.clear();
  done_ = true;
}

void Exchange::fail_with(Error error) {
  error.message = fmt::format("{}: {}", name_of(expectation_.header.op), error.message);
  status_ = tl::make_unexpected(std::move(error));
  messages_.clear();
  done_ = true;
}

}  // namespace wccl::collective
