#include "eval/sender.h"

namespace wccl::eval {
namespace {

constexpr std::uint64_t kPayloadStream = 0x7061796C;

}  // namespace

Sender::Sender(std::shared_ptr<const phy::Layout> layout, std::uint64_t seed)
    : layout_(std::move(layout)),
      rng_(Rng(seed).split(kPayloadStream)),
      transmitter_(layout_->panel()),
      slots_(phy::block_slots(layout_->panel(), layout_->mode_id())) {}

const Sender::Frame& Sender::frame(std::int64_t number) {
  for (const Frame& frame : frames_) {
    if (frame.number == number) {
      return frame;
    }
  }
  return frames_.emplace_back(make(number));
}

void Sender::forget_before(std::int64_t number) {
  std::erase_if(frames_, [number](const Frame& frame) { return frame.number < number; });
}

Sender::Frame Sender::make(std::int64_t number) const {
  Frame frame;
  frame.number = number;
  Rng rng = rng_.split(static_cast<std::uint64_t>(number));
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    auto& payload = frame.payloads.emplace_back(phy::kBlockPayloadBytes);
    for (std::byte& byte : payload) {
      byte = static_cast<std::byte>(rng.next() >> 56U);
    }
  }
  phy::FrameHeader header;
  header.node = kNode;
  header.epoch = 1;
  header.sequence = static_cast<std::uint16_t>(number);
  header.panel = layout_->panel();
  header.mode = layout_->mode_id();
  frame.picture = std::make_shared<const RgbImage>(transmitter_.render(header, frame.payloads));
  return frame;
}

}  // namespace wccl::eval
