#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <torch/csrc/distributed/c10d/Work.hpp>

#include "wccl/communicator.h"

namespace wccl::c10d {

/// What a BackendWork carries besides the operation itself.
struct WorkContext {
  int rank = 0;
  ::c10d::OpType op_type = ::c10d::OpType::UNKNOWN;
  std::uint64_t sequence_number = 0;
  std::vector<at::Tensor> buffers{};  ///< Kept alive: the operation reads and writes them.
  std::vector<at::Tensor> outputs{};  ///< The result.
  std::function<void()> copy_back{};  ///< From buffers to outputs where those are not contiguous.
};

/// An operation of the communicator as c10d's Work. No thread stands behind it: wait(),
/// isCompleted() and getFuture() move it on, on the caller's thread, for the room's time stands
/// still while a rank's program runs.
class BackendWork final : public ::c10d::Work {
 public:
  BackendWork(std::unique_ptr<wccl::Work> work, WorkContext context);

  bool isCompleted() override;
  /// Throws DistBackendError, naming the rank that failed. The transport's own deadline holds;
  /// `timeout` is ignored.
  bool wait(std::chrono::milliseconds timeout) override;
  std::vector<at::Tensor> result() override;
  /// Blocks: a Future (it is final) could not call us when somebody waits for it.
  c10::intrusive_ptr<c10::ivalue::Future> getFuture() override;
  [[nodiscard]] std::uint64_t getSequencenumber() const override;

 private:
  void settle();

  std::unique_ptr<wccl::Work> work_;  // null once it is over
  WorkContext context_;
  c10::intrusive_ptr<c10::ivalue::Future> future_;
};

}  // namespace wccl::c10d
