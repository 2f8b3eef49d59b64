#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "wccl/result.h"

#include "device/picture_feed.h"

namespace wccl::device {

/// Cameras over HTTP, as phones and IP cameras give them: PREFIX/video is MJPEG
/// (multipart/x-mixed-replace), PREFIX/picture.jpg the newest picture. open_camera() reads it. One
/// address; several servers may show the same feeds.
class PictureServer {
 public:
  /// Listens, but answers only from start() on: what is served is added in between.
  /// @param port  0: any that is free.
  /// @return kIo: the port is taken, or the host is none of this machine's addresses.
  [[nodiscard]] static Result<std::unique_ptr<PictureServer>> open(const std::string& host,
                                                                   std::uint16_t port);
  ~PictureServer();  ///< Ends all streams.
  PictureServer(const PictureServer&) = delete;
  PictureServer& operator=(const PictureServer&) = delete;

  /// @param prefix  "" or "/0".
  /// @param feed    Borrowed.
  void add_camera(const std::string& prefix, const PictureFeed& feed);
  /// @param make  Called by several threads.
  void add_page(const std::string& path,
                const std::string& content_type,
                std::function<std::string()> make);
  /// POST path?on=1 or on=0; answers with the page `after`.
  void add_switch(const std::string& path,
                  const std::string& after,
                  std::function<void(bool on)> turn);

  void start();
  [[nodiscard]] std::uint16_t port() const;

 private:
  struct State;
  explicit PictureServer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace wccl::device
