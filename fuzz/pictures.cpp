#include "fuzz/pictures.h"

#include <algorithm>
#include <cstddef>

#include "base/rng.h"

namespace wccl::fuzz {
namespace {

std::uint8_t to_byte(double value) {
  return static_cast<std::uint8_t>(std::clamp(value + 0.5, 0.0, 255.0));
}

void put_pixel(YuvImage& picture, int x, int y, const std::uint8_t* rgb) {
  const double r = rgb[0];
  const double g = rgb[1];
  const double b = rgb[2];
  const auto at = static_cast<std::size_t>(y * picture.width + x);
  const auto chroma_at = static_cast<std::size_t>(y / 2 * picture.chroma_width + x / 2);
  picture.y[at] = to_byte(0.299 * r + 0.587 * g + 0.114 * b);
  picture.cb[chroma_at] = to_byte(128 - 0.168736 * r - 0.331264 * g + 0.5 * b);
  picture.cr[chroma_at] = to_byte(128 + 0.5 * r - 0.418688 * g - 0.081312 * b);
}

YuvImage film(const RgbImage& screen) {
  YuvImage picture(screen.width + 2 * kMarginPx, screen.height + 2 * kMarginPx);
  std::ranges::fill(picture.y, std::uint8_t{90});
  std::ranges::fill(picture.cb, std::uint8_t{128});
  std::ranges::fill(picture.cr, std::uint8_t{128});
  for (int y = 0; y < screen.height; ++y) {
    for (int x = 0; x < screen.width; ++x) {
      put_pixel(picture, x + kMarginPx, y + kMarginPx, screen.row(y) + std::ptrdiff_t{3} * x);
    }
  }
  return picture;
}

}  // namespace

ShownFrame show(std::uint8_t node, std::uint16_t sequence, phy::ModeId mode, phy::PanelSize panel) {
  ShownFrame frame;
  frame.header.node = node;
  frame.header.epoch = static_cast<std::uint16_t>(0x4000 + node);
  frame.header.sequence = sequence;
  frame.header.panel = panel;
  frame.header.mode = mode;
  Rng rng(sequence);
  for (std::size_t n = phy::block_slots(panel, mode).size(); n > 0; --n) {
    Bytes& payload = frame.payloads.emplace_back(phy::kBlockPayloadBytes);
    std::ranges::generate(payload, [&rng] { return static_cast<std::byte>(rng.next()); });
  }
  frame.picture = film(phy::Transmitter(panel).render(frame.header, frame.payloads));
  return frame;
}

}  // namespace wccl::fuzz
