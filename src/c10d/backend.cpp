#include "c10d/backend.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/Functions.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "c10d/work.h"

namespace wccl::c10d {
namespace {

using ::c10d::OpType;
using Tensors = std::vector<at::Tensor>;
using WorkPtr = c10::intrusive_ptr<::c10d::Work>;

DataType to_data_type(at::ScalarType type) {
  switch (type) {
    case at::kFloat:
      return DataType::kFloat32;
    case at::kHalf:
      return DataType::kFloat16;
    case at::kBFloat16:
      return DataType::kBfloat16;
    case at::kInt:
      return DataType::kInt32;
    case at::kLong:
      return DataType::kInt64;
    case at::kByte:
      return DataType::kUint8;
    default:
      TORCH_CHECK_TYPE(false,
                       "WCCL reduces float32, float16, bfloat16, int32, int64 and uint8; not ",
                       c10::toString(type));
  }
}

ReduceOp to_reduce_op(const ::c10d::ReduceOp& op) {
  switch (static_cast<::c10d::ReduceOp::RedOpType>(op)) {
    case ::c10d::ReduceOp::SUM:
      return ReduceOp::kSum;
    case ::c10d::ReduceOp::AVG:
      return ReduceOp::kMean;
    case ::c10d::ReduceOp::MIN:
      return ReduceOp::kMin;
    case ::c10d::ReduceOp::MAX:
      return ReduceOp::kMax;
    default:
      TORCH_CHECK_VALUE(false, "WCCL reduces by SUM, AVG, MIN and MAX only");
  }
}

void check_dense_cpu(const at::Tensor& tensor) {
  TORCH_CHECK_VALUE(tensor.defined() && tensor.device().is_cpu() && tensor.layout() == at::kStrided,
                    "WCCL carries dense CPU tensors only; move this one with .cpu() first");
}

at::Tensor& only(Tensors& tensors) {
  TORCH_CHECK_VALUE(tensors.size() == 1, "WCCL takes one tensor a call, not ", tensors.size());
  check_dense_cpu(tensors.front());
  return tensors.front();
}

std::span<std::byte> bytes_of(const at::Tensor& contiguous) {
  return {static_cast<std::byte*>(contiguous.mutable_data_ptr()), contiguous.nbytes()};
}

/// A flat buffer for `n` tensors like `tensor`, one behind the other.
at::Tensor flat_buffer(const at::Tensor& tensor, std::int64_t n) {
  return at::empty({n, tensor.numel()}, tensor.options().requires_grad(false));
}

class Backend final : public ::c10d::Backend {
 public:
  explicit Backend(Communicator& communicator)
      : ::c10d::Backend(communicator.rank(), communicator.world_size()),
        communicator_(communicator) {}

  const std::string getBackendName() const override { return "wccl"; }
  c10::intrusive_ptr<Options> getBackendOptions() override {
    return c10::make_intrusive<Options>(getBackendName());
  }
  void setSequenceNumberForGroup() override {}  // all start at 0
  std::uint64_t getSequenceNumberForGroup() override { return sequence_number_; }

  WorkPtr broadcast(Tensors& tensors, const ::c10d::BroadcastOptions& options) override {
    at::Tensor& tensor = only(tensors);
    const at::Tensor buffer = tensor.contiguous();
    auto work = communicator_.broadcast_async(bytes_of(buffer), to_rank(options.rootRank));
    return in_place(OpType::BROADCAST, std::move(work), tensor, buffer);
  }

  WorkPtr allreduce(Tensors& tensors, const ::c10d::AllreduceOptions& options) override {
    at::Tensor& tensor = only(tensors);
    const at::Tensor buffer = tensor.contiguous();
    auto work = communicator_.all_reduce_async(bytes_of(buffer), to_data_type(tensor.scalar_type()),
                                               to_reduce_op(options.reduceOp));
    return in_place(OpType::ALLREDUCE, std::move(work), tensor, buffer);
  }

  WorkPtr reduce(Tensors& tensors, const ::c10d::ReduceOptions& options) override {
    at::Tensor& tensor = only(tensors);
    const at::Tensor buffer = tensor.contiguous();
    auto work =
        communicator_.reduce_async(bytes_of(buffer), to_data_type(tensor.scalar_type()),
                                   to_reduce_op(options.reduceOp), to_rank(options.rootRank));
    return in_place(OpType::REDUCE, std::move(work), tensor, buffer);
  }

  WorkPtr allgather(std::vector<Tensors>& outputs,
                    Tensors& inputs,
                    const ::c10d::AllgatherOptions& /*options*/) override {
    const at::Tensor input = only(inputs).contiguous();
    check_outputs(outputs, input);
    const at::Tensor gathered = flat_buffer(input, getSize());
    auto work = communicator_.all_gather_async(bytes_of(input), bytes_of(gathered));
    return gathering(OpType::ALLGATHER, std::move(work), input, gathered, outputs.front());
  }

