#include "link/file_sender.h"

#include <utility>

namespace wccl::link {

FileSender::FileSender(std::span<const std::byte> object, FileStreamLayout layout)
    : layout_(std::move(layout)), encoder_(object, layout_.code()) {}

phy::FrameHeader FileSender::header(std::uint32_t frame) const {
  return file_frame_header(layout_.id(), frame);
}

std::vector<std::vector<std::byte>> FileSender::payloads(std::uint32_t frame) const {
  const std::size_t n_bytes = layout_.code().symbol_bytes;
  std::vector<std::vector<std::byte>> payloads;
  for (std::size_t slot = 0; slot < layout_.slots().size(); ++slot) {
    auto& payload = payloads.emplace_back(layout_.slots()[slot].payload_bytes);
    for (std::size_t i = 0; i < layout_.symbols_in(slot); ++i) {
      encoder_.encode(layout_.symbol(frame, slot, i),
                      std::span(payload).subspan(i * n_bytes, n_bytes));
    }
  }
  return payloads;
}

}  // namespace wccl::link
