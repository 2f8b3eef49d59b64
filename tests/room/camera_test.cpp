#include "room/camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include <gmock/gmock.h>

#include "base/rng.h"
#include "room/draw.h"
#include "room/png.h"
#include "room/visibility.h"

namespace wccl::room {
namespace {

using std::chrono::milliseconds;

Scene quarter_scene(const char* name) {
  Scene scene = make_scene(name, "", 2).value();
  for (const char* change : {"camera.width_px=480", "camera.height_px=270", "panel.width_px=480",
                             "panel.height_px=300"}) {
    EXPECT_TRUE(override_parameter(scene, change));
  }
  return scene;
}

std::shared_ptr<const RgbImage> cells(const PanelSpec& panel, std::uint64_t seed, int cell_px = 4) {
  auto image = std::make_shared<RgbImage>(panel.width_px, panel.height_px);
  Rng rng(seed);
  for (int y = 0; y < panel.height_px; y += cell_px) {
    for (int x = 0; x < panel.width_px; x += cell_px) {
      const auto bits = rng.next();
      for (int j = y; j < std::min(y + cell_px, panel.height_px); ++j) {
        for (int i = 3 * x; i < 3 * std::min(x + cell_px, panel.width_px); ++i) {
          image->row(j)[i] = (bits >> (i % 3) & 1U) != 0 ? 255 : 0;
        }
      }
    }
  }
  return image;
}

std::vector<PanelHistory> showing(const std::shared_ptr<const RgbImage>& frame) {
  return {{}, {{Instant(Duration(-1'000'000)), frame}}};
}

std::shared_ptr<const RgbImage> plain(const PanelSpec& panel,
                                      std::uint8_t r,
                                      std::uint8_t g,
                                      std::uint8_t b) {
  auto image = std::make_shared<RgbImage>(panel.width_px, panel.height_px);
  for (std::size_t i = 0; i < image->pixels.size(); i += 3) {
    image->pixels[i] = r;
    image->pixels[i + 1] = g;
    image->pixels[i + 2] = b;
  }
  return image;
}

Instant capture_time(int index) {
  return Instant(Duration(33'333 * index));
}

TEST(Camera, SameSeedGivesTheSamePictures) {
  const Scene scene = quarter_scene("face_1080p");
  const auto panels = showing(cells(scene.nodes[1].panel, 1));
  Camera a(scene, 0, 5);
  Camera b(scene, 0, 5);
  Camera other(scene, 0, 6);
  for (int i = 0; i < 3; ++i) {
    const auto picture = a.capture(panels, capture_time(i)).y;
    EXPECT_EQ(picture, b.capture(panels, capture_time(i)).y);
    EXPECT_NE(picture, other.capture(panels, capture_time(i)).y);
  }
}

TEST(Camera, NodesOfOneSeedHaveNoiseOfTheirOwn) {
  const Scene scene = quarter_scene("face_1080p");
  const auto frame = cells(scene.nodes[1].panel, 1);
  const std::vector<PanelHistory> panels(2, PanelHistory{{Instant(Duration(-1'000'000)), frame}});
  EXPECT_NE(Camera(scene, 0, 5).capture(panels, {}).y, Camera(scene, 1, 5).capture(panels, {}).y);
}

TEST(Camera, AutoExposureStartsWrongAndConvergesWithinHalfASecond) {
  for (const char* name : {"face_1080p", "glare", "far"}) {
    const Scene scene = quarter_scene(name);
    const auto panels = showing(cells(scene.nodes[1].panel, 1));
    for (const std::uint64_t seed : {1, 2, 3}) {
      Camera camera(scene, 0, seed);
      std::vector<double> product;
      for (int i = 0; i < 40; ++i) {
        (void)camera.capture(panels, capture_time(i));
        product.push_back(camera.last().exposure_ms * camera.last().gain);
      }
      EXPECT_NEAR(product[15] / product[39], 1, 0.15) << name << seed;
      EXPECT_NEAR(product[30] / product[39], 1, 0.03) << name << seed;
    }
  }
}

TEST(Camera, ExposureAndGainKeepTheirLimits) {
  Scene scene = quarter_scene("face_1080p");
  ASSERT_TRUE(override_parameter(scene, "camera.exposure_ms=8"));
  ASSERT_TRUE(override_parameter(scene, "camera.gain=1.5"));
  Camera camera(scene, 0, 1);
  for (int i = 0; i < 5; ++i) {
    (void)camera.capture(showing(nullptr), capture_time(i));
  }
  EXPECT_EQ(camera.last().exposure_ms, 8);
  EXPECT_EQ(camera.last().gain, 1.5);
}

TEST(Camera, QualityDropsWhenFramesAreHardAndStaysWhenTheyAreNot) {
  Scene scene = quarter_scene("face_1080p");
  ASSERT_TRUE(override_parameter(scene, "camera.frame_kilobytes=20"));
  Camera hard(scene, 0, 1);
  Camera easy(scene, 0, 1);
  for (int i = 0; i < 30; ++i) {
    (void)hard.capture(showing(cells(scene.nodes[1].panel, static_cast<std::uint64_t>(i))),
                       capture_time(i));
    (void)easy.capture(showing(plain(scene.nodes[1].panel, 90, 90, 90)), capture_time(i));
  }
  EXPECT_LT(hard.last().jpeg_quality, easy.last().jpeg_quality - 10);
  EXPECT_LT(static_cast<double>(hard.last().jpeg_bytes), 1.25 * 20'000);
}

TEST(Camera, IdealSceneShowsThePanelsColours) {
  const Scene scene = quarter_scene("ideal");
  Camera camera(scene, 0, 1);
  const View view = look_around(scene).view(0, 1);
  const int x = static_cast<int>((view.corners[0].x + view.corners[2].x) / 2);
  const int y = static_cast<int>((view.corners[0].y + view.corners[2].y) / 2);
  const double light =
      scene.nodes[1].panel.white_nits * 8 * 3 / scene.nodes[0].camera.full_well_e;  // at 255
  for (const auto& colour : {Colour{255, 255, 255}, Colour{200, 60, 60}, Colour{40, 160, 220}}) {
    const auto picture =
        to_rgb(camera
                   .capture(showing(plain(scene.nodes[1].panel, colour.r, colour.g, colour.b)),
                            capture_time(0))
                   .view());
    const auto expected = [light](std::uint8_t shown) {
      const double value = shown / 255.0;
      const double linear =
          light * (value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
      return 255 *
             (linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055);
    };
    EXPECT_NEAR(picture.row(y)[3 * x], expected(colour.r), 3);
    EXPECT_NEAR(picture.row(y)[3 * x + 1], expected(colour.g), 3);
    EXPECT_NEAR(picture.row(y)[3 * x + 2], expected(colour.b), 3);
  }
}

TEST(Camera, IdealSceneHasNoChromaSubsampling) {
  const Scene scene = quarter_scene("ideal");
  const YuvImage picture = Camera(scene, 0, 1).capture(showing(nullptr), {});
  EXPECT_EQ(picture.chroma_width, 480);
  EXPECT_EQ(picture.chroma_height, 270);
  EXPECT_EQ(picture.cb.size(), picture.y.size());
}

TEST(Camera, AFrameThatChangesDuringReadOutShowsBothInDifferentRows) {
  Scene scene = quarter_scene("ideal");
  ASSERT_TRUE(override_parameter(scene, "camera.readout_ms=30"));
  ASSERT_TRUE(override_parameter(scene, "camera.exposure_ms=1"));
  const PanelSpec& panel = scene.nodes[1].panel;
  const std::vector<PanelHistory> panels = {
      {},
      {{Instant(Duration(-1'000'000)), plain(panel, 255, 255, 255)},
       {Instant(milliseconds(15)), nullptr}}};
  const YuvImage picture = Camera(scene, 0, 1).capture(panels, Instant{});
  const auto at = [&](int y) { return picture.y[static_cast<std::size_t>(y * 480 + 240)]; };
  EXPECT_GT(at(100), 60);
  EXPECT_LT(at(180), 3);
}

TEST(Camera, NoiseGrowsInTheDark) {
  const auto luma_noise = [](const char* name) {
    const Scene scene = quarter_scene(name);
    Camera camera(scene, 0, 1);
    const auto panels = showing(plain(scene.nodes[1].panel, 128, 128, 128));
    for (int i = 0; i < 20; ++i) {
      (void)camera.capture(panels, capture_time(i));
    }
    const YuvImage a = camera.capture(panels, capture_time(20));
    const YuvImage b = camera.capture(panels, capture_time(21));
    double squares = 0;
    for (std::size_t i = 0; i < a.y.size(); ++i) {
      squares += std::pow(double(a.y[i]) - double(b.y[i]), 2);
    }
    return std::sqrt(0.5 * squares / static_cast<double>(a.y.size()));
  };
  EXPECT_GT(luma_noise("dim"), 1.5 * luma_noise("face_1080p"));
  EXPECT_LT(luma_noise("ideal"), 0.1);
}

TEST(Camera, GlareBrightensItsSpotOnly) {
  Scene scene = quarter_scene("glare");
  ASSERT_TRUE(override_parameter(scene, "camera.exposure_ms=6"));
  ASSERT_TRUE(override_parameter(scene, "camera.gain=1"));
  Scene without = scene;
  ASSERT_TRUE(override_parameter(without, "light.glare_nits=0"));
  const auto panels = showing(nullptr);
  const YuvImage bright = Camera(scene, 0, 1).capture(panels, {});
  const YuvImage plain_room = Camera(without, 0, 1).capture(panels, {});
  const View view = look_around(scene).view(0, 1);
  const auto luma = [&](const YuvImage& picture, double across, double down) {
    const double x = view.corners[0].x + across * (view.corners[1].x - view.corners[0].x);
    const double y = view.corners[0].y + down * (view.corners[3].y - view.corners[0].y);
    return int{
        picture.y[static_cast<std::size_t>(static_cast<int>(y) * 480 + static_cast<int>(x))]};
  };
  EXPECT_GT(luma(bright, 0.68, 0.30), luma(plain_room, 0.68, 0.30) + 40);
  EXPECT_NEAR(luma(bright, 0.1, 0.9), luma(plain_room, 0.1, 0.9), 8);
}

TEST(Camera, EveryParameterAtItsLimitsStillGivesAPicture) {
  Scene small = make_scene("face_1080p", "", 2).value();
  for (const char* change :
       {"camera.width_px=96", "camera.height_px=64", "panel.width_px=96", "panel.height_px=64"}) {
    ASSERT_TRUE(override_parameter(small, change));
  }
  for (const ParameterInfo& info : list_parameters(small)) {
    for (const double value : {info.min, info.max}) {
      Scene scene = small;
      const bool is_matrix = info.name == "camera.crosstalk";
      std::string text = std::to_string(value);
      for (int i = 1; is_matrix && i < 9; ++i) {
        text.append(",").append(std::to_string(value));
      }
      // A minimum above its maximum is refused; all else must work.
      if (!override_parameter(scene, info.name + "=" + text)) {
        continue;
      }
      Camera camera(scene, 0, 1);
      const auto panels = showing(plain(scene.nodes[1].panel, 255, 255, 255));
      const YuvImage picture = camera.capture(panels, capture_time(0));
      EXPECT_EQ(picture.width, scene.nodes[0].camera.width_px) << info.name;
      (void)camera.capture(panels, capture_time(1));
    }
  }
}

std::filesystem::path temporary(const char* name) {
  return std::filesystem::temp_directory_path() / name;
}

TEST(Png, WhatIsWrittenIsReadBack) {
  const auto image = *cells(PanelSpec{.width_px = 101, .height_px = 67}, 3, 1);
  const auto path = temporary("wccl_room_png_test.png");
  ASSERT_TRUE(write_png(path, image));
  const auto again = read_png(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->width, 101);
  EXPECT_EQ(again->height, 67);
  EXPECT_EQ(again->pixels, image.pixels);
}

TEST(Png, UnwritableAndTornFilesAreErrors) {
  EXPECT_EQ(write_png("/nowhere/at/all.png", RgbImage(2, 2)).error().code, ErrorCode::kIo);
  EXPECT_EQ(read_png("/nowhere/at/all.png").error().code, ErrorCode::kIo);
  const auto path = temporary("wccl_room_torn_test.png");
  ASSERT_TRUE(write_png(path, RgbImage(64, 64)));
  std::filesystem::resize_file(path, 60);
  EXPECT_EQ(read_png(path).error().code, ErrorCode::kCorrupt);
  std::ofstream(path) << "this is no picture";
  EXPECT_EQ(read_png(path).error().code, ErrorCode::kCorrupt);
  std::filesystem::remove(path);
}

TEST(Png, AFewBytesThatClaimGigabytesAreRefused) {
  // 32768 x 32768 pixels in IHDR, and the beginning of their data.
  constexpr std::array<unsigned char, 56> kFile{
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48,
      0x44, 0x52, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x80, 0x00, 0x08, 0x02, 0x00, 0x00,
      0x00, 0x4B, 0x1E, 0x34, 0x28, 0x00, 0x00, 0x00, 0x0B, 0x49, 0x44, 0x41, 0x54, 0x78,
      0x9C, 0x63, 0x60, 0x80, 0x01, 0x00, 0x00, 0x0A, 0x00, 0x01, 0x7F, 0x80, 0x74, 0x5E};
  const auto path = temporary("wccl_room_large_test.png");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(kFile.data()), kFile.size());
  const auto image = read_png(path);
  std::filesystem::remove(path);
  ASSERT_FALSE(image);
  EXPECT_THAT(image.error().message, testing::HasSubstr("too large"));
}

TEST(Draw, PolygonsAndTextStayInsideThePicture) {
  RgbImage image(40, 30);
  const Point corners[] = {{-20, -20}, {60, 5}, {30, 200}, {5, 1e9}};
  draw_polygon(image, corners, {255, 0, 0});
  draw_text(image, {35, 28}, "Node 7: 60%", {0, 255, 0}, 2);
  EXPECT_GT(std::accumulate(image.pixels.begin(), image.pixels.end(), 0), 0);
}

TEST(Draw, HintsCanBeRead) {
  for (const char* symbol : {"?", "\"", "`", "'", "%"}) {
    RgbImage image(20, 20);
    draw_text(image, {0, 0}, symbol, {0, 255, 0}, 1);
    EXPECT_NE(std::ranges::find(image.pixels, 255), image.pixels.end()) << symbol;
  }
}

TEST(Draw, APolygonsEdgeIsWhereItsCornersAre) {
  RgbImage image(40, 30);
  const Point square[] = {{10.5, 10.5}, {20.5, 10.5}, {20.5, 20.5}, {10.5, 20.5}};
  draw_polygon(image, square, {255, 0, 0}, 1);
  EXPECT_EQ(image.row(10)[3 * 15], 255);
  EXPECT_EQ(image.row(15)[3 * 20], 255);
  EXPECT_EQ(image.row(15)[3 * 15], 0);
}

}  // namespace
}  // namespace wccl::room