  WorkPtr _allgather_base(at::Tensor& output,
                          at::Tensor& input_tensor,
                          const ::c10d::AllgatherOptions& /*options*/) override {
    check_dense_cpu(output);
    check_dense_cpu(input_tensor);
    TORCH_CHECK_VALUE(output.scalar_type() == input_tensor.scalar_type() &&
                          output.numel() == getSize() * input_tensor.numel(),
                      "all_gather: the output must hold ", getSize(),
                      " times the elements of the input, of the same type");
    const at::Tensor input = input_tensor.contiguous();
    const at::Tensor buffer = output.contiguous();
    auto work = communicator_.all_gather_async(bytes_of(input), bytes_of(buffer));
    return in_place(OpType::_ALLGATHER_BASE, std::move(work), output, buffer, input);
  }

  WorkPtr gather(std::vector<Tensors>& outputs,
                 Tensors& inputs,
                 const ::c10d::GatherOptions& options) override {
    const at::Tensor input = only(inputs).contiguous();
    const Rank root = to_rank(options.rootRank);
    if (root != getRank()) {
      TORCH_CHECK_VALUE(outputs.empty(), "gather: only the root has outputs");
      auto work = communicator_.gather_async(bytes_of(input), {}, root);
      return in_place(OpType::GATHER, std::move(work), input, input);
    }
    check_outputs(outputs, input);
    const at::Tensor gathered = flat_buffer(input, getSize());
    auto work = communicator_.gather_async(bytes_of(input), bytes_of(gathered), root);
    return gathering(OpType::GATHER, std::move(work), input, gathered, outputs.front());
  }

  WorkPtr barrier(const ::c10d::BarrierOptions& /*options*/) override {
    return make_work(communicator_.barrier_async(), {.op_type = OpType::BARRIER});
  }

  WorkPtr send(Tensors& tensors, int to, int tag) override {
    check_tag(tag);
    const at::Tensor buffer = only(tensors).contiguous();
    return in_place(OpType::SEND, communicator_.send_async(bytes_of(buffer), to), buffer, buffer);
  }

  WorkPtr recv(Tensors& tensors, int from, int tag) override {
    check_tag(tag);
    at::Tensor& tensor = only(tensors);
    const at::Tensor buffer = tensor.contiguous();
    auto work = communicator_.receive_async(bytes_of(buffer), from);
    return in_place(OpType::RECV, std::move(work), tensor, buffer);
  }

 private:
  [[nodiscard]] Rank to_rank(std::int64_t root) const {
    TORCH_CHECK_VALUE(root >= 0 && root < getSize(), "root ", root, " is none of the ranks 0 to ",
                      getSize() - 1);
    return static_cast<Rank>(root);
  }

  /// Messages between two ranks are matched in order; tags that reorder them are not carried.
  static void check_tag(int tag) {
    TORCH_CHECK_VALUE(tag == 0, "WCCL matches send and recv in order; use tag 0, not ", tag);
  }

  void check_outputs(const std::vector<Tensors>& outputs, const at::Tensor& input) const {
    TORCH_CHECK_VALUE(outputs.size() == 1 && static_cast<int>(outputs.front().size()) == getSize(),
                      "gathering needs one list of outputs with one tensor for each of the ",
                      getSize(), " ranks");
    for (const at::Tensor& output : outputs.front()) {
      check_dense_cpu(output);
      TORCH_CHECK_VALUE(
          output.scalar_type() == input.scalar_type() && output.numel() == input.numel(),
          "gathering needs outputs of the size and type of the input");
    }
  }

  WorkPtr make_work(std::unique_ptr<wccl::Work> work, WorkContext context) {
    context.rank = getRank();
    context.sequence_number = sequence_number_++;
    return c10::make_intrusive<BackendWork>(std::move(work), std::move(context));
  }

  /// @param buffer  What the operation works on: `tensor` itself or its contiguous copy.
  WorkPtr in_place(OpType op_type,
                   std::unique_ptr<wccl::Work> work,
                   const at::Tensor& tensor,
                   const at::Tensor& buffer,
                   const at::Tensor& input = {}) {
    WorkContext context{.op_type = op_type, .buffers = {buffer, input}, .outputs = {tensor}};
    if (!buffer.is_same(tensor)) {
      context.copy_back = [tensor, buffer] { tensor.copy_(buffer); };
    }
    return make_work(std::move(work), std::move(context));
  }

  /// @param gathered  [world_size, n]: one row for each of the outputs.
  WorkPtr gathering(OpType op_type,
                    std::unique_ptr<wccl::Work> work,
                    const at::Tensor& input,
                    const at::Tensor& gathered,
                    const Tensors& outputs) {
    WorkContext context{.op_type = op_type, .buffers = {input, gathered}, .outputs = outputs};
    context.copy_back = [gathered, outputs] {
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const at::Tensor row = gathered.select(0, static_cast<std::int64_t>(i));
        outputs[i].copy_(row.view(outputs[i].sizes()));
      }
    };
    return make_work(std::move(work), std::move(context));
  }

  Communicator& communicator_;
  std::uint64_t sequence_number_ = 0;
};

}  // namespace

c10::intrusive_ptr<::c10d::Backend> make_backend(Communicator& communicator) {
  return c10::make_intrusive<Backend>(communicator);
}

}  // namespace wccl::c10d
