#include "link/file_sender.h"

#include <cassert>
#include <utility>

namespace wccl::link {

FileSender::FileSender(std::span<const std::byte> object, FileStreamLayout layout)
    : layout_(std::move(layout)),
      encoder_(std::make_shared<RatelessEncoder>(object, layout_.code())) {}

FileSender::FileSender(std::shared_ptr<const RatelessEncoder> encoder, FileStreamLayout layout)
    : layout_(std::move(layout)), encoder_(std::move(encoder)) {
  assert(encoder_->layout() == layout_.code());
}

phy::FrameHeader FileSender::header(std::uint32_t frame) const {
  return file_frame_header(layout_.id(), frame);
}

std::vector<std::vector<std::byte>> FileSender::payloads(std::uint32_t frame) const {
  std::vector<std::vector<std::byte>> payloads;
  for (std::size_t slot = 0; slot < layout_.symbols_per_frame(); ++slot) {
    auto& payload = payloads.emplace_back(layout_.code().symbol_bytes);
    encoder_->encode(layout_.symbol(frame, slot), payload);
  }
  return payloads;
}

}  // namespace wccl::link
