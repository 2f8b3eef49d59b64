#include "transfer/run.h"

namespace wccl::transfer {
namespace {

constexpr Duration kHearing = std::chrono::seconds(3);

/// A silent or interrupted peer comes back, perhaps; it is not to be sent away.
bool concerns_peers(const Error& error) {
  return error.code != ErrorCode::kTimeout && error.code != ErrorCode::kPeerLost &&
         error.code != ErrorCode::kCancelled;
}

}  // namespace

void tell(const std::vector<Rank>& peers,
          const Error& error,
          Channel& channel,
          link::Waiter& waiter) {
  if (!concerns_peers(error) ||
      !channel.transport().send(peers, kControlTag, encode_control(Abort{error.message}))) {
    return;
  }
  // This side's error is what counts; that nobody hears of it is none.
  static_cast<void>(
      waiter.wait([&] { return channel.load().all_acknowledged; }, waiter.now() + kHearing));
}

}  // namespace wccl::transfer
