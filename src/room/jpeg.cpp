#include "room/jpeg.h"

#include <cassert>
#include <stdexcept>
#include <string>

#include <turbojpeg.h>

namespace wccl::room {
namespace {

[[noreturn]] void broken(tjhandle handle) {
  // Our own planes in, our own bytes back: only a broken library can fail here.
  throw std::runtime_error(std::string("libjpeg-turbo: ") + tjGetErrorStr2(handle));
}

}  // namespace

struct JpegCodec::Handles {
  tjhandle compressor = tjInitCompress();
  tjhandle decompressor = tjInitDecompress();
  std::vector<unsigned char> bytes;
  std::size_t n_bytes = 0;  ///< Of `bytes`, the JPEG.

  Handles() = default;
  ~Handles() {
    tjDestroy(compressor);
    tjDestroy(decompressor);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;
};

JpegCodec::JpegCodec() : handles_(std::make_unique<Handles>()) {}
JpegCodec::~JpegCodec() = default;
JpegCodec::JpegCodec(JpegCodec&&) noexcept = default;
JpegCodec& JpegCodec::operator=(JpegCodec&&) noexcept = default;

std::size_t JpegCodec::round_trip(YuvImage& image, int quality) {
  Handles& handles = *handles_;
  const int sampling = image.chroma_width == image.width ? TJSAMP_444 : TJSAMP_420;
  handles.bytes.resize(tjBufSize(image.width, image.height, sampling));
  const unsigned char* in[3] = {image.y.data(), image.cb.data(), image.cr.data()};
  unsigned char* jpeg = handles.bytes.data();
  unsigned long n_bytes = handles.bytes.size();
  if (tjCompressFromYUVPlanes(handles.compressor, in, image.width, nullptr, image.height, sampling,
                              &jpeg, &n_bytes, quality, TJFLAG_NOREALLOC) != 0) {
    broken(handles.compressor);
  }
  unsigned char* out[3] = {image.y.data(), image.cb.data(), image.cr.data()};
  int strides[3] = {image.width, image.chroma_width, image.chroma_width};
  if (tjDecompressToYUVPlanes(handles.decompressor, jpeg, n_bytes, out, 0, strides, 0, 0) != 0) {
    broken(handles.decompressor);
  }
  handles.n_bytes = n_bytes;
  return n_bytes;
}

std::span<const std::byte> JpegCodec::last() const {
  return std::as_bytes(std::span(handles_->bytes)).first(handles_->n_bytes);
}

}  // namespace wccl::room
