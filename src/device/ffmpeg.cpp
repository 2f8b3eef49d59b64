#include "device/ffmpeg.h"

#include <array>
#include <mutex>

extern "C" {
#include <libavdevice/avdevice.h>
}

namespace wccl::device {

void prepare_ffmpeg() {
  static std::once_flag once;
  std::call_once(once, [] {
    av_log_set_level(AV_LOG_QUIET);
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
