#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "wccl/result.h"

#include "device/arrival_clock.h"
#include "device/camera.h"
#include "device/ffmpeg.h"
#include "device/input.h"
#include "device/packet_decoder.h"
#include "device/steady_time.h"

namespace wccl::device {

/// A picture as it came from a camera.
struct RawCapture {
  /// Of a coding whose packets are whole pictures: not decoded, as perhaps nobody wants it.
  FfmpegOwner<AVPacket> packet;
  std::shared_ptr<const AVCodecParameters> coding;  ///< Of the packet.
  /// Of any other coding, where each picture needs those before.
  FfmpegOwner<AVFrame> frame;
  Instant captured_at;
};

/// A thread that takes pictures from a camera as they come, and opens it again when it vanishes.
class CameraReader {
 public:
  /// How to open the camera, asked anew each time: a camera that is plugged in again may have
  /// another path.
  using MakeRecipe = std::function<Result<InputRecipe>()>;

  /// @param depth  How many pictures wait for next(); when one more comes the oldest gives way.
  /// @param time   Borrowed.
  [[nodiscard]] static Result<std::unique_ptr<CameraReader>> open(MakeRecipe make_recipe,
                                                                  std::size_t depth,
                                                                  const SteadyTime& time);
  ~CameraReader();
  CameraReader(const CameraReader&) = delete;
  CameraReader& operator=(const CameraReader&) = delete;

  /// As Camera::next().
  [[nodiscard]] Result<std::optional<RawCapture>> next(Duration patience);

  /// As it was opened last.
  [[nodiscard]] InputRecipe recipe() const;
  [[nodiscard]] CameraFormat format() const;
  [[nodiscard]] CameraCounts counts() const;
  /// Whether it is away, and being looked for.
  [[nodiscard]] bool has_vanished() const;

 private:
  CameraReader(MakeRecipe make_recipe, std::size_t depth, const SteadyTime& time);
  [[nodiscard]] Status open_input();
  void run();
  /// @return FFmpeg's error that ended it.
  [[nodiscard]] int read_all();
  void take(FfmpegOwner<AVPacket> packet);
  void decode(const AVPacket* packet);
  void put(RawCapture capture, std::int64_t stamp);
  [[nodiscard]] Instant date(std::int64_t stamp);
  void open_again();
  void wait(Instant until);

  MakeRecipe make_recipe_;
  std::size_t depth_;
  const SteadyTime& time_;
  std::atomic<bool> stop_ = false;

  // Of the reading thread alone, once it runs.
  std::unique_ptr<Input> input_;
  bool is_device_ = false;
  std::shared_ptr<const AVCodecParameters> coding_;
  std::unique_ptr<PacketDecoder> decoder_;  ///< Null for codings whose packets are whole pictures.
  ArrivalClock arrivals_;
  std::optional<Instant> file_start_;  ///< When stamp 0 of a file was or would have been.
  std::int64_t n_read_ = 0;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<RawCapture> queue_;
  std::optional<Error> ended_;
  InputRecipe recipe_;
  CameraFormat format_;
  CameraCounts counts_;
  bool has_vanished_ = false;

  std::thread thread_;  // last: it uses all the others
};

}  // namespace wccl::device
