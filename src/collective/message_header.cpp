#include "collective/message_header.h"

#include <array>

#include <fmt/format.h>

#include "base/bytes.h"

namespace wccl::collective {
namespace {

constexpr std::array kTypeNames = {"float32", "float16", "bfloat16", "int32", "int64", "uint8"};
constexpr std::array kReduceNames = {"sum", "mean", "min", "max"};
constexpr std::array kOpNames = {"",           "barrier", "broadcast", "all_gather",
                                 "all_reduce", "gather",  "reduce",    "send/receive"};

template <class Names, class Value>
const char* lookup(const Names& names, Value value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

Bytes encode_message(const MessageHeader& header, std::span<const std::byte> data) {
  ByteWriter writer;
  writer.put(static_cast<std::uint8_t>(header.op));
  writer.put(static_cast<std::uint8_t>((static_cast<unsigned>(header.type) << 4U) |
                                       static_cast<unsigned>(header.reduce_op)));
  writer.put(header.root);
  writer.put(header.history);
  writer.put_bytes(data);
  return writer.take();
}

std::optional<MessageHeader> decode_header(std::span<const std::byte> message) {
  ByteReader reader(message);
  const auto op = reader.get<std::uint8_t>();
  const auto details = reader.get<std::uint8_t>();
  const auto root = reader.get<std::uint16_t>();
  const auto history = reader.get<std::uint32_t>();
  if (!history) {
    return std::nullopt;
  }
  const unsigned type = *details >> 4U;
  const unsigned reduce_op = *details & 0xFU;
  if (*op == 0 || *op >= kOpNames.size()) {
    return std::nullopt;
  }
  if (type >= kTypeNames.size() || reduce_op >= kReduceNames.size()) {
    return std::nullopt;
  }
  return MessageHeader{.op = static_cast<OpCode>(*op),
                       .type = static_cast<DataType>(type),
                       .reduce_op = static_cast<ReduceOp>(reduce_op),
                       .root = *root,
                       .history = *history};
}

std::uint32_t next_history(const MessageHeader& header, std::size_t n_bytes) {
  ByteWriter size;
  size.put(static_cast<std::uint64_t>(n_bytes));
  std::uint32_t hash = kEmptyHistory;
  for (const std::byte byte : encode_message(header, size.take())) {
    hash = (hash ^ std::to_integer<std::uint32_t>(byte)) * 0x01000193U;
  }
  return hash;
}

std::string name_of(OpCode op) {
  return lookup(kOpNames, op);
}

std::string describe(const MessageHeader& header) {
  switch (header.op) {
    case OpCode::kAllReduce:
      return fmt::format("all_reduce({}, {})", lookup(kTypeNames, header.type),
                         lookup(kReduceNames, header.reduce_op));
    case OpCode::kReduce:
      return fmt::format("reduce({}, {}, root {})", lookup(kTypeNames, header.type),
                         lookup(kReduceNames, header.reduce_op), header.root);
    case OpCode::kBroadcast:
    case OpCode::kGather:
      return fmt::format("{}(root {})", name_of(header.op), header.root);
    default:
      return name_of(header.op);
  }
}

}  // namespace wccl::collective
