// What a capture costs: 1080p, one screen over 60% of the width, and the parts of it. The captures
// come from the tests' small camera, so that nothing but phy is measured.

#include <array>
#include <optional>

#include <benchmark/benchmark.h>

#include "../tests/phy/test_camera.cpp"  // Not worth a library of its own.
#include "phy/cell_sampler.h"
#include "phy/equalizer.h"
#include "phy/finder_detector.h"
#include "phy/receiver.h"
#include "phy/registration.h"
#include "phy/screen_detector.h"
#include "phy/sync_columns.h"
#include "phy/transmitter.h"

namespace wccl::phy {
namespace {

constexpr PanelSize kPanel{1920, 1200};
constexpr std::array kModeNames{"luma8-0.5", "rgb6-1.5", "rgb4-1.5"};

struct Scene {
  ModeId mode;
  TestFrame first;
  TestFrame second;
  std::array<YuvImage, 2> captures;  ///< Two frames, so that each capture has blocks to decode.
  DetectedScreen screen;
  std::optional<Layout> layout;
  ScreenGeometry geometry;
};

Scene make_scene(int mode_index) {
  Rng rng(1);
  Scene scene;
  scene.mode = *find_mode(kModeNames.at(static_cast<std::size_t>(mode_index)));
  scene.first = make_frame(kPanel, scene.mode, 1, 1, rng);
  scene.second = make_frame(kPanel, scene.mode, 1, 2, rng);
  for (std::size_t i = 0; i < 2; ++i) {
    TestView view;
    view.panel = i == 0 ? &scene.first.image : &scene.second.image;
    view.corners = view_corners(kPanel, {950, 550}, 1152, 4, 0.7);
    TestCamera camera;
    camera.k1 = -0.02;
    scene.captures[i] = take_picture(camera, {&view, 1}, rng);
  }
  const PlaneView luma = scene.captures[0].view().y;
  constexpr std::array<double, 1> kLens{0};
  scene.screen = detect_screens(luma, detect_finders(luma, FinderScan::kRows), kLens).screens.at(0);
  scene.layout.emplace(kPanel, scene.mode);
  const double k = estimate_lens_k(luma, scene.first.header, scene.screen.finders, 0);
  scene.geometry = *ScreenGeometry::from_finders(kPanel, scene.screen.finders,
                                                 Lens::of(luma.width, luma.height, k));
  return scene;
}

const Scene& scene_of(benchmark::State& state) {
  static std::array<std::optional<Scene>, kModeNames.size()> scenes;
  auto& scene = scenes.at(static_cast<std::size_t>(state.range(0)));
  if (!scene) {
    scene = make_scene(static_cast<int>(state.range(0)));
  }
  state.SetLabel(kModeNames.at(static_cast<std::size_t>(state.range(0))));
  return *scene;
}

void modes_of(benchmark::internal::Benchmark* bench) {
  bench->DenseRange(0, kModeNames.size() - 1)->Unit(benchmark::kMillisecond);
}

void render(benchmark::State& state) {
  const Scene& scene = scene_of(state);
  const Transmitter transmitter(kPanel);
  for (auto _ : state) {
    benchmark::DoNotOptimize(transmitter.render(scene.first.header, scene.first.payloads));
  }
}
BENCHMARK(render)->Apply(modes_of);

/// A capture of a screen that is known, and whose frame is new: all of the steady work.
void receive_tracked(benchmark::State& state) {
  const Scene& scene = scene_of(state);
  std::size_t n_bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    Receiver receiver;
    (void)receiver.receive(scene.captures[0].view(), Instant{});
    state.ResumeTiming();
    const auto reception = receiver.receive(scene.captures[1].view(), Instant{});
    for (const auto& screen : reception.screens) {
      for (const auto& frame : screen.frames) {
        for (const auto& block : frame.blocks) {
          n_bytes += block.payload.size();
        }
      }
    }
  }
  state.counters["user_bytes"] =
      static_cast<double>(n_bytes) / static_cast<double>(state.iterations());
}
BENCHMARK(receive_tracked)->Apply(modes_of);

void receive_first(benchmark::State& state) {
  const Scene& scene = scene_of(state);
  for (auto _ : state) {
    Receiver receiver;
    benchmark::DoNotOptimize(receiver.receive(scene.captures[0].view(), Instant{}));
  }
}
BENCHMARK(receive_first)->Apply(modes_of);

void part_find_finders(benchmark::State& state) {
  const Scene& scene = scene_of(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(detect_finders(scene.captures[0].view().y, FinderScan::kRows));
  }
}
BENCHMARK(part_find_finders)->Apply(modes_of);

void part_sync_columns(benchmark::State& state) {
  const Scene& scene = scene_of(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(FramePhases::read(scene.captures[0].view().y, scene.geometry));
  }
}
BENCHMARK(part_sync_columns)->Apply(modes_of);

void part_sample(benchmark::State& state) {
  const Scene& scene = scene_of(state);
  CellSampler sampler;
  CellSamples samples;
  for (auto _ : state) {
    sampler.sample(scene.captures[0].view(), *scene.layout, scene.geometry, samples);
  }
}
BENCHMARK(part_sample)->Apply(modes_of);

void part_register(benchmark::State& state) {
  const Scene& scene = scene_of(state);
  CellSampler sampler;
  CellSamples samples;
  sampler.sample(scene.captures[0].view(), *scene.layout, scene.geometry, samples);
  for (auto _ : state) {
    benchmark::DoNotOptimize(fit_pilots(*scene.layout, samples, scene.geometry));
  }
}
BENCHMARK(part_register)->Apply(modes_of);

void part_train(benchmark::State& state) {
  const Scene& scene = scene_of(state);
  CellSampler sampler;
  CellSamples samples;
  sampler.sample(scene.captures[0].view(), *scene.layout, scene.geometry, samples);
  Equalizer equalizer(scene.layout->channels());
  for (auto _ : state) {
    equalizer.train(*scene.layout, samples);
  }
}
BENCHMARK(part_train)->Apply(modes_of);

void part_equalize(benchmark::State& state) {
  const Scene& scene = scene_of(state);
  CellSampler sampler;
  CellSamples samples;
  sampler.sample(scene.captures[0].view(), *scene.layout, scene.geometry, samples);
  Equalizer equalizer(scene.layout->channels());
  equalizer.train(*scene.layout, samples);
  std::array<std::vector<float>, 3> estimates;
  for (auto _ : state) {
    for (int row = 0; row < scene.layout->rows(); ++row) {
      equalizer.apply(samples, row, estimates);
    }
  }
}
BENCHMARK(part_equalize)->Apply(modes_of);

}  // namespace
}  // namespace wccl::phy
