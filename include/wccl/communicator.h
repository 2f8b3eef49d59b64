#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "wccl/result.h"
#include "wccl/transport.h"

namespace wccl {

enum class DataType : std::uint8_t { kFloat32, kFloat16, kBfloat16, kInt32, kInt64, kUint8 };
enum class ReduceOp : std::uint8_t { kSum, kMean, kMin, kMax };

[[nodiscard]] std::size_t size_of(DataType type);

/// A collective under way. Its buffers must stay where they are until wait() has returned.
class Work {
 public:
  virtual ~Work() = default;
  /// Takes what has arrived. @return whether the operation is complete (or has failed).
  virtual bool test() = 0;
  /// Blocks until the operation is complete.
  virtual Status wait() = 0;
};

/// Collectives over a Transport, in NCCL's words. Every rank calls the same operations in the same
/// order with the same sizes; results are bitwise equal on all ranks (reduction in rank order).
class Communicator {
 public:
  /// @param transport  Borrowed; must outlive the communicator.
  explicit Communicator(Transport& transport);

  [[nodiscard]] Rank rank() const;
  [[nodiscard]] int world_size() const;

  Status barrier();
  /// @param buffer  Sent by `root`, overwritten on the others; the same size everywhere.
  Status broadcast(std::span<std::byte> buffer, Rank root);
  /// @param output  [world_size * input.size()], filled in rank order.
  Status all_gather(std::span<const std::byte> input, std::span<std::byte> output);
  /// In place. @param buffer  A whole number of elements of `type`.
  Status all_reduce(std::span<std::byte> buffer, DataType type, ReduceOp op);
  /// Point to point, matched in order between the two ranks.
  Status send(std::span<const std::byte> buffer, Rank to);
  Status receive(std::span<std::byte> buffer, Rank from);

  [[nodiscard]] std::unique_ptr<Work> barrier_async();
  [[nodiscard]] std::unique_ptr<Work> broadcast_async(std::span<std::byte> buffer, Rank root);
  [[nodiscard]] std::unique_ptr<Work> all_gather_async(std::span<const std::byte> input, std::span<std::byte> output);
  [[nodiscard]] std::unique_ptr<Work> all_reduce_async(std::span<std::byte> buffer, DataType type, ReduceOp op);

 private:
  Transport& transport_;
  Tag next_tag_ = 0;
};

}  // namespace wccl
