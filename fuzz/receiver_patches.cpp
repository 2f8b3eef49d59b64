// phy::Receiver: captures of real screens of which parts are overwritten, one after the other.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/rng.h"
#include "fuzz/choices.h"
#include "fuzz/pictures.h"
#include "fuzz/target.h"
#include "phy/receiver.h"

namespace wccl::fuzz {
namespace {

using namespace phy;

constexpr std::array kModes{std::pair<std::string_view, PanelSize>{"rgb3-2.1", kSmallPanel},
                            std::pair<std::string_view, PanelSize>{"rgb2-2.4", kSmallPanel},
                            std::pair<std::string_view, PanelSize>{"luma4-0.5", kLargerPanel}};
constexpr std::size_t kFramesPerMode = 3;

/// What screens show, rendered once: of each mode a few frames.
const std::vector<ShownFrame>& shown_frames() {
  static const std::vector<ShownFrame> kFrames = [] {
    std::vector<ShownFrame> frames;
    for (const auto& [name, panel] : kModes) {
      for (std::size_t i = 0; i < kFramesPerMode; ++i) {
        const auto sequence = static_cast<std::uint16_t>(frames.size() + 10);
        frames.push_back(show(2, sequence, *find_mode(name), panel));
        require(!frames.back().payloads.empty());
      }
    }
    return frames;
  }();
  return kFrames;
}

struct Patch {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
  std::uint8_t kind = 0;
  std::uint8_t value = 0;
};

Patch read_patch(Choices& choices, const YuvImage& picture) {
  Patch patch;
  patch.x = choices.byte() * picture.width / 256;
  patch.y = choices.byte() * picture.height / 256;
  patch.width = 1 + choices.byte() * (picture.width - patch.x - 1) / 256;
  patch.height = 1 + choices.byte() * (picture.height - patch.y - 1) / 256;
  patch.kind = choices.byte();
  patch.value = choices.byte();
  return patch;
}

/// What a patch makes of a pixel of a plane: one colour, noise, something from elsewhere, or the
/// opposite.
std::uint8_t patched(const std::vector<std::uint8_t>& before,
                     std::size_t at,
                     const Patch& patch,
                     Rng& rng) {
  switch (patch.kind % 5) {
    case 0:
      return patch.value;
    case 1:
      return static_cast<std::uint8_t>(rng.next());
    case 2:
      return before[(at + std::size_t{patch.value} * 997) % before.size()];
    case 3:
      return static_cast<std::uint8_t>(255 - before[at]);
    default:
      return static_cast<std::uint8_t>(before[at] / (1 + patch.value % 8));
  }
}

void put_patch(std::vector<std::uint8_t>& plane, int width, int step, const Patch& patch) {
  const std::vector<std::uint8_t> before = plane;
  Rng rng(patch.value);
  for (int y = patch.y / step; y < (patch.y + patch.height) / step; ++y) {
    for (int x = patch.x / step; x < (patch.x + patch.width) / step; ++x) {
      const auto at = static_cast<std::size_t>(y * width + x);
      plane[at] = patched(before, at, patch, rng);
    }
  }
}

void put_patches(YuvImage& picture, Choices& choices) {
  for (std::size_t n = choices.below(6); n > 0; --n) {
    const Patch patch = read_patch(choices, picture);
    // Bit 7 of the kind: light alone.
    put_patch(picture.y, picture.width, 1, patch);
    if ((patch.kind & 0x80U) == 0) {
      put_patch(picture.cb, picture.chroma_width, 2, patch);
      put_patch(picture.cr, picture.chroma_width, 2, patch);
    }
  }
}

/// Two frames in one capture, as a rolling shutter has them.
void put_rows_of(const YuvImage& other, int first_row, YuvImage& picture) {
  if (other.width != picture.width || other.height != picture.height) {
    return;
  }
  const auto copy = [first_row](const auto& from, auto& to, int width, int step) {
    const auto at = std::ptrdiff_t{first_row / step} * width;
    std::copy(from.begin() + at, from.end(), to.begin() + at);
  };
  copy(other.y, picture.y, picture.width, 1);
  copy(other.cb, picture.cb, picture.chroma_width, 2);
  copy(other.cr, picture.cr, picture.chroma_width, 2);
}

const ShownFrame* find_shown(const FrameHeader& header) {
  const auto found = std::ranges::find(shown_frames(), header, &ShownFrame::header);
  return found == shown_frames().end() ? nullptr : &*found;
}

/// Nothing but what was shown is ever given out.
void check_frame(const FrameReception& reception) {
  const ShownFrame* const shown = find_shown(reception.header);
  for (const ReceivedBlock& block : reception.blocks) {
    require(shown != nullptr && block.index >= 0);
    require(static_cast<std::size_t>(block.index) < shown->payloads.size());
    require(block.payload == shown->payloads[static_cast<std::size_t>(block.index)]);
  }
}

void check_screen(const ScreenReception& screen) {
  require(screen.node <= kUnnumberedNode && screen.blocks_bad >= 0);
  require(std::ranges::all_of(screen.quality.snr_db, [](double x) { return std::isfinite(x); }));
  require(std::isfinite(screen.quality.cell_px) && std::isfinite(screen.width_share));
  for (const FrameShare& share : screen.shares) {
    require(share.share >= 0 && share.share <= 1.000001);
  }
  for (const FrameReception& frame : screen.frames) {
    check_frame(frame);
  }
}

}  // namespace

void check(std::span<const std::byte> input) {
  constexpr int kMostCaptures = 4;
  Choices choices(input);
  Receiver receiver;
  Instant now{};
  for (int i = 0; i < kMostCaptures && choices.any_left(); ++i) {
    const auto& frames = shown_frames();
    YuvImage picture = frames[choices.below(frames.size())].picture;
    if (choices.coin()) {
      const YuvImage& other = frames[choices.below(frames.size())].picture;
      put_rows_of(other, choices.byte() * picture.height / 256, picture);
    }
    put_patches(picture, choices);
    now += std::chrono::milliseconds(33);
    const CaptureReception reception = receiver.receive(picture.view(), now);
    require(reception.captured_at == now);
    require(reception.screens.size() <= static_cast<std::size_t>(kMaxNodes));
    for (const ScreenReception& screen : reception.screens) {
      check_screen(screen);
    }
  }
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> seeds;
  for (std::uint8_t first = 0; first < shown_frames().size(); first += kFramesPerMode) {
    ByteWriter writer;
    for (std::uint8_t i = 0; i < kFramesPerMode; ++i) {
      // One patch, small, in another place each time.
      put_decisions(writer, {first + i, 0, 1, 40 * i + 60, 100, 30, 30, i, 200});
    }
    seeds.push_back(writer.take());
  }
  return seeds;
}

}  // namespace wccl::fuzz
