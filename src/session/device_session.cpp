#include "session/device_session.h"

#include <utility>

#include <fmt/format.h>

#include "session/device_rank.h"
#include "session/farewell.h"

namespace wccl::session {

DeviceSession::DeviceSession(DeviceSessionOptions options) : options_(std::move(options)) {}

DeviceSession::~DeviceSession() = default;

Result<std::unique_ptr<DeviceSession>> DeviceSession::open(DeviceSessionOptions options) {
  std::unique_ptr<DeviceSession> session(new DeviceSession(std::move(options)));
  // The camera first: what it says must not be hidden behind a full screen.
  auto camera = device::open_camera(session->options_.camera, session->options_.camera_format,
                                    session->time_);
  if (!camera) {
    return tl::make_unexpected(camera.error());
  }
  session->camera_ = std::move(*camera);
  auto screen =
      device::open_screen(session->options_.screen, session->options_.title, session->time_);
  if (!screen) {
    return tl::make_unexpected(screen.error());
  }
  session->screen_ = std::move(*screen);
  session->laptop_ = std::make_unique<Laptop>(session->node_options(), session->options_.on_tick);
  session->driver_ = std::make_unique<RealTimeDriver>(
      RealTimeDriver::Devices{session->screen_.get(), session->camera_.get(), &session->time_},
      *session->laptop_, session->options_.abort);
  return session;
}

link::NodeOptions DeviceSession::node_options() const {
  const device::ScreenFormat format = screen_->format();
  link::NodeOptions node;
  node.rank = options_.rank;
  node.world_size = options_.world_size;
  node.panel = {format.width_px, format.height_px};
  node.refresh = from_seconds(1.0 / format.refresh_hz);
  node.mode = options_.mode;
  node.epoch = options_.identity;
  return node;
}

Status DeviceSession::run(const Program& program, const std::function<void(Rank)>& on_calibrated) {
  Status status;
  driver_->run([&] { status = live(program, on_calibrated); });
  return status;
}

Status DeviceSession::live(const Program& program, const std::function<void(Rank)>& on_calibrated) {
  DeviceRank self(*driver_, laptop_->node(), options_.timeout);
  if (auto status = calibrate(self); !status) {
    return status;
  }
  if (on_calibrated) {
    on_calibrated(self.rank());
  }
  if (auto status = program(self); !status) {
    return status;
  }
  return say_farewell(self);
}

Status DeviceSession::calibrate(RankContext& self) {
  const auto is_calibrated = [&] {
    bool calibrated = false;
    self.visit([&](link::Node& node) { calibrated = node.calibrated(); });
    return calibrated;
  };
  const auto found = self.wait(is_calibrated, self.now() + options_.calibration_deadline);
  if (!found) {
    return tl::make_unexpected(found.error());
  }
  if (*found) {
    return {};
  }
  return fail(ErrorCode::kTimeout,
              fmt::format("calibration did not end within {:g} s: {}",
                          to_seconds(options_.calibration_deadline), what_is_missing(self)));
}

std::string DeviceSession::what_is_missing(RankContext& self) const {
  std::string missing;
  bool any_in_view = false;
  for (const auto& link : laptop_->stats()) {
    any_in_view |= link.in_view;
    if (!link.in_view) {
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", link.peer);
    }
  }
  if (camera_->counts().captures == 0) {
    return fmt::format("the camera {} gave no picture", camera_->name());
  }
  if (!any_in_view) {
    return fmt::format(
        "the camera {} found no screen of another laptop; aim it at one, `wccl calibrate` shows "
        "what it sees",
        camera_->name());
  }
  if (!missing.empty()) {
    return fmt::format(
        "the camera {} did not find the screen of rank {}; aim it with `wccl calibrate`",
        camera_->name(), missing);
  }
  return fmt::format(
      "rank {} sees all the others, but not all of them see one another; aim theirs with "
      "`wccl calibrate`",
      self.rank());
}

}  // namespace wccl::session
