#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "link/file_stream.h"
#include "link/rateless_decoder.h"
#include "phy/receiver.h"

namespace wccl::link {

/// Blocks of frames, in any order -> objects. Twin of FileSender. Frames of several objects may
/// come mixed: each is kept apart. Frames of one object may come in any modes and on any panels.
class FileReceiver {
 public:
  using SymbolSink = std::function<void(SymbolId, std::span<const std::byte>)>;
  /// Symbols that outlive a receiver; either may be empty.
  struct Memory {
    /// An object is seen for the first time: gives the sink what was kept of it.
    std::function<void(const FileObjectId&, const SymbolSink&)> recall;
    /// A symbol has come that was of use.
    std::function<void(const FileObjectId&, SymbolId, std::span<const std::byte>)> keep;
  };
  explicit FileReceiver(Memory memory = {}) : memory_(std::move(memory)) {}

  struct Object {
    FileStreamId id;               ///< Of its last frame.
    std::vector<std::byte> bytes;  ///< Claimed by the air: the caller checks its hash.
  };
  /// @return an object that has just become whole; it starts anew then.
  [[nodiscard]] std::optional<Object> take(const phy::FrameReception& frame);

  struct Progress {
    FileStreamId id;  ///< Of the latest frame that had blocks.
    std::size_t symbols_held = 0;
    std::size_t symbols_needed = 0;
  };
  /// Of the object that is nearest to its end.
  [[nodiscard]] std::optional<Progress> best() const;

  /// The first bytes of an object that is not whole, if they are known already.
  [[nodiscard]] std::optional<std::vector<std::byte>> prefix(const FileObjectId& id,
                                                             std::size_t n_bytes) const;

 private:
  struct Incoming {
    explicit Incoming(const FileObjectId& object) : id(object), decoder(code_of(object)) {}
    FileObjectId id;
    RatelessDecoder decoder;
    std::vector<FileStreamLayout> layouts;  ///< The one that was seen last at the end.
  };
  [[nodiscard]] Incoming* incoming_of(const FileStreamId& stream);
  [[nodiscard]] Incoming& start(const FileObjectId& id);

  // Whatever the air claims, no more than these are kept.
  static constexpr std::size_t kMostObjects = 4;
  static constexpr std::size_t kMostLayouts = 8;
  Memory memory_;
  std::vector<std::unique_ptr<Incoming>> incoming_;
};

}  // namespace wccl::link
