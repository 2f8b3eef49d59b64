#pragma once

#include <c10/util/intrusive_ptr.h>

#include "wccl/communicator.h"

namespace c10d {
class Backend;
}

namespace wccl::c10d {

/// A c10d backend that speaks through `communicator`, which must outlive it. CPU tensors only.
[[nodiscard]] ::c10::intrusive_ptr<::c10d::Backend> make_backend(Communicator& communicator);

}  // namespace wccl::c10d
