#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "link/file_sender.h"
#include "phy/mode.h"

namespace wccl::link {

/// Endless frames of an object for receivers that nobody hears. It may show several modes in turn,
/// so that one that is near gets it fast and one that is far gets it at all; what either reads of
/// the other's frames counts, too.
class FileBroadcast {
 public:
  struct Turn {
    phy::ModeId mode = 0;
    std::uint32_t frames = 1;  ///< Shown before the next turn; at least 1.
  };
  /// @param object  1 to kMostObjectBytes; copied.
  /// @param epoch   Of the object's hash.
  /// @param turns   Modes that cannot bear the object are left out.
  /// @return nothing when none can.
  [[nodiscard]] static std::optional<FileBroadcast> of(std::span<const std::byte> object,
                                                       std::uint16_t epoch,
                                                       phy::PanelSize panel,
                                                       std::span<const Turn> turns);

  /// @param frame  Counts all frames from the start. From any thread, as payloads().
  [[nodiscard]] phy::FrameHeader header(std::uint64_t frame) const;
  [[nodiscard]] std::vector<std::vector<std::byte>> payloads(std::uint64_t frame) const;
  /// Those that can bear the object, in the order of their turns.
  [[nodiscard]] std::vector<phy::ModeId> modes() const;
  /// How many times the frames before this one bore all of the object in the fastest mode. The
  /// others mostly repeat that.
  [[nodiscard]] double rounds(std::uint64_t frame) const;
  /// Frames until that was once: the least that a receiver needs.
  [[nodiscard]] std::uint64_t frames_needed() const;

 private:
  struct Part {
    FileSender sender;
    std::uint32_t frames = 1;
  };
  FileBroadcast() = default;
  [[nodiscard]] const FileSender& sender_of(std::uint64_t frame) const;
  /// Frames of a cycle that come before the fastest mode's.
  [[nodiscard]] std::uint64_t lead() const;

  std::vector<Part> parts_;
  std::uint64_t cycle_frames_ = 0;
  std::size_t fastest_ = 0;  ///< Index of the part whose frames bear most.
};

}  // namespace wccl::link
