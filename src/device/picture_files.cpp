#include "device/picture_files.h"

#include "device/picture.h"

namespace wccl::device {

std::optional<Result<YuvImage>> PictureFiles::next() {
  if (next_ == paths_.size()) {
    return std::nullopt;
  }
  return read_picture(paths_[next_++]);
}

}  // namespace wccl::device
