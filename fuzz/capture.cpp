// device::CaptureDecoder: packets of a webcam or of a stream over HTTP, and the planes made of
// them, as phy reads them.
#include <array>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "device/capture_decoder.h"
#include "device/picture.h"
#include "fuzz/choices.h"
#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

using namespace device;

constexpr std::array kFormats{AV_PIX_FMT_YUYV422, AV_PIX_FMT_UYVY422, AV_PIX_FMT_NV12,
                              AV_PIX_FMT_BGR0,    AV_PIX_FMT_RGB24,   AV_PIX_FMT_GRAY8,
                              AV_PIX_FMT_YUV420P, AV_PIX_FMT_PAL8};

std::shared_ptr<const AVCodecParameters> coding_of(std::uint8_t kind, Choices& choices) {
  std::shared_ptr<AVCodecParameters> coding(avcodec_parameters_alloc(), FfmpegCloser{});
  coding->codec_type = AVMEDIA_TYPE_VIDEO;
  coding->codec_id = AV_CODEC_ID_MJPEG;
  if (kind % 3 == 1) {
    coding->codec_id = AV_CODEC_ID_RAWVIDEO;
    coding->format = kFormats[choices.below(kFormats.size())];
    coding->width = 1 + static_cast<int>(choices.below(64));
    coding->height = 1 + static_cast<int>(choices.below(64));
  }
  return coding;
}

RawCapture read_capture(std::span<const std::byte> bytes,
                        const std::shared_ptr<const AVCodecParameters>& coding) {
  RawCapture capture;
  capture.packet.reset(av_packet_alloc());
  require(av_new_packet(capture.packet.get(), static_cast<int>(bytes.size())) == 0);
  std::memcpy(capture.packet->data, bytes.data(), bytes.size());
  capture.coding = coding;
  return capture;
}

std::uint64_t sum_of(const PlaneView& plane) {
  std::uint64_t sum = 0;
  for (int y = 0; y < plane.height; ++y) {
    sum = std::accumulate(plane.row(y), plane.row(y) + plane.width, sum);
  }
  return sum;
}

}  // namespace

void check(std::span<const std::byte> input) {
  constexpr int kMostPackets = 4;
  static const bool kIsPrepared = (prepare_ffmpeg(), true);
  require(kIsPrepared);
  Choices choices(input);
  CaptureDecoder decoder;
  auto coding = coding_of(choices.byte(), choices);
  for (int i = 0; i < kMostPackets && choices.any_left(); ++i) {
    const std::size_t n_bytes = choices.number<std::uint16_t>();
    const auto bytes = choices.bytes(n_bytes);
    if (bytes.empty()) {
      coding = coding_of(choices.byte(), choices);
      continue;
    }
    const auto frame = decoder.decode(read_capture(bytes, coding));
    if (!frame || !*frame) {
      continue;
    }
    const YuvView view = view_of(**frame);
    require(view.y.width >= 1 && view.y.height >= 1 && view.cb.width >= 1);
    // All of it is there.
    static_cast<void>(sum_of(view.y) + sum_of(view.cb) + sum_of(view.cr));
  }
}

std::vector<Bytes> seeds() {
  YuvImage image(40, 24);
  const Bytes jpeg = *encode_jpeg(image.view(), 70);
  ByteWriter webcam;
  webcam.put(std::uint8_t{0});
  for (int i = 0; i < 2; ++i) {
    webcam.put(static_cast<std::uint16_t>(jpeg.size()));
    webcam.put_bytes(jpeg);
  }
  std::vector<Bytes> seeds{webcam.take()};
  for (std::size_t format = 0; format < kFormats.size(); ++format) {
    // 8 x 6 pixels, with enough bytes for each format.
    Bytes raw{std::byte{1},    static_cast<std::byte>(format),
              std::byte{7},    std::byte{5},
              std::byte{0xC0}, std::byte{0}};
    raw.resize(raw.size() + 8 * 6 * 4, std::byte{0x77});
    seeds.push_back(std::move(raw));
  }
  return seeds;
}

}  // namespace wccl::fuzz
