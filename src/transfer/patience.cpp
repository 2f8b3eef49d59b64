#include "transfer/patience.h"

#include <fmt/format.h>

namespace wccl::transfer {

Status Patience::check(Channel& channel, Rank peer, Instant now) {
  const std::uint64_t progress = channel.progress(peer);
  if (!since_ || progress != progress_) {
    progress_ = progress;
    since_ = now;
    return {};
  }
  if (now < *since_ + timeout_) {
    return {};
  }
  const bool in_view = channel.is_in_view(peer);
  return fail(in_view ? ErrorCode::kTimeout : ErrorCode::kPeerLost,
              fmt::format("rank {} did not answer within {:g} s: {}", peer, to_seconds(timeout_),
                          in_view ? "in view but silent"
                                  : "its screen is out of view, or it was stopped there"));
}

}  // namespace wccl::transfer
