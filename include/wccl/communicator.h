#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "wccl/result.h"
#include "wccl/transport.h"

namespace wccl {

enum class DataType : std::uint8_t { kFloat32, kFloat16, kBfloat16, kInt32, kInt64, kUint8 };
enum class ReduceOp : std::uint8_t { kSum, kMean, kMin, kMax };

[[nodiscard]] std::size_t size_of(DataType type);

/// C++ types that have a DataType of their own.
template <class T>
concept Element = std::same_as<T, float> || std::same_as<T, std::int32_t> ||
                  std::same_as<T, std::int64_t> || std::same_as<T, std::uint8_t>;

template <Element T>
[[nodiscard]] constexpr DataType data_type_of() {
  if constexpr (std::same_as<T, float>) {
    return DataType::kFloat32;
  }
  if constexpr (std::same_as<T, std::int32_t>) {
    return DataType::kInt32;
  }
  if constexpr (std::same_as<T, std::int64_t>) {
    return DataType::kInt64;
  }
  return DataType::kUint8;
}

/// A collective under way. Its buffers must stay where they are until wait() has returned.
/// Destroying it earlier leaves the buffers alone; what it sent is still on its way.
class Work {
 public:
  virtual ~Work() = default;
  Work() = default;
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  /// Takes what has arrived. @return whether the operation is complete (or has failed).
  virtual bool test() = 0;
  /// Blocks until the operation is complete. Again afterwards: the same status at once.
  virtual Status wait() = 0;
};

/// Collectives over a Transport, in NCCL's words. Every rank calls the same operations in the same
/// order with the same sizes; results are bitwise equal on all ranks (reduction in rank order;
/// docs/collectives.md defines each). Like its transport it belongs to one thread.
///
/// All fail with kInvalidArgument when an argument cannot work, or when a peer called another
/// operation or size (the message names it, and all later collectives fail as well: the programs
/// have parted), and with what the transport says, kTimeout or kPeerLost, when a peer is silent.
/// After a failure the buffers that an operation writes are unchanged.
class Communicator {
 public:
  /// @param transport  Borrowed; must outlive the communicator and every Work.
  explicit Communicator(Transport& transport);

  [[nodiscard]] Rank rank() const;
  [[nodiscard]] int world_size() const;

  Status barrier();
  /// @param buffer  Sent by `root`, overwritten on the others; the same size everywhere.
  Status broadcast(std::span<std::byte> buffer, Rank root);
  /// @param output  [world_size * input.size()], filled in rank order; `input` may lie in it.
  Status all_gather(std::span<const std::byte> input, std::span<std::byte> output);
  /// In place. @param buffer  A whole number of elements of `type`.
  Status all_reduce(std::span<std::byte> buffer, DataType type, ReduceOp op);
  /// all_gather to `root` alone. @param output  As in all_gather; empty on the others.
  Status gather(std::span<const std::byte> input, std::span<std::byte> output, Rank root);
  /// all_reduce of which only `root` has the result; the others' buffers stay as they are.
  Status reduce(std::span<std::byte> buffer, DataType type, ReduceOp op, Rank root);
  /// Point to point, matched in order between the two ranks. send() returns before the peer has it.
  Status send(std::span<const std::byte> buffer, Rank to);
  Status receive(std::span<std::byte> buffer, Rank from);
  /// Blocks until the peers have all that this rank sent: what to do before leaving.
  Status flush();

  template <Element T>
  Status broadcast(std::span<T> values, Rank root) {
    return broadcast(std::as_writable_bytes(values), root);
  }
  template <Element T>
  Status all_gather(std::span<const T> input, std::span<T> output) {
    return all_gather(std::as_bytes(input), std::as_writable_bytes(output));
  }
  template <Element T>
  Status all_reduce(std::span<T> values, ReduceOp op) {
    return all_reduce(std::as_writable_bytes(values), data_type_of<T>(), op);
  }

  [[nodiscard]] std::unique_ptr<Work> barrier_async();
  [[nodiscard]] std::unique_ptr<Work> broadcast_async(std::span<std::byte> buffer, Rank root);
  [[nodiscard]] std::unique_ptr<Work> all_gather_async(std::span<const std::byte> input,
                                                       std::span<std::byte> output);
  [[nodiscard]] std::unique_ptr<Work> all_reduce_async(std::span<std::byte> buffer,
                                                       DataType type,
                                                       ReduceOp op);
  [[nodiscard]] std::unique_ptr<Work> gather_async(std::span<const std::byte> input,
                                                   std::span<std::byte> output,
                                                   Rank root);
  [[nodiscard]] std::unique_ptr<Work> reduce_async(std::span<std::byte> buffer,
                                                   DataType type,
                                                   ReduceOp op,
                                                   Rank root);
  [[nodiscard]] std::unique_ptr<Work> send_async(std::span<const std::byte> buffer, Rank to);
  [[nodiscard]] std::unique_ptr<Work> receive_async(std::span<std::byte> buffer, Rank from);

 private:
  struct Plan;
  std::unique_ptr<Work> start(Plan plan);
  std::unique_ptr<Work> start_collective(Plan plan);
  [[nodiscard]] Status check_root(Rank root) const;
  [[nodiscard]] Status check_peer(Rank peer) const;
  [[nodiscard]] Status check_gather(std::size_t n_input, std::size_t n_output) const;

  Transport& transport_;
  Tag next_tag_ = 0;
  std::uint32_t history_;             ///< Hash of all collectives so far: equal on all ranks.
  std::vector<Tag> sent_, received_;  ///< [world_size] point-to-point messages so far.
};

}  // namespace wccl
