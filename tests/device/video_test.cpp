#include "device/video.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
}

#include "../temporary_folder.h"

namespace wccl::device {
namespace {

namespace fs = std::filesystem;

constexpr int kWidth = 162;  // no multiple of a macroblock
constexpr int kHeight = 98;
constexpr int kFrames = 5;

struct Kind {
  const char* name;
  AVCodecID codec;
  AVPixelFormat format;
};

/// One even colour a frame, in the format's own numbers: Y or R rises by 20 a frame.
void paint(AVFrame& frame, int number) {
  if (frame.format == AV_PIX_FMT_BGR0) {
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        std::uint8_t* pixel = frame.data[0] + y * frame.linesize[0] + 4 * x;
        pixel[0] = pixel[1] = pixel[2] = static_cast<std::uint8_t>(60 + 20 * number);
      }
    }
    return;
  }
  for (int plane = 0; plane < 3; ++plane) {
    const int rows = plane == 0 ? kHeight : (kHeight + 1) / 2;
    const int value = plane == 0 ? 60 + 20 * number : plane == 1 ? 110 : 150;
    for (int y = 0; y < rows; ++y) {
      std::fill_n(frame.data[plane] + y * frame.linesize[plane],
                  plane == 0 ? kWidth : (kWidth + 1) / 2, static_cast<std::uint8_t>(value));
    }
  }
}

void drain(AVCodecContext* codec, AVFormatContext* format, AVPacket* packet) {
  while (avcodec_receive_packet(codec, packet) == 0) {
    av_packet_rescale_ts(packet, codec->time_base, format->streams[0]->time_base);
    packet->stream_index = 0;
    av_interleaved_write_frame(format, packet);
  }
}

void record(const fs::path& path, const Kind& kind) {
  AVFormatContext* format = nullptr;
  ASSERT_GE(avformat_alloc_output_context2(&format, nullptr, "nut", path.c_str()), 0);
  const AVCodec* const encoder = avcodec_find_encoder(kind.codec);
  ASSERT_NE(encoder, nullptr);
  AVStream* const stream = avformat_new_stream(format, nullptr);
  AVCodecContext* codec = avcodec_alloc_context3(encoder);
  codec->width = kWidth;
  codec->height = kHeight;
  codec->pix_fmt = kind.format;
  codec->time_base = {1, 30};
  codec->flags |= AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_GLOBAL_HEADER;
  codec->global_quality = 2 * FF_QP2LAMBDA;
  ASSERT_GE(avcodec_open2(codec, encoder, nullptr), 0);
  avcodec_parameters_from_context(stream->codecpar, codec);
  ASSERT_GE(avio_open(&format->pb, path.c_str(), AVIO_FLAG_WRITE), 0);
  ASSERT_GE(avformat_write_header(format, nullptr), 0);
  AVFrame* frame = av_frame_alloc();
  frame->format = kind.format;
  frame->width = kWidth;
  frame->height = kHeight;
  AVPacket* packet = av_packet_alloc();
  for (int i = 0; i < kFrames; ++i) {
    av_frame_unref(frame);
    frame->format = kind.format;
    frame->width = kWidth;
    frame->height = kHeight;
    frame->quality = codec->global_quality;
    ASSERT_GE(av_frame_get_buffer(frame, 0), 0);
    paint(*frame, i);
    frame->pts = i;
    ASSERT_GE(avcodec_send_frame(codec, frame), 0);
    drain(codec, format, packet);
  }
  avcodec_send_frame(codec, nullptr);
  drain(codec, format, packet);
  av_write_trailer(format);
  av_packet_free(&packet);
  av_frame_free(&frame);
  avcodec_free_context(&codec);
  avio_closep(&format->pb);
  avformat_free_context(format);
}

std::vector<YuvImage> all_of(CaptureSource& source) {
  std::vector<YuvImage> pictures;
  while (auto picture = source.next()) {
    EXPECT_TRUE(*picture);
    if (*picture) {
      pictures.push_back(std::move(**picture));
    }
  }
  return pictures;
}

/// @param limited  The recording has television's range.
void expect_frames(const std::vector<YuvImage>& pictures, bool limited, bool grey) {
  ASSERT_EQ(pictures.size(), static_cast<std::size_t>(kFrames));
  for (int i = 0; i < kFrames; ++i) {
    const YuvImage& picture = pictures[static_cast<std::size_t>(i)];
    ASSERT_EQ(picture.width, kWidth);
    ASSERT_EQ(picture.height, kHeight);
    const double y = 60 + 20 * i;
    EXPECT_NEAR(picture.y[5000], limited ? (y - 16) * 255 / 219 : y, 3) << i;
    EXPECT_NEAR(picture.cb[1000], grey ? 128 : limited ? 128 - 18 * 255.0 / 224 : 110, 3);
    EXPECT_NEAR(picture.cr[1000], grey ? 128 : limited ? 128 + 22 * 255.0 / 224 : 150, 3);
  }
}

TEST(Video, MotionJpegKeepsItsPlanes) {
  const TemporaryFolder folder;
  record(folder / "film", {"mjpeg", AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P});
  const auto video = open_video(folder / "film");
  ASSERT_TRUE(video) << video.error().message;
  expect_frames(all_of(**video), false, false);
}

TEST(Video, TelevisionsRangeIsStretched) {
  const TemporaryFolder folder;
  record(folder / "film", {"mpeg4", AV_CODEC_ID_MPEG4, AV_PIX_FMT_YUV420P});
  const auto video = open_video(folder / "film");
  ASSERT_TRUE(video) << video.error().message;
  expect_frames(all_of(**video), true, false);
}

TEST(Video, OtherFormatsAreConverted) {
  const TemporaryFolder folder;
  record(folder / "film", {"ffv1", AV_CODEC_ID_FFV1, AV_PIX_FMT_BGR0});
  const auto video = open_video(folder / "film");
  ASSERT_TRUE(video) << video.error().message;
  expect_frames(all_of(**video), false, true);
}

TEST(Video, ComesThroughAPipe) {
  const TemporaryFolder folder;
  record(folder / "film", {"mjpeg", AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P});
  const auto read = read_pipe({(folder / "film").c_str(), O_RDONLY}, {});
  const auto video = open_video("stdin", read, read_start(read, 8));
  ASSERT_TRUE(video) << video.error().message;
  expect_frames(all_of(**video), false, false);
}

TEST(Video, CutOffGivesWhatThereIs) {
  const TemporaryFolder folder;
  record(folder / "film", {"mjpeg", AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P});
  fs::resize_file(folder / "film", fs::file_size(folder / "film") / 2);
  const auto video = open_video(folder / "film");
  ASSERT_TRUE(video);
  int n = 0;
  while ((*video)->next()) {
    ASSERT_LT(++n, 20);
  }
  EXPECT_GT(n, 0);
}

TEST(Video, RubbishIsNone) {
  const TemporaryFolder folder;
  std::FILE* const file = std::fopen((folder / "film").c_str(), "wb");
  std::fputs("this is no film, whatever it is called", file);
  std::fclose(file);
  const auto video = open_video(folder / "film");
  ASSERT_FALSE(video);
  EXPECT_THAT(video.error().message, testing::HasSubstr("film"));
  EXPECT_FALSE(open_video(folder / "nothing"));
}

}  // namespace
}  // namespace wccl::device
