// link::parse_goodbye(): the last word of a rank, which others are shown.
#include "link/goodbye.h"

#include <algorithm>
#include <string>

#include "base/printable.h"
#include "fuzz/target.h"

namespace wccl::fuzz {

void check(std::span<const std::byte> input) {
  const auto goodbye = link::parse_goodbye(input);
  if (!goodbye) {
    return;
  }
  const Bytes bytes = encode(*goodbye);
  if (goodbye->departure) {
    const auto& [rank, reason] = *goodbye->departure;
    require(rank >= 0 && rank < phy::kMaxNodes);
    require(reason.size() <= link::kMostReasonBytes);
    require(printable(reason, link::kMostReasonBytes) == reason);
    require(!goodbye->departure->text().empty());
    // But for the reason, of which it keeps what can be shown.
    const std::size_t n_head = bytes.size() - reason.size();
    require(std::ranges::equal(std::span(bytes).first(n_head), input.first(n_head)));
  }
  const auto again = link::parse_goodbye(bytes);
  require(again.has_value() && again->epochs == goodbye->epochs);
  require(again->departure.has_value() == goodbye->departure.has_value());
  require(encode(*again) == bytes);
}

std::vector<Bytes> seeds() {
  link::Goodbye early;
  early.departure = {3, "the disk is full: \xC3\xA4\x1B[2J"};
  early.epochs = {1, 2, 3, 4, 5, 6, 7, 0xFFFF};
  link::Goodbye wordy = early;
  wordy.departure->reason = std::string(199, 'x') + "\xE5\xA4\xA7";
  return {encode(link::Goodbye{}), encode(early), encode(wordy)};
}

}  // namespace wccl::fuzz
