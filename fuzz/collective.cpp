// Communicator: peers that send what they like where a collective's messages are expected.
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "wccl/communicator.h"

#include "base/bytes.h"
#include "collective/message_header.h"
#include "fuzz/choices.h"
#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

using namespace collective;

constexpr int kWorldSize = 3;
constexpr Rank kSelf = 1;
constexpr std::size_t kBytes = 8;

/// Hands out the input, message by message, whoever is asked.
class HostileTransport final : public Transport {
 public:
  explicit HostileTransport(Choices& choices) : choices_(choices) {}

  [[nodiscard]] Rank rank() const override { return kSelf; }
  [[nodiscard]] int world_size() const override { return kWorldSize; }
  Status send(std::span<const Rank> to, Tag /*tag*/, std::span<const std::byte> message) override {
    require(!to.empty() && decode_header(message).has_value());
    // What honest peers say is what this rank says.
    last_ = {message.begin(), message.end()};
    return {};
  }
  std::optional<Bytes> try_receive(Rank /*from*/, Tag /*tag*/) override {
    return choices_.coin() ? std::optional(next()) : std::nullopt;
  }
  Result<Bytes> receive(Rank from, Tag /*tag*/) override {
    if (!choices_.any_left()) {
      return fail(ErrorCode::kTimeout, "rank " + std::to_string(from) + " is silent");
    }
    return next();
  }
  Status flush() override { return {}; }

 private:
  Bytes next() {
    Bytes message;
    if (choices_.coin()) {
      message = last_;
    }
    const std::size_t cut = choices_.below(32);
    message.resize(message.size() - std::min(message.size(), cut));
    const auto tail = choices_.bytes(choices_.below(32));
    message.insert(message.end(), tail.begin(), tail.end());
    return message;
  }

  Choices& choices_;
  Bytes last_;
};

/// After a failure the buffers that an operation writes are unchanged.
template <class Buffer, class Operation>
void check_operation(Buffer& buffer, const Operation& operation) {
  const Buffer before = buffer;
  const Status status = operation(std::as_writable_bytes(std::span(buffer)));
  require(status.has_value() || buffer == before);
  require(status.has_value() || !status.error().message.empty());
}

void step(Communicator& communicator, Choices& choices) {
  std::array<std::byte, kBytes> small{};
  std::array<std::byte, kWorldSize * kBytes> large{};
  const auto root = static_cast<Rank>(choices.below(kWorldSize + 1));
  const auto type = static_cast<DataType>(choices.below(6));
  const auto op = static_cast<ReduceOp>(choices.below(4));
  switch (choices.below(8)) {
    case 0:
      static_cast<void>(communicator.barrier());
      break;
    case 1:
      check_operation(small, [&](auto bytes) { return communicator.broadcast(bytes, root); });
      break;
    case 2:
      check_operation(large, [&](auto bytes) { return communicator.all_gather(small, bytes); });
      break;
    case 3:
      check_operation(small, [&](auto bytes) { return communicator.all_reduce(bytes, type, op); });
      break;
    case 4:
      check_operation(large, [&](auto bytes) { return communicator.gather(small, bytes, root); });
      break;
    case 5:
      check_operation(small,
                      [&](auto bytes) { return communicator.reduce(bytes, type, op, root); });
      break;
    case 6:
      check_operation(small, [&](auto bytes) { return communicator.receive(bytes, root); });
      break;
    default: {
      const auto work = communicator.all_gather_async(small, large);
      for (std::size_t n = choices.below(4); n > 0; --n) {
        static_cast<void>(work->test());
      }
      break;
    }
  }
}

void check_header(std::span<const std::byte> input) {
  const auto header = decode_header(input);
  if (header) {
    const Bytes message = encode_message(*header, input.subspan(kHeaderBytes));
    require(std::ranges::equal(message, input));
    require(!describe(*header).empty() && !name_of(header->op).empty());
  }
}

}  // namespace

void check(std::span<const std::byte> input) {
  constexpr int kMostOperations = 100;
  check_header(input);
  Choices choices(input);
  HostileTransport transport(choices);
  Communicator communicator(transport);
  for (int i = 0; i < kMostOperations && choices.any_left(); ++i) {
    step(communicator, choices);
  }
}

std::vector<Bytes> seeds() {
  // Root, type, op and operation, then two messages that repeat what this rank said.
  ByteWriter honest;
  for (int operation = 0; operation < 8; ++operation) {
    put_decisions(honest, {0, operation % 6, operation % 4, operation, 1, 0, 0, 1, 0, 0});
  }
  ByteWriter wrong;
  for (int operation = 0; operation < 8; ++operation) {
    put_decisions(wrong, {1, 0, 0, operation, 0, 0, 9, 4, 0, 1, 0, 1, 2, 3, 4, 5});
  }
  const MessageHeader header{OpCode::kAllReduce, DataType::kInt32, ReduceOp::kMax, 2, 0x12345678};
  return {honest.take(), wrong.take(), encode_message(header, Bytes(kBytes))};
}

}  // namespace wccl::fuzz
