#include "phy/transmitter.h"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "phy/layout.h"
#include "vectors.h"

namespace wccl::phy {
namespace {

std::string fnv1a(const RgbImage& image, PixelRect part) {
  std::uint64_t state = 0xcbf29ce484222325U;
  for (int y = part.y; y < part.y + part.height; ++y) {
    for (int i = 3 * part.x; i < 3 * (part.x + part.width); ++i) {
      state = (state ^ image.row(y)[i]) * 0x100000001b3U;
    }
  }
  std::string text(16, '0');
  for (std::size_t i = 0; i < text.size(); ++i) {
    text[i] = "0123456789abcdef"[(state >> (60 - 4 * i)) & 15U];
  }
  return text;
}

struct Golden {
  std::string name;
  FrameHeader header;
  std::size_t n_payloads;
};

std::vector<Golden> goldens() {
  FrameHeader wide;
  wide.node = 5;
  wide.epoch = 0xbeef;
  wide.sequence = 0x1236;
  wide.panel = {490, 403};
  wide.mode = 18;
  wide.transmit_time_ms = 0xfedc;
  wide.feedback = 0x89abcdef;
  FrameHeader tall;
  tall.node = 2;
  tall.epoch = 1;
  tall.sequence = 0xffff;
  tall.panel = {250, 331};
  tall.mode = 2;
  tall.feedback = 7;
  FrameHeader large;
  large.sequence = 1;
  large.panel = {800, 700};
  large.mode = 3;
  large.transmit_time_ms = 3;
  return {{"wide", wide, 4}, {"tall", tall, 0}, {"large", large, 1}};
}

std::vector<std::vector<std::byte>> golden_payloads(const Golden& golden) {
  std::vector<std::vector<std::byte>> payloads;
  for (std::size_t i = 0; i < golden.n_payloads; ++i) {
    std::vector<std::byte> payload(kBlockPayloadBytes);
    for (std::size_t k = 0; k < payload.size(); ++k) {
      payload[k] = static_cast<std::byte>(i * 57 + k * k * 7 + k * 31 + 5);
    }
    payloads.push_back(std::move(payload));
  }
  return payloads;
}

TEST(Transmitter, FramesMatchTheGoldenVectors) {
  const auto vectors = test::load_vectors("frame.txt");
  for (const Golden& golden : goldens()) {
    const PanelSize panel = golden.header.panel;
    const RgbImage image = Transmitter(panel).render(golden.header, golden_payloads(golden));
    const int m = module_px(panel);
    const int w = panel.width_px;
    const int h = panel.height_px;
    const std::map<std::string, PixelRect> parts{
        {"top_left", {0, 0, 9 * m, 9 * m}},
        {"bottom_left", {0, h - 9 * m, 9 * m, 9 * m}},
        {"upper_strip", {9 * m, 0, w - 18 * m, 4 * m}},
        {"lower_strip", {9 * m, h - 4 * m, w - 18 * m, 4 * m}},
        {"left_columns", {0, 9 * m, 4 * m, h - 18 * m}},
        {"right_columns", {w - 4 * m, 9 * m, 4 * m, h - 18 * m}},
        {"cells", {9 * m, 9 * m, w - 18 * m, h - 18 * m}},
        {"all", {0, 0, w, h}}};
    for (const auto& [part, rect] : parts) {
      EXPECT_EQ(fnv1a(image, rect), vectors.at(golden.name + "." + part))
          << golden.name << ' ' << part;
    }
  }
}

TEST(Transmitter, MeanBrightnessDoesNotDependOnTheData) {
  const PanelSize panel{960, 600};
  FrameHeader header;
  header.panel = panel;
  header.mode = *find_mode("rgb4-1.5");
  const std::size_t n_blocks = block_slots(panel, header.mode).size();
  const auto mean_of = [&](std::byte value, std::uint16_t sequence) {
    const std::vector payloads(n_blocks, std::vector(kBlockPayloadBytes, value));
    header.sequence = sequence;
    const RgbImage image = Transmitter(panel).render(header, payloads);
    double sum = 0;
    for (const std::uint8_t pixel : image.pixels) {
      sum += pixel;
    }
    return sum / static_cast<double>(image.pixels.size());
  };
  // Sequences with the same sync columns; what is left is the chance of 73,000 fair cells: 0.6 at
  // most in five standard deviations of 255 / 2 / sqrt(73000) x 1.3.
  EXPECT_NEAR(mean_of(std::byte{0}, 4), mean_of(std::byte{0xff}, 8), 3.0);
}

}  // namespace
}  // namespace wccl::phy
