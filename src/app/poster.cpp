#include "app/poster.h"

#include <chrono>
#include <cstddef>
#include <vector>

namespace wccl::app {
namespace {

constexpr int kHoldRefreshes = 4;

}  // namespace

Poster::Poster(std::uint8_t node, phy::PanelSize panel, phy::ModeId mode, std::uint64_t seed)
    : transmitter_(panel), bytes_(Rng(seed).split(node)) {
  header_.node = node;
  header_.panel = panel;
  header_.mode = mode;
}

Painting Poster::next_frame(Instant now) {
  if (refreshes_++ % kHoldRefreshes != 0) {
    return {};
  }
  shown_ = std::make_shared<RgbImage>(next_picture(now));
  return [this] { return shown_; };
}

std::function<void(Instant)> Poster::decode(const Capture& /*capture*/) {
  return {};
}

RgbImage Poster::next_picture(Instant now) {
  using std::chrono::milliseconds;
  ++header_.sequence;
  header_.transmit_time_ms = static_cast<std::uint16_t>(
      std::chrono::floor<milliseconds>(now.time_since_epoch()).count() & 0xffff);
  std::vector<std::vector<std::byte>> payloads;
  const std::size_t n_blocks = phy::block_slots(header_.panel, header_.mode).size();
  while (payloads.size() < n_blocks) {
    auto& payload = payloads.emplace_back(phy::kBlockPayloadBytes);
    for (auto& byte : payload) {
      byte = static_cast<std::byte>(bytes_.below(256));
    }
  }
  return transmitter_.render(header_, payloads);
}

}  // namespace wccl::app
