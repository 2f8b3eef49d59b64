#include "link/file_stream.h"

#include <cassert>

namespace wccl::link {
namespace {

/// Streams start at different sequences: two short ones never meet in one half-read frame.
std::uint16_t first_sequence(std::uint16_t epoch) {
  return static_cast<std::uint16_t>(epoch * 40503U);  // odd, so that it is one to one
}

}  // namespace

RatelessLayout code_of(const FileObjectId& id) {
  return RatelessLayout::of(id.bytes, phy::kBlockPayloadBytes);
}

phy::FrameHeader file_frame_header(const FileStreamId& id, std::uint32_t frame) {
  phy::FrameHeader header;
  header.epoch = id.epoch;
  header.sequence = static_cast<std::uint16_t>(first_sequence(id.epoch) + frame);
  header.panel = id.panel;
  header.mode = id.mode;
  header.feedback = kFileStreamMark | id.object_bytes;
  return header;
}

std::optional<FileStreamId> file_stream_of(const phy::FrameHeader& header) {
  if ((header.feedback & kFileStreamMark) == 0) {
    return std::nullopt;
  }
  const std::uint32_t object_bytes = header.feedback & ~kFileStreamMark;
  if (object_bytes == 0 || object_bytes > kMostObjectBytes) {
    return std::nullopt;
  }
  return FileStreamId{header.panel, header.mode, header.epoch, object_bytes};
}

std::optional<FileStreamLayout> FileStreamLayout::of(const FileStreamId& id) {
  FileStreamLayout layout;
  layout.id_ = id;
  layout.symbols_per_frame_ = phy::block_slots(id.panel, id.mode).size();
  if (layout.symbols_per_frame_ == 0 || id.object_bytes == 0 ||
      id.object_bytes > kMostObjectBytes) {
    return std::nullopt;
  }
  layout.code_ = code_of(object_of(id));
  if (layout.source_frames() > kMostFileFrames) {
    return std::nullopt;
  }
  return layout;
}

std::size_t FileStreamLayout::source_frames() const {
  return (code_.source_symbols() + symbols_per_frame_ - 1) / symbols_per_frame_;
}

std::uint32_t FileStreamLayout::frame_of(std::uint16_t sequence) const {
  return static_cast<std::uint16_t>(sequence - first_sequence(id_.epoch));
}

SymbolId FileStreamLayout::symbol(std::uint32_t frame, std::size_t slot) const {
  assert(frame < kMostFileFrames && slot < symbols_per_frame_);
  return symbol_at(code_, std::uint64_t{frame} * symbols_per_frame_ + slot);
}

}  // namespace wccl::link
