#include "session/device_session.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "device/camera_trouble.h"
#include "device/gentle_screen.h"
#include "session/aim.h"
#include "session/device_rank.h"
#include "session/farewell.h"

namespace wccl::session {
namespace {

// A two-way laptop beside it may need a moment to be found.
constexpr Duration kOneWayPatience = std::chrono::seconds(5);

/// Another occupant's frames on the upper part of a screen, and a strip of ours below.
class WithStrip final : public Occupant {
 public:
  WithStrip(Occupant& inner,
            device::ScreenFormat format,
            std::function<void(RgbImage&, int)> paint_strip)
      : inner_(inner), format_(format), paint_strip_(std::move(paint_strip)) {}

  Painting next_frame(Instant now) override {
    auto paint = inner_.next_frame(now);
    if (!paint) {
      return {};
    }
    return [this, paint = std::move(paint)] {
      const auto frame = paint();
      auto whole = std::make_shared<RgbImage>(format_.width_px, format_.height_px);
      std::ranges::copy(frame->pixels, whole->pixels.begin());
      paint_strip_(*whole, frame->height);
      return whole;
    };
  }
  std::function<void(Instant)> decode(const Capture& capture) override {
    return inner_.decode(capture);
  }

 private:
  Occupant& inner_;
  device::ScreenFormat format_;
  std::function<void(RgbImage&, int)> paint_strip_;
};

}  // namespace

DeviceSession::DeviceSession(OpenDevices devices, DeviceSessionOptions options)
    : devices_(std::move(devices)), options_(std::move(options)) {
  const LaptopWatch watch{options_.on_sighting, options_.on_tick};
  laptop_ = options_.rank
                ? std::make_unique<Laptop>(node_options(*options_.rank, options_.world_size), watch)
                : std::make_unique<Laptop>(rendezvous_options(), watch);
  if (options_.paint_strip) {
    with_strip_ =
        std::make_unique<WithStrip>(*laptop_, devices_.screen->format(), options_.paint_strip);
  }
  driver_ = std::make_unique<RealTimeDriver>(
      RealTimeDriver::Devices{devices_.screen.get(), devices_.camera.get(), devices_.time.get()},
      with_strip_ ? *with_strip_ : *laptop_,
      RealTimeDriver::UserWishes{options_.abort, options_.hurry});
}

DeviceSession::~DeviceSession() = default;

Result<OpenDevices> DeviceSession::open_devices(const DeviceSessionOptions& options) {
  OpenDevices devices;
  devices.time = std::make_unique<device::SteadyTime>();
  // The camera first: what it says must not be hidden behind a full screen.
  auto camera = device::open_camera(options.camera, options.camera_format, *devices.time);
  if (!camera) {
    return tl::make_unexpected(camera.error());
  }
  devices.camera = std::move(*camera);
  if (options.before_screen) {
    if (auto status = options.before_screen(); !status) {
      return tl::make_unexpected(status.error());
    }
  }
  auto screen = device::open_screen(options.screen, options.title, *devices.time);
  if (!screen) {
    return tl::make_unexpected(screen.error());
  }
  devices.screen =
      options.gentle ? device::make_gentle(std::move(*screen), *devices.time) : std::move(*screen);
  return devices;
}

Result<std::unique_ptr<DeviceSession>> DeviceSession::open(DeviceSessionOptions options) {
  auto devices = open_devices(options);
  if (!devices) {
    return tl::make_unexpected(devices.error());
  }
  return std::make_unique<DeviceSession>(std::move(*devices), std::move(options));
}

/// What of the screen the frames have.
phy::PanelSize DeviceSession::panel() const {
  const device::ScreenFormat format = devices_.screen->format();
  return {format.width_px,
          static_cast<int>(std::lround((1 - options_.strip_share) * format.height_px))};
}

link::NodeOptions DeviceSession::node_options(Rank rank, int world_size) const {
  link::NodeOptions node;
  node.rank = rank;
  node.world_size = world_size;
  node.panel = panel();
  node.refresh = from_seconds(1.0 / devices_.screen->format().refresh_hz);
  if (options_.gentle) {
    // What rate control takes for the time on air must be what the screen makes of it.
    node.hold_refreshes = static_cast<int>(
        std::ceil(to_seconds(device::kGentlePause) * devices_.screen->format().refresh_hz));
  }
  node.mode = options_.mode;
  node.epoch = options_.identity;
  node.activity = options_.activity;
  return node;
}

link::Rendezvous::Options DeviceSession::rendezvous_options() const {
  return {options_.identity, options_.world_size, options_.first, panel()};
}

Status DeviceSession::run(const Program& program, const std::function<void(Rank)>& on_calibrated) {
  Status status;
  driver_->run([&] { status = live(program, on_calibrated); });
  return status;
}

Status DeviceSession::live(const Program& program, const std::function<void(Rank)>& on_calibrated) {
  const auto met = meet();
  if (!met) {
    return tl::make_unexpected(met.error());
  }
  RankContext& self = **met;
  lock_automatics();
  if (on_calibrated) {
    self.visit([&](link::Node& node) { on_calibrated(node.options().rank); });
  }
  Status status = program(self);
  if (status) {
    status = say_farewell(self);
  }
  if (!status) {
    return tl::make_unexpected(say_why_it_leaves(self, status.error()));
  }
  return status;
}

/// Waits until all laptops see one another. @return this one's rank among them.
Result<std::unique_ptr<RankContext>> DeviceSession::meet() {
  while (true) {
    if (auto status = take_seat(); !status) {
      return tl::make_unexpected(status.error());
    }
    auto self = std::make_unique<DeviceRank>(*driver_, laptop_->node(), options_.timeout);
    const auto calibrated = calibrate(*self);
    if (!calibrated) {
      return tl::make_unexpected(calibrated.error());
    }
    if (*calibrated) {
      return self;
    }
    self.reset();
    auto held = driver_->lock();
    laptop_->look_again(rendezvous_options());
  }
}

/// Those with whom this laptop had agreed have left before anything began (they aimed, or ran
/// another command), and others look for it: what was agreed need not hold.
bool DeviceSession::others_came_instead(const link::Node& node, Instant now) const {
  const auto is_new = [this](std::uint16_t identity) {
    return std::ranges::find(agreed_, identity) == agreed_.end();
  };
  return !options_.rank && std::ranges::any_of(node.seekers(now), is_new) &&
         node.lost_peers(now).size() + 1 == agreed_.size();
}

/// All screens are in view: as they are lit now, they stay.
void DeviceSession::lock_automatics() {
  auto held = driver_->lock();
  driver_->ask_camera(held, [this](device::Camera& camera) {
    for (const auto& warning : camera.lock_automatics()) {
      if (options_.on_warning) {
        options_.on_warning(warning);
      }
    }
  });
}

/// A sender in sight that nobody else will join. Asked under the lock.
bool DeviceSession::sees_only_one_way() {
  if (!laptop_->has_seen_one_way() || !laptop_->rendezvous()->seen().empty()) {
    return false;
  }
  one_way_since_ = one_way_since_.value_or(driver_->now());
  return driver_->now() - *one_way_since_ > kOneWayPatience;
}

/// Waits until the laptops have agreed on ranks, unless ours was given.
Status DeviceSession::take_seat() {
  auto held = driver_->lock();
  if (laptop_->rendezvous() == nullptr) {
    return {};
  }
  Result<std::optional<link::Rendezvous::Agreement>> agreement;
  const auto settled = driver_->wait(
      held,
      [&] {
        if (options_.on_search) {
          options_.on_search();
        }
        agreement = laptop_->rendezvous()->agreement();
        return !agreement || *agreement || sees_only_one_way();
      },
      driver_->now() + options_.calibration_deadline);
  if (!settled) {
    return tl::make_unexpected(settled.error());
  }
  if (!agreement) {
    return tl::make_unexpected(agreement.error());
  }
  if (!*agreement && sees_only_one_way()) {
    return fail(ErrorCode::kUnsupported,
                "the laptop in sight sends one way, and looks for nobody: `wccl receive --one-way` "
                "takes what it sends");
  }
  if (!*agreement) {
    return not_calibrated(who_is_missing(laptop_->rendezvous()->seen().size()));
  }
  agreed_ = (*agreement)->identities;
  laptop_->start(
      node_options((*agreement)->rank, static_cast<int>((*agreement)->identities.size())));
  return {};
}

tl::unexpected<Error> DeviceSession::not_calibrated(const std::string& why) const {
  return fail(ErrorCode::kTimeout, fmt::format("calibration did not end within {:g} s: {}",
                                               to_seconds(options_.calibration_deadline), why));
}

/// What keeps this laptop from seeing any other; empty when it sees one.
std::string DeviceSession::why_alone(bool sees_any) const {
  const auto sighting = laptop_->last_sighting();
  if (auto trouble =
          device::camera_trouble(*devices_.camera, sighting.capture, devices_.time->now());
      !trouble.empty()) {
    return trouble;
  }
  const bool sees_itself =
      std::ranges::any_of(sighting.reception.screens, [this](const phy::ScreenReception& screen) {
        return shows_identity(screen, options_.identity);
      });
  if (!sees_any && sees_itself) {
    return fmt::format("the camera {} sees the screen of this laptop itself; aim it at another",
                       devices_.camera->name());
  }
  if (!sees_any) {
    return fmt::format(
        "the camera {} found no screen of another laptop; aim it at one, `wccl calibrate` shows "
        "what it sees",
        devices_.camera->name());
  }
  return "";
}

std::string DeviceSession::who_is_missing(std::size_t n_seen) const {
  if (auto why = why_alone(n_seen > 0); !why.empty()) {
    return why;
  }
  if (options_.world_size == 0) {
    return "other laptops are in sight, but they did not agree on ranks: `wccl send` must run on "
           "one "
           "of them, and all must see one another";
  }
  if (n_seen + 1 < static_cast<std::size_t>(options_.world_size)) {
    return fmt::format(
        "the camera {} found {} of {} other laptops; `wccl calibrate` shows what it sees",
        devices_.camera->name(), n_seen, options_.world_size - 1);
  }
  return "the other laptops are in sight, but they did not agree on ranks: not all of them see one "
         "another; aim theirs with `wccl calibrate`";
}

/// @return false when this laptop should look for others once more.
Result<bool> DeviceSession::calibrate(RankContext& self) {
  std::string complaint;
  bool is_left = false;
  const auto is_settled = [&] {
    if (options_.on_search) {
      options_.on_search();
    }
    bool calibrated = false;
    self.visit([&](link::Node& node) {
      calibrated = node.calibrated();
      complaint = node.complaint(self.now());
      is_left = others_came_instead(node, self.now());
    });
    return calibrated || is_left || !complaint.empty();
  };
  const auto found = self.wait(is_settled, self.now() + options_.calibration_deadline);
  if (!found) {
    return tl::make_unexpected(found.error());
  }
  if (!complaint.empty()) {
    return fail(ErrorCode::kInvalidArgument, complaint);
  }
  if (*found) {
    return !is_left;
  }
  return not_calibrated(what_is_missing(self));
}

std::string DeviceSession::what_is_missing(RankContext& self) const {
  std::string missing;
  std::optional<Rank> aiming;
  bool any_in_view = false;
  for (const auto& link : laptop_->stats()) {
    any_in_view |= link.in_view;
    if (link.in_view && link.activity == link::Activity::kAim) {
      aiming = link.peer;
    }
    if (!link.in_view) {
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", link.peer);
    }
  }
  if (auto why = why_alone(any_in_view); !why.empty()) {
    return why;
  }
  if (!missing.empty()) {
    return fmt::format(
        "the camera {} did not find the screen of rank {}; aim it with `wccl calibrate`",
        devices_.camera->name(), missing);
  }
  if (aiming) {
    return fmt::format("rank {} still runs {}; start {} there", *aiming,
                       link::command_of(link::Activity::kAim), link::command_of(options_.activity));
  }
  return fmt::format(
      "rank {} sees all the others, but not all of them see one another; aim theirs with "
      "`wccl calibrate`",
      self.rank());
}

}  // namespace wccl::session
