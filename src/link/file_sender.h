#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "link/file_stream.h"
#include "link/rateless_encoder.h"

namespace wccl::link {

/// An object -> the blocks of as many frames as one likes. Twin of FileReceiver.
class FileSender {
 public:
  /// @param layout  For an object of object.size() bytes.
  FileSender(std::span<const std::byte> object, FileStreamLayout layout);
  /// @param encoder  Of layout.code(); other senders may share it.
  FileSender(std::shared_ptr<const RatelessEncoder> encoder, FileStreamLayout layout);

  [[nodiscard]] const FileStreamLayout& layout() const { return layout_; }
  [[nodiscard]] phy::FrameHeader header(std::uint32_t frame) const;
  /// @param frame  Below kMostFileFrames. @return one per slot. From any thread.
  [[nodiscard]] std::vector<std::vector<std::byte>> payloads(std::uint32_t frame) const;

 private:
  FileStreamLayout layout_;
  std::shared_ptr<const RatelessEncoder> encoder_;
};

}  // namespace wccl::link
