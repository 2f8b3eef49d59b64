#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "link/rateless_code.h"
#include "phy/frame_header.h"
#include "phy/mode.h"
#include "phy/transmitter.h"

namespace wccl::link {

/// What all frames of one object on one-way air have in common; each frame's header says it
/// (docs/file_format.md).
struct FileStreamId {
  phy::PanelSize panel;
  phy::ModeId mode = 0;
  std::uint16_t epoch = 0;         ///< Of the object's hash.
  std::uint32_t object_bytes = 0;  ///< 1 to kMostObjectBytes.
  friend bool operator==(const FileStreamId&, const FileStreamId&) = default;
};

/// What a stream is of. The rateless code is the object's alone: symbols mean the same whatever
/// modes and panels bring them.
struct FileObjectId {
  std::uint16_t epoch = 0;  ///< As in FileStreamId.
  std::uint32_t bytes = 0;
  friend bool operator==(const FileObjectId&, const FileObjectId&) = default;
};
[[nodiscard]] inline FileObjectId object_of(const FileStreamId& id) {
  return {id.epoch, id.object_bytes};
}
[[nodiscard]] RatelessLayout code_of(const FileObjectId& id);

/// The header's feedback field holds the size: a one-way sender has no feedback to give.
inline constexpr std::uint32_t kFileStreamMark = 0x80000000U;
inline constexpr std::size_t kMostObjectBytes = std::size_t{1} << 30U;
/// Sequences go round after these.
inline constexpr std::size_t kMostFileFrames = 65536;

[[nodiscard]] phy::FrameHeader file_frame_header(const FileStreamId& id, std::uint32_t frame);
/// @return nothing for a frame of another kind.
[[nodiscard]] std::optional<FileStreamId> file_stream_of(const phy::FrameHeader& header);

/// Which symbol each block of each frame bears, as its payload: both ends know it from the headers
/// alone, so that blocks bear symbols and nothing else.
class FileStreamLayout {
 public:
  /// @return nothing when this mode on this panel cannot bear an object of this size.
  [[nodiscard]] static std::optional<FileStreamLayout> of(const FileStreamId& id);

  [[nodiscard]] const FileStreamId& id() const { return id_; }
  [[nodiscard]] const RatelessLayout& code() const { return code_; }
  /// As many as a frame has blocks.
  [[nodiscard]] std::size_t symbols_per_frame() const { return symbols_per_frame_; }
  /// Frames that bear all of the source when nothing is lost.
  [[nodiscard]] std::size_t source_frames() const;

  /// Counts frames from the start of the stream.
  [[nodiscard]] std::uint32_t frame_of(std::uint16_t sequence) const;
  /// @param slot  Below symbols_per_frame().
  [[nodiscard]] SymbolId symbol(std::uint32_t frame, std::size_t slot) const;

 private:
  FileStreamLayout() = default;

  FileStreamId id_;
  std::size_t symbols_per_frame_ = 0;
  RatelessLayout code_;
};

}  // namespace wccl::link
