#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "device/camera.h"
#include "device/screen.h"
#include "phy/mode.h"
#include "session/laptop.h"
#include "session/rank_context.h"
#include "session/real_time_driver.h"

namespace wccl::session {

/// A screen and a camera that are there and work.
struct OpenDevices {
  std::unique_ptr<device::SteadyTime> time;  ///< That of both; outlives them.
  std::unique_ptr<device::Camera> camera;
  std::unique_ptr<device::Screen> screen;
};

struct DeviceSessionOptions {
  std::string screen;                  ///< As device::open_screen takes it.
  std::string camera;                  ///< As device::open_camera takes it.
  device::CameraFormat camera_format;  ///< What to ask the camera for.
  bool gentle = false;                 ///< As device::make_gentle does it.
  std::string title = "wccl";          ///< Of a window.
  link::Activity activity = link::Activity::kUnsaid;
  int world_size = 2;               ///< 0: as the others say.
  std::optional<Rank> rank;         ///< Nothing: the laptops agree.
  bool first = false;               ///< Wants rank 0 when they do.
  std::uint16_t identity = 0;       ///< Drawn anew for each session.
  std::optional<phy::ModeId> mode;  ///< Fixed when set, else what the receivers can read.
  Duration calibration_deadline = std::chrono::seconds(120);
  Duration timeout = std::chrono::seconds(30);  ///< Of each blocking operation on a link.
  /// Called once the camera is there: what has to be said before the screen shows anything. An
  /// error ends the opening.
  std::function<Status()> before_screen;
  std::function<bool()> abort;  ///< True: the waiting program gets kCancelled.
  /// Called several times a second while the laptops look for one another, under the node's lock.
  std::function<void()> on_search;
  /// True: nor is it waited for that the others hear why.
  std::function<bool()> hurry;
  /// Told, on the camera's thread, which of its automatics cannot be stopped, a line each.
  std::function<void(const std::string&)> on_warning;
  /// Called on the decoding thread with each capture, before it is taken in.
  std::function<void(const Sighting&)> on_sighting;
  /// Called, under the node's lock, whenever a capture has been taken in.
  std::function<void(Instant)> on_tick;
  /// Share of the screen's height, below the frame, that is left to `paint_strip`.
  double strip_share = 0;
  /// Paints the strip, on the display's thread: the whole screen's picture, and the strip's first
  /// row.
  std::function<void(RgbImage&, int)> paint_strip;
};

/// One laptop's part of a session by real light: its screen, its camera and one rank's program. The
/// twin of RoomSession, which has all ranks in it.
class DeviceSession {
 public:
  using Program = std::function<Status(RankContext&)>;

  /// Opens screen and camera, before there is anything to tidy up. @return their errors.
  [[nodiscard]] static Result<OpenDevices> open_devices(const DeviceSessionOptions& options);
  DeviceSession(OpenDevices devices, DeviceSessionOptions options);
  /// Both in one.
  [[nodiscard]] static Result<std::unique_ptr<DeviceSession>> open(DeviceSessionOptions options);
  ~DeviceSession();
  DeviceSession(const DeviceSession&) = delete;
  DeviceSession& operator=(const DeviceSession&) = delete;

  /// Finds the others, runs `program`, makes sure that the last messages have arrived and stays
  /// until the others say the same; a program that fails makes it stay until they know why, for two
  /// seconds at most. From the main thread; once a session.
  /// @param on_calibrated  Called when all see one another, under the node's lock; may be empty.
  Status run(const Program& program, const std::function<void(Rank)>& on_calibrated = {});

  [[nodiscard]] const device::Screen& screen() const { return *devices_.screen; }
  [[nodiscard]] const device::Camera& camera() const { return *devices_.camera; }
  [[nodiscard]] const Laptop& laptop() const { return *laptop_; }
  /// Since the session was opened.
  [[nodiscard]] Duration air_time() const { return devices_.time->now().time_since_epoch(); }
  [[nodiscard]] std::vector<StageUse> use() const { return driver_->use(); }

 private:
  [[nodiscard]] phy::PanelSize panel() const;
  [[nodiscard]] link::NodeOptions node_options(Rank rank, int world_size) const;
  [[nodiscard]] link::Rendezvous::Options rendezvous_options() const;
  [[nodiscard]] Result<std::unique_ptr<RankContext>> meet();
  Status take_seat();
  [[nodiscard]] bool sees_only_one_way();
  void lock_automatics();
  Status live(const Program& program, const std::function<void(Rank)>& on_calibrated);
  [[nodiscard]] Result<bool> calibrate(RankContext& self);
  [[nodiscard]] bool others_came_instead(const link::Node& node, Instant now) const;
  [[nodiscard]] tl::unexpected<Error> not_calibrated(const std::string& why) const;
  [[nodiscard]] std::string why_alone(bool sees_any) const;
  [[nodiscard]] std::string what_is_missing(RankContext& self) const;
  [[nodiscard]] std::string who_is_missing(std::size_t n_seen) const;

  OpenDevices devices_;
  DeviceSessionOptions options_;
  std::unique_ptr<Laptop> laptop_;
  std::unique_ptr<Occupant> with_strip_;  ///< Null: the laptop has the screen for itself.
  std::unique_ptr<RealTimeDriver> driver_;
  std::optional<Instant> one_way_since_;
  std::vector<std::uint16_t> agreed_;  ///< The identities that have agreed on ranks.
};

}  // namespace wccl::session
