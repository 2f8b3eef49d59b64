#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/image.h"
#include "phy/frame_header.h"
#include "phy/receiver_observer.h"
#include "phy/techniques.h"

namespace wccl::phy {

struct ReceivedBlock {
  int index = 0;  ///< Into block_slots(header.panel, header.mode).
  std::vector<std::byte> payload;
};

/// What one capture added to a frame. A frame can be spread over captures: each block is reported
/// once.
struct FrameReception {
  FrameHeader header;
  std::vector<ReceivedBlock> blocks;  ///< Newly decoded, CRC held.
};

/// How well a screen is seen: what calibration shows and rate control reads.
struct ScreenQuality {
  std::array<double, 3> snr_db{};  ///< Per channel after the equaliser; kLuma fills the first.
  std::array<std::array<double, 3>, 2> levels{};  ///< Mean Y, Cb, Cr of dark and of bright cells.
  double cell_px = 0;                             ///< Mean side of a payload cell in camera pixels.
  double residual_px = 0;  ///< rms of the geometric residual that registration removed.
};

/// How much of a capture's light came from one display frame.
struct FrameShare {
  std::uint16_t sequence = 0;
  double share = 0;  ///< Mean over the screen's rows: 1 when no row holds anything else.
};

/// One screen found in a capture.
struct ScreenReception {
  std::uint8_t node = 0;
  std::uint16_t epoch = 0;
  std::array<Point, 4> corners{};  ///< Of the panel in capture pixels: as the panel's user sees
                                   ///< them top left, top right, bottom right, bottom left.
  double width_share = 0;          ///< Mean of its upper and lower edge over the picture's width.
  std::vector<FrameReception>
      frames;          ///< Oldest first: a capture can hold two or three display frames.
  int blocks_bad = 0;  ///< Blocks of frames that have passed and never decoded, filler left out.
  ScreenQuality quality;
  std::vector<FrameShare> shares;  ///< Oldest first; empty while it is not known what rows hold.
};

struct CaptureReception {
  Instant captured_at;
  std::vector<ScreenReception> screens;
  /// Frame versions that are not ours, of screens that could be read no further. A misread header
  /// can look so: only several captures prove it.
  std::vector<std::uint8_t> foreign_versions = {};
};

struct ReceiverOptions {
  int max_screens = kMaxNodes;
  int max_ldpc_iterations = 12;
  Techniques techniques;
  std::shared_ptr<const ReceiverObserver> observer;  ///< May be null.
};

/// Camera pictures -> blocks of bytes. Twin of Transmitter. Keeps what it learned of each screen
/// (place, colours, equaliser, half-read frames) from capture to capture; needs no setting.
class Receiver {
 public:
  explicit Receiver(ReceiverOptions options = {});
  ~Receiver();
  Receiver(Receiver&&) noexcept;
  Receiver& operator=(Receiver&&) noexcept;

  /// @param capture  Any size; borrowed for the call only.
  [[nodiscard]] CaptureReception receive(const YuvView& capture, Instant captured_at);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace wccl::phy
