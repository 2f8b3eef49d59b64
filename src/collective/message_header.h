#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "wccl/communicator.h"

namespace wccl::collective {

enum class OpCode : std::uint8_t {
  kBarrier = 1,
  kBroadcast,
  kAllGather,
  kAllReduce,
  kGather,
  kReduce,
  kPointToPoint,
};

/// What a rank believes to be doing; sent ahead of its data, so that programs that have parted get
/// an error and not each other's bytes.
struct MessageHeader {
  OpCode op = OpCode::kBarrier;
  DataType type = DataType::kFloat32;  ///< Zero where the operation has none; so are the next two.
  ReduceOp reduce_op = ReduceOp::kSum;
  std::uint16_t root = 0;
  std::uint32_t history = 0;  ///< Hash of the collectives before this one.

  friend bool operator==(const MessageHeader&, const MessageHeader&) = default;
};

/// Byte 0 op, 1 type * 16 + reduce_op, 2-3 root, 4-7 history; lowest byte first. Eight bytes keep
/// the data behind them aligned.
inline constexpr std::size_t kHeaderBytes = 8;

/// The header and `data` behind it: a whole message.
[[nodiscard]] Bytes encode_message(const MessageHeader& header, std::span<const std::byte> data);
/// @return nothing when the bytes are no header of ours.
[[nodiscard]] std::optional<MessageHeader> decode_header(std::span<const std::byte> message);

/// The history after an operation on `n_bytes` (FNV-1a over its header and size).
[[nodiscard]] std::uint32_t next_history(const MessageHeader& header, std::size_t n_bytes);
inline constexpr std::uint32_t kEmptyHistory = 0x811C9DC5;  ///< FNV-1a's offset basis.

/// As the user wrote it: "all_reduce", for messages.
[[nodiscard]] std::string name_of(OpCode op);
/// With what tells calls of one operation apart: "all_reduce(float32, sum)", "broadcast(root 1)".
[[nodiscard]] std::string describe(const MessageHeader& header);

}  // namespace wccl::collective
