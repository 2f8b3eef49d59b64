#include "device/ffmpeg.h"

#include <array>
#include <mutex>

extern "C" {
#include <libavdevice/avdevice.h>
#include <libavutil/mem.h>
}

namespace wccl::device {

void prepare_ffmpeg() {
  static std::once_flag once;
  std::call_once(once, [] {
    av_log_set_level(AV_LOG_QUIET);
    // A picture is as long as the stream says, or has no end at all; raw 8K takes 127 MiB.
    av_max_alloc(std::size_t{1} << 27U);
    avdevice_register_all();
    avformat_network_init();
  });
}

std::string ffmpeg_error(int code) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(code, text.data(), text.size());
  return text.data();
}

}  // namespace wccl::device
