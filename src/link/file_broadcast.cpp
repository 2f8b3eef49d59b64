#include "link/file_broadcast.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

namespace wccl::link {

std::optional<FileBroadcast> FileBroadcast::of(std::span<const std::byte> object,
                                               std::uint16_t epoch,
                                               phy::PanelSize panel,
                                               std::span<const Turn> turns) {
  FileBroadcast broadcast;
  std::shared_ptr<const RatelessEncoder> encoder;
  for (const Turn& turn : turns) {
    assert(turn.frames > 0);
    auto layout =
        FileStreamLayout::of({panel, turn.mode, epoch, static_cast<std::uint32_t>(object.size())});
    if (!layout) {
      continue;
    }
    if (!encoder) {
      encoder = std::make_shared<RatelessEncoder>(object, layout->code());
    }
    broadcast.cycle_frames_ += turn.frames;
    const std::size_t n_symbols = layout->symbols_per_frame();
    broadcast.parts_.push_back({FileSender(encoder, std::move(*layout)), turn.frames});
    if (n_symbols > broadcast.parts_[broadcast.fastest_].sender.layout().symbols_per_frame()) {
      broadcast.fastest_ = broadcast.parts_.size() - 1;
    }
  }
  return broadcast.parts_.empty() ? std::nullopt : std::optional(std::move(broadcast));
}

const FileSender& FileBroadcast::sender_of(std::uint64_t frame) const {
  std::uint64_t place = frame % cycle_frames_;
  auto part = parts_.begin();
  for (; place >= part->frames; ++part) {
    place -= part->frames;
  }
  return part->sender;
}

phy::FrameHeader FileBroadcast::header(std::uint64_t frame) const {
  return sender_of(frame).header(static_cast<std::uint32_t>(frame % kMostFileFrames));
}

std::vector<std::vector<std::byte>> FileBroadcast::payloads(std::uint64_t frame) const {
  return sender_of(frame).payloads(static_cast<std::uint32_t>(frame % kMostFileFrames));
}

std::vector<phy::ModeId> FileBroadcast::modes() const {
  std::vector<phy::ModeId> modes;
  for (const Part& part : parts_) {
    modes.push_back(part.sender.layout().id().mode);
  }
  return modes;
}

std::uint64_t FileBroadcast::lead() const {
  std::uint64_t frames = 0;
  for (std::size_t i = 0; i < fastest_; ++i) {
    frames += parts_[i].frames;
  }
  return frames;
}

double FileBroadcast::rounds(std::uint64_t frame) const {
  const Part& fastest = parts_[fastest_];
  const std::uint64_t place = frame % cycle_frames_;
  const std::uint64_t shown =
      frame / cycle_frames_ * fastest.frames +
      std::min<std::uint64_t>(place - std::min(place, lead()), fastest.frames);
  return static_cast<double>(shown) / static_cast<double>(fastest.sender.layout().source_frames());
}

std::uint64_t FileBroadcast::frames_needed() const {
  const Part& fastest = parts_[fastest_];
  // The last of them ends it, and what follows in its cycle is not waited for.
  const std::uint64_t before_last = fastest.sender.layout().source_frames() - 1;
  return before_last / fastest.frames * cycle_frames_ + lead() + before_last % fastest.frames + 1;
}

}  // namespace wccl::link
