#include "room/world.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <deque>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "base/rng.h"
#include "room/camera.h"
#include "room/program_gate.h"
#include "room/render_pool.h"

namespace wccl::room {
namespace {

constexpr std::uint64_t kClockStream =
    0x636C6F636B;  // keeps the clocks' draws apart from the cameras'

enum class EventKind : std::uint8_t { kRefresh, kReadOut, kArrival, kChange };

struct Event {
  Instant at;
  int node = 0;
  EventKind kind = EventKind::kRefresh;

  friend bool operator>(const Event& a, const Event& b) {
    return std::tie(a.at, a.node, a.kind) > std::tie(b.at, b.node, b.kind);
  }
};

/// A clock that ticks for ever without adding up rounding errors.
class Ticker {
 public:
  Ticker(double rate_hz, double ppm_spread, Rng& rng)
      : period_us_(1e6 / rate_hz * (1 + 1e-6 * ppm_spread * (2 * rng.uniform() - 1))),
        phase_us_(period_us_ * rng.uniform()) {}

  [[nodiscard]] Instant at(std::int64_t tick) const {
    return Instant(Duration(std::llround(phase_us_ + period_us_ * static_cast<double>(tick))));
  }
  [[nodiscard]] double period_us() const { return period_us_; }

 private:
  double period_us_;
  double phase_us_;
};

struct Exposure {
  Instant captured_at;
  std::shared_ptr<const YuvImage> image;
  std::function<void(Instant)> on_arrival;
  std::shared_ptr<RenderPool::Job> job;
};

/// What goes on at one place of the room.
struct Place {
  Place(const Scene& scene, int node, std::uint64_t seed, Rng clock_rng)
      : spec(scene.nodes[static_cast<std::size_t>(node)]),
        camera(scene, node, seed),
        rng(clock_rng),
        refresh(spec.panel.refresh_hz, spec.panel.clock_ppm, rng),
        shutter(spec.camera.fps, spec.camera.clock_ppm, rng) {}

  NodeSpec spec;
  Camera camera;
  Rng rng;
  Ticker refresh;
  Ticker shutter;
  Occupant* occupant = nullptr;
  std::int64_t n_refreshes = 0;
  std::int64_t n_captures = 0;
  Instant reading_out;  ///< When the capture whose read-out ends next began.
  Instant last_arrival;
  std::deque<std::shared_ptr<Exposure>> under_way;
  std::shared_ptr<const YuvImage> last_capture;
};

Duration milliseconds(double ms) {
  return Duration(std::llround(1e3 * ms));
}

}  // namespace

struct World::State {
  State(WorldOptions world_options, const std::vector<Occupant*>& occupants);

  void run_loop();
  void handle(const Event& event);
  void refresh(int node);
  void schedule_read_out(int node);
  void read_out(int node);
  void arrive(int node);
  void change_scene();
  void forget_old_frames(PanelHistory& history) const;

  Place& place(int node) { return *places[static_cast<std::size_t>(node)]; }

