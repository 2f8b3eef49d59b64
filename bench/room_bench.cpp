// Costs of the virtual room, on one core. The bar: 20 captures/s of 1080p with one screen in view
// at 60% of the width (Capture/hold_4). The stages below it are what one capture or one display
// frame consists of.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/rng.h"
#include "room/camera.h"
#include "room/image_processor.h"
#include "room/jpeg.h"
#include "room/screen_light.h"
#include "room/sensor.h"

namespace wccl::room {
namespace {

constexpr std::uint64_t kSeed = 1;
constexpr int kCellPx = 6;

const Scene& scene() {
  static const Scene value = make_scene("face_1080p", "pair", 2).value();
  return value;
}

/// Random cells of eight colours with a white border: as hard for JPEG as data frames are.
std::shared_ptr<const RgbImage> data_frame(std::uint64_t seed) {
  const PanelSpec& panel = scene().nodes[1].panel;
  auto image = std::make_shared<RgbImage>(panel.width_px, panel.height_px);
  std::fill(image->pixels.begin(), image->pixels.end(), std::uint8_t{255});
  Rng rng(seed);
  constexpr int kBorder = 24;
  for (int y = kBorder; y + kCellPx <= panel.height_px - kBorder; y += kCellPx) {
    for (int x = kBorder; x + kCellPx <= panel.width_px - kBorder; x += kCellPx) {
      const std::uint64_t bits = rng.next();
      for (int j = 0; j < kCellPx; ++j) {
        for (int i = 0; i < 3 * kCellPx; ++i) {
          image->row(y + j)[3 * x + i] = (bits >> (i % 3) & 1U) != 0 ? 255 : 0;
        }
      }
    }
  }
  return image;
}

/// Sixteen frames, each held for `hold` refreshes of 60 Hz, over and over.
PanelHistory history(int hold, int n_changes) {
  static const auto frames = [] {
    std::vector<std::shared_ptr<const RgbImage>> list;
    for (std::uint64_t i = 0; i < 16; ++i) {
      list.push_back(data_frame(kSeed + i));
    }
    return list;
  }();
  PanelHistory changes;
  for (int i = 0; i < n_changes; ++i) {
    changes.push_back(
        {Instant(Duration(16'667 * hold * i)), frames[static_cast<std::size_t>(i % 16)]});
  }
  return changes;
}

Instant capture_time(std::int64_t index) {
  return Instant(Duration(100'000 + 33'333 * index));
}

/// Keeps of the history what a capture can see, as the world does.
PanelHistory recent(const PanelHistory& all, Instant now) {
  PanelHistory kept;
  for (const PanelChange& change : all) {
    if (change.at > now - Duration(200'000) && change.at < now + Duration(40'000)) {
      kept.push_back(change);
    }
  }
  return kept;
}

void capture(benchmark::State& state) {
  const PanelHistory all = history(static_cast<int>(state.range(0)), 20'000);
  Camera camera(scene(), 0, kSeed);
  std::int64_t index = 0;
  double jpeg_bytes = 0;
  for (auto _ : state) {
    const Instant now = capture_time(index++);
    const std::vector<PanelHistory> panels = {{}, recent(all, now)};
    benchmark::DoNotOptimize(camera.capture(panels, now));
    jpeg_bytes += static_cast<double>(camera.last().jpeg_bytes);
  }
  state.counters["captures/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.counters["jpeg_kB"] = jpeg_bytes / 1e3 / static_cast<double>(state.iterations());
}
BENCHMARK(capture)->ArgName("hold")->Arg(4)->Arg(2)->Unit(benchmark::kMillisecond);

void start_camera(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(Camera(scene(), 0, kSeed));
  }
}
BENCHMARK(start_camera)->Unit(benchmark::kMillisecond);

void stage_linearise_frame(benchmark::State& state) {
  const ScreenLight light(scene().nodes[0], scene().nodes[1]);
  const PanelSpec& panel = scene().nodes[1].panel;
  PanelLight planes(panel.width_px, panel.height_px, light.projector().margin(),
                    scene().nodes[0].camera.crosstalk);
  const auto frame = data_frame(kSeed);
  for (auto _ : state) {
    planes.load(*frame);
  }
}
BENCHMARK(stage_linearise_frame)->Unit(benchmark::kMillisecond);

void stage_project_frame(benchmark::State& state) {
  const ScreenLight light(scene().nodes[0], scene().nodes[1]);
  const ScreenProjector& projector = light.projector();
  const PanelSpec& panel = scene().nodes[1].panel;
  PanelLight planes(panel.width_px, panel.height_px, projector.margin(),
                    scene().nodes[0].camera.crosstalk);
  planes.load(*data_frame(kSeed));
  std::vector<float> row(static_cast<std::size_t>(projector.region().width));
  for (auto _ : state) {
    for (int y = 0; y < projector.region().height; ++y) {
      projector.project_row(planes, y, row);
    }
    benchmark::DoNotOptimize(row.data());
  }
}
BENCHMARK(stage_project_frame)->Unit(benchmark::kMillisecond);

void stage_mix_rows(benchmark::State& state) {
  ScreenLight light(scene().nodes[0], scene().nodes[1]);
  light.prepare(recent(history(4, 16), capture_time(2)), capture_time(2), 12);
  std::vector<float> nits(static_cast<std::size_t>(scene().nodes[0].camera.width_px));
  for (auto _ : state) {
    for (int y = 0; y < scene().nodes[0].camera.height_px; ++y) {
      light.add_row(y, nits);
    }
    benchmark::DoNotOptimize(nits.data());
  }
}
BENCHMARK(stage_mix_rows)->Unit(benchmark::kMillisecond);

RawPicture raw_picture() {
  const CameraSpec& camera = scene().nodes[0].camera;
  const Sensor sensor(camera);
  RawPicture raw = sensor.make_raw(camera.width_px, camera.height_px);
  ScreenLight light(scene().nodes[0], scene().nodes[1]);
  light.prepare(recent(history(4, 16), capture_time(2)), capture_time(2), 12);
  Rng rng(kSeed);
  for (int y = 0; y < camera.height_px; ++y) {
    std::vector<float> nits(static_cast<std::size_t>(camera.width_px), 40.0F);
    light.add_row(y, nits);
    sensor.expose(nits, {12, 1}, rng, {raw.row(y), nits.size()});
  }
  return raw;
}

void stage_expose(benchmark::State& state) {
  const CameraSpec& camera = scene().nodes[0].camera;
  const Sensor sensor(camera);
  const std::vector<float> nits(static_cast<std::size_t>(camera.width_px), 40.0F);
  std::vector<std::uint16_t> row(nits.size());
  Rng rng(kSeed);
  for (auto _ : state) {
    for (int y = 0; y < camera.height_px; ++y) {
      sensor.expose(nits, {12, 1}, rng, row);
    }
    benchmark::DoNotOptimize(row.data());
  }
}
BENCHMARK(stage_expose)->Unit(benchmark::kMillisecond);

void stage_develop(benchmark::State& state) {
  ImageProcessor processor(scene().nodes[0].camera);
  const RawPicture raw = raw_picture();
  for (auto _ : state) {
    benchmark::DoNotOptimize(processor.develop(raw, processor.neutral(), 4));
  }
}
BENCHMARK(stage_develop)->Unit(benchmark::kMillisecond);

void stage_jpeg(benchmark::State& state) {
  ImageProcessor processor(scene().nodes[0].camera);
  const YuvImage picture = processor.develop(raw_picture(), processor.neutral(), 4);
  JpegCodec jpeg;
  std::size_t n_bytes = 0;
  for (auto _ : state) {
    YuvImage copy = picture;
    n_bytes = jpeg.round_trip(copy, 80);
  }
  state.counters["jpeg_kB"] = static_cast<double>(n_bytes) / 1e3;
}
BENCHMARK(stage_jpeg)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wccl::room
