#include "app/exit_status.h"
#include "app/train_command.h"

namespace wccl::app {

int train_command(const TrainSettings& settings) {
  if (auto status = check(settings); !status) {
    return report("train", status.error());
  }
  return report("train",
                {ErrorCode::kUnsupported,
                 "this build has no LibTorch; run ./demo, which installs it, or build with "
                 "-DWCCL_TORCH=ON -DTorch_DIR=/path/to/libtorch/share/cmake/Torch"});
}

}  // namespace wccl::app
