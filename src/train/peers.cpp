#include "train/peers.h"

#include <exception>
#include <string>
#include <vector>

#include <ATen/ops/from_blob.h>
#include <c10/util/Exception.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>

namespace wccl::train {
namespace {

std::string first_line(const char* text) {
  const std::string message(text);
  return message.substr(0, message.find('\n'));
}

std::vector<at::Tensor> as_tensors(std::span<float> values) {
  return {at::from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, at::kFloat)};
}

/// Starts a collective over `values` and waits for it.
template <class Start>
Status complete(std::span<float> values, const Start& start) {
  try {
    std::vector<at::Tensor> tensors = as_tensors(values);
    if (!start(tensors)->wait()) {
      return fail(ErrorCode::kPeerLost, "the collective was aborted");
    }
    return {};
  } catch (const c10::Error& error) {
    return fail(ErrorCode::kPeerLost, first_line(error.what_without_backtrace()));
  } catch (const std::exception& error) {
    return fail(ErrorCode::kPeerLost, first_line(error.what()));
  }
}

}  // namespace

Peers::Peers(::c10d::Backend* backend, int rank, int world_size)
    : backend_(backend), rank_(rank), world_size_(world_size) {}

Status Peers::all_reduce_sum(std::span<float> values) {
  if (world_size_ == 1) {
    return {};
  }
  return complete(values, [this](auto& tensors) {
    ::c10d::AllreduceOptions options;
    options.reduceOp = ::c10d::ReduceOp::SUM;
    return backend_->allreduce(tensors, options);
  });
}

Status Peers::broadcast(std::span<float> values, int root) {
  if (world_size_ == 1) {
    return {};
  }
  return complete(values, [this, root](auto& tensors) {
    ::c10d::BroadcastOptions options;
    options.rootRank = root;
    return backend_->broadcast(tensors, options);
  });
}

Status Peers::send(std::span<float> values, int to) {
  return complete(values, [this, to](auto& tensors) { return backend_->send(tensors, to, 0); });
}

Status Peers::receive(std::span<float> values, int from) {
  return complete(values, [this, from](auto& tensors) { return backend_->recv(tensors, from, 0); });
}

}  // namespace wccl::train
