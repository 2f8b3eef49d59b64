#include "link/file_stream.h"

#include <algorithm>
#include <cassert>

namespace wccl::link {
namespace {

constexpr std::size_t kLeastSymbolBytes = 24;
constexpr std::size_t kMostSymbolBytes = 256;
// Larger symbols cost less to decode: worth this share of a frame.
constexpr double kWorthOfSize = 0.004;

std::size_t symbol_bytes_in_frame(std::span<const phy::BlockSlot> slots, std::size_t symbol_bytes) {
  std::size_t sum = 0;
  for (const auto& slot : slots) {
    sum += slot.payload_bytes / symbol_bytes * symbol_bytes;
  }
  return sum;
}

/// Streams start at different sequences: two short ones never meet in one half-read frame.
std::uint16_t first_sequence(std::uint16_t epoch) {
  return static_cast<std::uint16_t>(epoch * 40503U);  // odd, so that it is one to one
}

}  // namespace

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

std::size_t choose_symbol_bytes(std::span<const phy::BlockSlot> slots) {
  std::size_t best = 0;
  std::size_t best_bytes = 0;
  for (std::size_t size = kLeastSymbolBytes; size <= kMostSymbolBytes; ++size) {
    const std::size_t bytes = symbol_bytes_in_frame(slots, size);
    if (static_cast<double>(bytes) >= (1 - kWorthOfSize) * static_cast<double>(best_bytes)) {
      if (bytes == 0) {
        continue;
      }
      best = size;
      best_bytes = std::max(bytes, best_bytes);
    }
  }
  return best;
}

std::optional<FileStreamLayout> FileStreamLayout::of(const FileStreamId& id) {
  FileStreamLayout layout;
  layout.id_ = id;
  layout.slots_ = phy::block_slots(id.panel, id.mode);
  const std::size_t symbol_bytes = choose_symbol_bytes(layout.slots_);
  if (symbol_bytes == 0 || id.object_bytes == 0 || id.object_bytes > kMostObjectBytes) {
    return std::nullopt;
  }
  layout.code_ = RatelessLayout::of(id.object_bytes, symbol_bytes);
  layout.first_symbols_.push_back(0);
  for (const auto& slot : layout.slots_) {
    layout.first_symbols_.push_back(layout.first_symbols_.back() +
                                    slot.payload_bytes / symbol_bytes);
  }
  if (layout.source_frames() > kMostFileFrames) {
    return std::nullopt;
  }
  return layout;
}

std::size_t FileStreamLayout::source_frames() const {
  return (code_.source_symbols() + symbols_per_frame() - 1) / symbols_per_frame();
}

std::uint32_t FileStreamLayout::frame_of(std::uint16_t sequence) const {
  return static_cast<std::uint16_t>(sequence - first_sequence(id_.epoch));
}

SymbolId FileStreamLayout::symbol(std::uint32_t frame, std::size_t slot, std::size_t i) const {
  assert(frame < kMostFileFrames && i < symbols_in(slot));
  return symbol_at(code_, std::uint64_t{frame} * symbols_per_frame() + first_symbols_[slot] + i);
}

}  // namespace wccl::link
