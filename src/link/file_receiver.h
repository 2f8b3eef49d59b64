#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "link/file_stream.h"
#include "link/rateless_decoder.h"
#include "phy/receiver.h"

namespace wccl::link {

/// Blocks of frames, in any order -> objects. Twin of FileSender. Frames of several objects may
/// come mixed: each stream is kept apart.
class FileReceiver {
 public:
  struct Object {
    FileStreamId id;
    std::vector<std::byte> bytes;  ///< Claimed by the air: the caller checks its hash.
  };
  /// @return an object that has just become whole; its stream starts anew then.
  [[nodiscard]] std::optional<Object> take(const phy::FrameReception& frame);

  struct Progress {
    FileStreamId id;
    std::size_t symbols_held = 0;
    std::size_t symbols_needed = 0;
  };
  /// Of the stream that is nearest to its end.
  [[nodiscard]] std::optional<Progress> best() const;

 private:
  struct Stream {
    explicit Stream(FileStreamLayout stream_layout)
        : layout(std::move(stream_layout)), decoder(layout.code()) {}
    FileStreamLayout layout;
    RatelessDecoder decoder;
  };
  [[nodiscard]] Stream* stream_of(const phy::FrameHeader& header);

  // Whatever the air claims, no more than these are kept.
  static constexpr std::size_t kMostStreams = 4;
  std::vector<std::unique_ptr<Stream>> streams_;
};

}  // namespace wccl::link
