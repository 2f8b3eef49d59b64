#include "link/file_receiver.h"

#include <algorithm>
#include <utility>

namespace wccl::link {

FileReceiver::Stream* FileReceiver::stream_of(const phy::FrameHeader& header) {
  const auto id = file_stream_of(header);
  if (!id) {
    return nullptr;
  }
  for (const auto& stream : streams_) {
    if (stream->layout.id() == *id) {
      return stream.get();
    }
  }
  auto layout = FileStreamLayout::of(*id);
  if (!layout) {
    return nullptr;
  }
  if (streams_.size() == kMostStreams) {
    streams_.erase(
        std::min_element(streams_.begin(), streams_.end(), [](const auto& a, const auto& b) {
          return a->decoder.symbols_held() < b->decoder.symbols_held();
        }));
  }
  return streams_.emplace_back(std::make_unique<Stream>(std::move(*layout))).get();
}

std::optional<FileReceiver::Object> FileReceiver::take(const phy::FrameReception& frame) {
  if (frame.blocks.empty()) {
    return std::nullopt;
  }
  Stream* const stream = stream_of(frame.header);
  if (stream == nullptr) {
    return std::nullopt;
  }
  const FileStreamLayout& layout = stream->layout;
  const std::uint32_t number = layout.frame_of(frame.header.sequence);
  for (const auto& block : frame.blocks) {
    const auto slot = static_cast<std::size_t>(block.index);
    if (slot >= layout.symbols_per_frame() || block.payload.size() != layout.code().symbol_bytes) {
      continue;
    }
    stream->decoder.add(layout.symbol(number, slot), block.payload);
  }
  if (!stream->decoder.complete()) {
    return std::nullopt;
  }
  Object object{layout.id(), stream->decoder.take()};
  std::erase_if(streams_, [stream](const auto& other) { return other.get() == stream; });
  return object;
}

std::optional<FileReceiver::Progress> FileReceiver::best() const {
  std::optional<Progress> best;
  double best_share = -1;
  for (const auto& stream : streams_) {
    const Progress progress{stream->layout.id(), stream->decoder.symbols_held(),
                            stream->decoder.layout().source_symbols()};
    const double share =
        static_cast<double>(progress.symbols_held) / static_cast<double>(progress.symbols_needed);
    if (share <= best_share) {
      continue;
    }
    best = progress;
    best_share = share;
  }
  return best;
}

}  // namespace wccl::link