  WorldOptions options;
  std::vector<std::unique_ptr<Place>> places;
  std::vector<PanelHistory> panels;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
  std::atomic<Instant> now{Instant{}};
  Duration memory{};          ///< How long panels' frames can still matter.
  std::size_t n_changes = 0;  ///< That have happened.
  ProgramGate gate;
  RenderPool pool;  // last: its threads use all the others
};

World::State::State(WorldOptions world_options, const std::vector<Occupant*>& occupants)
    : options(std::move(world_options)),
      panels(options.scene.nodes.size()),
      gate(static_cast<int>(options.scene.nodes.size())),
      pool(options.n_threads, static_cast<int>(options.scene.nodes.size())) {
  assert(occupants.size() == options.scene.nodes.size());
  const Rng clocks = Rng(options.seed).split(kClockStream);
  for (std::size_t i = 0; i < occupants.size(); ++i) {
    const int node = static_cast<int>(i);
    places.push_back(std::make_unique<Place>(options.scene, node, options.seed, clocks.split(i)));
    places.back()->occupant = occupants[i];
    memory = std::max(memory, places.back()->camera.history() +
                                  milliseconds(places.back()->spec.camera.readout_ms));
    events.push({places.back()->refresh.at(0), node, EventKind::kRefresh});
    schedule_read_out(node);
  }
  for (const SceneChange& change : options.changes) {
    events.push({change.at, 0, EventKind::kChange});
  }
}

void World::State::handle(const Event& event) {
  now = event.at;
  switch (event.kind) {
    case EventKind::kRefresh:
      refresh(event.node);
      break;
    case EventKind::kReadOut:
      read_out(event.node);
      break;
    case EventKind::kArrival:
      arrive(event.node);
      break;
    case EventKind::kChange:
      change_scene();
      break;
  }
}

void World::State::refresh(int node) {
  Place& self = place(node);
  if (const auto paint = self.occupant->next_frame(now)) {
    auto frame = paint();
    assert(frame->width == self.spec.panel.width_px && frame->height == self.spec.panel.height_px);
    PanelHistory& history = panels[static_cast<std::size_t>(node)];
    history.push_back({now, std::move(frame)});
    forget_old_frames(history);
  }
  events.push({self.refresh.at(++self.n_refreshes), node, EventKind::kRefresh});
}

void World::State::forget_old_frames(PanelHistory& history) const {
  const Instant oldest = now.load() - memory;
  const auto first_young =
      std::find_if(history.begin(), history.end(),
                   [oldest](const PanelChange& change) { return change.at > oldest; });
  if (first_young - history.begin() >= 2) {
    history.erase(history.begin(), first_young - 1);
  }
}

void World::State::schedule_read_out(int node) {
  Place& self = place(node);
  const double most_us = 0.25 * self.shutter.period_us();  // captures never overtake one another
  const double jitter_us =
      std::clamp(1e3 * self.spec.camera.jitter_ms * self.rng.normal(), -most_us, most_us);
  self.reading_out =
      std::max(self.shutter.at(self.n_captures++) + Duration(std::llround(jitter_us)), Instant{});
  events.push(
      {self.reading_out + milliseconds(self.spec.camera.readout_ms), node, EventKind::kReadOut});
}

/// The last row has been read: all of the light is known, so a worker can make the picture while
/// the world goes on.
void World::State::read_out(int node) {
  Place& self = place(node);
  auto capture = std::make_shared<Exposure>();
  capture->captured_at = self.reading_out;
  capture->job = pool.submit(node, [&self, target = capture.get(), history = panels] {
    auto image =
        std::make_shared<const YuvImage>(self.camera.capture(history, target->captured_at));
    target->on_arrival = self.occupant->decode(make_capture(image, target->captured_at));
    target->image = std::move(image);
  });
  self.under_way.push_back(std::move(capture));

  const CameraSpec& camera = self.spec.camera;
  const double jitter_ms = -camera.latency_jitter_ms * std::log(1 - self.rng.uniform());
  self.last_arrival =
      std::max(self.last_arrival, now.load() + milliseconds(camera.latency_ms + jitter_ms));
  events.push({self.last_arrival, node, EventKind::kArrival});
  schedule_read_out(node);
}

void World::State::arrive(int node) {
  Place& self = place(node);
  const std::shared_ptr<Exposure> capture = std::move(self.under_way.front());
  self.under_way.pop_front();
  pool.join(*capture->job);
  self.last_capture = capture->image;
  if (capture->on_arrival) {
    capture->on_arrival(now);
  }
}

/// Cameras live on the worker threads: the change takes its turn between two captures.
void World::State::change_scene() {
  const auto scene = std::make_shared<const Scene>(options.changes[n_changes++].scene);
  for (std::size_t node = 0; node < places.size(); ++node) {
    pool.submit(static_cast<int>(node),
                [&camera = places[node]->camera, scene] { camera.change(*scene); });
  }
}

void World::State::run_loop() {
  while (gate.settle()) {
    const auto deadline = gate.next_deadline();
    const bool event_first = !deadline || events.top().at <= deadline->at;
    const Instant next = event_first ? events.top().at : deadline->at;
    if (next > options.end) {
      now = options.end;
      gate.cancel();
    } else if (event_first) {
      const Event event = events.top();
      events.pop();
      handle(event);
      gate.poll(event.node, now);
    } else {
      now = next;
      gate.poll(deadline->node, now);
    }
  }
}

World::World(WorldOptions options, std::vector<Occupant*> occupants)
    : state_(std::make_unique<State>(std::move(options), occupants)) {}

World::~World() = default;

void World::run(std::vector<std::function<void()>> programs) {
  State& state = *state_;
  state.gate.start(std::move(programs));
  std::exception_ptr loop_error;
  try {
    state.run_loop();
  } catch (...) {
    loop_error = std::current_exception();
    state.gate.cancel();
    while (state.gate.settle()) {
      state.gate.cancel();
    }
  }
  const std::exception_ptr program_error = state.gate.finish();
  state.pool.drain();
  if (loop_error) {
    std::rethrow_exception(loop_error);
  }
  if (program_error) {
    std::rethrow_exception(program_error);
  }
}

Instant World::now() const {
  return state_->now;
}

Result<bool> World::wait(int node, const std::function<bool()>& ready, Instant deadline) {
  // The world stands still while its caller runs, so the condition may be asked here.
  if (ready && ready()) {
    return true;
  }
  if (deadline <= now()) {
    return false;
  }
  return state_->gate.wait(node, ready, deadline);
}

Status World::charge(int node, Duration duration) {
  if (duration <= Duration::zero()) {
    return {};
  }
  const auto slept = state_->gate.wait(node, nullptr, now() + duration);
  if (!slept) {
    return tl::make_unexpected(slept.error());
  }
  return {};
}

std::shared_ptr<const YuvImage> World::last_capture(int node) const {
  return state_->place(node).last_capture;
}

}  // namespace wccl::room
