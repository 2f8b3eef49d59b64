#include "fuzz/receptions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "phy/mode.h"

namespace wccl::fuzz {
namespace {

using namespace phy;

constexpr std::size_t kMostScreens = kMaxNodes;
constexpr std::size_t kMostFrames = 4;
constexpr std::size_t kMostBlocks = 100;
constexpr int kMostSide = 4095;  // 12 bits of the header
constexpr double kSharesPerUnit = 100;

void put_header(ByteWriter& writer, const FrameHeader& header) {
  writer.put(header.node);
  writer.put(header.epoch);
  writer.put(header.sequence);
  writer.put(static_cast<std::uint16_t>(header.panel.width_px));
  writer.put(static_cast<std::uint16_t>(header.panel.height_px));
  writer.put(header.mode);
  writer.put(header.transmit_time_ms);
  writer.put(header.feedback);
}

FrameHeader read_header(Choices& choices) {
  FrameHeader header;
  header.node = static_cast<std::uint8_t>(choices.below(kUnnumberedNode + 1));
  header.epoch = choices.number<std::uint16_t>();
  header.sequence = choices.number<std::uint16_t>();
  header.panel.width_px = std::clamp<int>(choices.number<std::uint16_t>(), 1, kMostSide);
  header.panel.height_px = std::clamp<int>(choices.number<std::uint16_t>(), 1, kMostSide);
  header.mode = static_cast<ModeId>(choices.below(modes().size()));
  header.transmit_time_ms = choices.number<std::uint16_t>();
  header.feedback = choices.number<std::uint32_t>();
  return header;
}

void put_frame(ByteWriter& writer, const FrameReception& frame) {
  put_header(writer, frame.header);
  writer.put(static_cast<std::uint8_t>(frame.blocks.size()));
  for (const ReceivedBlock& block : frame.blocks) {
    writer.put(static_cast<std::uint16_t>(block.index));
    writer.put(static_cast<std::uint8_t>(block.payload.size()));
    writer.put_bytes(block.payload);
  }
}

FrameReception read_frame(Choices& choices) {
  FrameReception frame{read_header(choices), {}};
  for (std::size_t n = choices.below(kMostBlocks + 1); n > 0; --n) {
    const int index = choices.number<std::uint16_t>();
    const auto payload = choices.bytes(choices.byte());
    frame.blocks.push_back({index, {payload.begin(), payload.end()}});
  }
  return frame;
}

/// SNR and contrast, as coarse as a byte each has them.
ScreenQuality read_quality(Choices& choices) {
  ScreenQuality quality;
  const double snr_db = choices.byte() / 4.0 - 16;
  const double contrast = choices.byte();
  quality.snr_db = {snr_db, snr_db - 2, snr_db - 4};
  quality.levels = {{{20, 128, 128}, {20 + contrast, 128, 128}}};
  quality.cell_px = choices.byte() / 8.0;
  return quality;
}

void put_screen(ByteWriter& writer, const ScreenReception& screen) {
  writer.put(screen.node);
  writer.put(screen.epoch);
  writer.put(static_cast<std::uint8_t>(screen.blocks_bad));
  writer.put(
      static_cast<std::uint8_t>(std::clamp((screen.quality.snr_db[0] + 16) * 4, 0.0, 255.0)));
  writer.put(static_cast<std::uint8_t>(screen.quality.levels[1][0] - screen.quality.levels[0][0]));
  writer.put(static_cast<std::uint8_t>(screen.quality.cell_px * 8));
  writer.put(static_cast<std::uint8_t>(screen.frames.size()));
  for (const FrameReception& frame : screen.frames) {
    put_frame(writer, frame);
  }
  writer.put(static_cast<std::uint8_t>(screen.shares.size()));
  for (const FrameShare& share : screen.shares) {
    writer.put(share.sequence);
    writer.put(static_cast<std::uint8_t>(share.share * kSharesPerUnit));
  }
}

ScreenReception read_screen(Choices& choices) {
  ScreenReception screen;
  screen.node = static_cast<std::uint8_t>(choices.below(kUnnumberedNode + 1));
  screen.epoch = choices.number<std::uint16_t>();
  screen.blocks_bad = choices.byte();
  screen.quality = read_quality(choices);
  for (std::size_t n = choices.below(kMostFrames + 1); n > 0; --n) {
    screen.frames.push_back(read_frame(choices));
  }
  for (std::size_t n = choices.below(kMostFrames + 1); n > 0; --n) {
    const auto sequence = choices.number<std::uint16_t>();
    screen.shares.push_back({sequence, std::min(1.0, choices.byte() / kSharesPerUnit)});
  }
  return screen;
}

}  // namespace

CaptureReception read_reception(Choices& choices, Instant captured_at) {
  CaptureReception reception;
  reception.captured_at = captured_at;
  for (std::size_t n = choices.below(kMostScreens + 1); n > 0; --n) {
    reception.screens.push_back(read_screen(choices));
  }
  for (std::size_t n = choices.below(3); n > 0; --n) {
    reception.foreign_versions.push_back(static_cast<std::uint8_t>(choices.below(16)));
  }
  return reception;
}

void put_reception(ByteWriter& writer, const CaptureReception& reception) {
  writer.put(static_cast<std::uint8_t>(reception.screens.size()));
  for (const ScreenReception& screen : reception.screens) {
    put_screen(writer, screen);
  }
  writer.put(static_cast<std::uint8_t>(reception.foreign_versions.size()));
  for (const std::uint8_t version : reception.foreign_versions) {
    writer.put(version);
  }
}

}  // namespace wccl::fuzz
