#include "c10d/work.h"

#include <string>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/core/jit_type.h>
#include <c10/util/Exception.h>

namespace wccl::c10d {
namespace {

std::exception_ptr to_exception(const Error& error) {
  const c10::SourceLocation here = {__func__, __FILE__, static_cast<std::uint32_t>(__LINE__)};
  return std::make_exception_ptr(c10::DistBackendError(here, "WCCL: " + error.message));
}

}  // namespace

BackendWork::BackendWork(std::unique_ptr<wccl::Work> work, WorkContext context)
    : ::c10d::Work(context.rank, context.op_type),
      work_(std::move(work)),
      context_(std::move(context)),
      future_(c10::make_intrusive<c10::ivalue::Future>(c10::ListType::ofTensors())) {}

bool BackendWork::isCompleted() {
  if (work_ && work_->test()) {
    settle();
  }
  return !work_;
}

bool BackendWork::wait(std::chrono::milliseconds /*timeout*/) {
  settle();
  if (const auto failure = exception()) {
    std::rethrow_exception(failure);
  }
  return true;
}

std::vector<at::Tensor> BackendWork::result() {
  return context_.outputs;
}

c10::intrusive_ptr<c10::ivalue::Future> BackendWork::getFuture() {
  settle();
  return future_;
}

std::uint64_t BackendWork::getSequencenumber() const {
  return context_.sequence_number;
}

void BackendWork::settle() {
  if (!work_) {
    return;
  }
  const Status status = work_->wait();
  work_.reset();
  if (status) {
    const at::NoGradGuard no_grad;  // parameters are leaves, which autograd would not let us write
    if (context_.copy_back) {
      context_.copy_back();
    }
    finish();
    future_->markCompleted(c10::IValue(context_.outputs));
  } else {
    const auto failure = to_exception(status.error());
    finish(failure);
    future_->setError(failure);
  }
  context_.buffers.clear();
  context_.copy_back = nullptr;
}

}  // namespace wccl::c10d
