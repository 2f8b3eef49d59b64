#include "device/picture_server.h"

#include <atomic>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include "device/steady_time.h"

namespace wccl::device {
namespace {

using ::testing::HasSubstr;

std::vector<std::byte> picture(const std::string& content) {
  std::vector<std::byte> bytes;
  for (const char character : content) {
    bytes.push_back(static_cast<std::byte>(character));
  }
  return bytes;
}

/// A server on a free port, with one camera as "/0".
struct Site {
  PictureFeed feed;
  std::unique_ptr<PictureServer> server = std::move(PictureServer::open("127.0.0.1", 0).value());

  Site() { server->add_camera("/0", feed); }
  [[nodiscard]] httplib::Client client() const {
    return httplib::Client("127.0.0.1", server->port());
  }
};

TEST(PictureServer, GivesTheNewestPicture) {
  Site site;
  site.server->start();
  site.feed.push(picture("one"), SteadyTime::Clock::now());
  site.feed.push(picture("two"), SteadyTime::Clock::now());
  const auto answer = site.client().Get("/0/picture.jpg");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "two");
  EXPECT_EQ(answer->get_header_value("Content-Type"), "image/jpeg");
}

TEST(PictureServer, SaysWhenThereIsNoPictureYet) {
  Site site;
  site.server->start();
  const auto answer = site.client().Get("/0/picture.jpg");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 503);
}

TEST(PictureServer, StreamsPicturesAsParts) {
  Site site;
  site.server->start();
  site.feed.push(picture("one"), SteadyTime::Clock::now());
  std::string stream;
  const auto answer = site.client().Get("/0/video", [&](const char* data, std::size_t n_bytes) {
    stream.append(data, n_bytes);
    if (stream.ends_with("one\r\n")) {
      site.feed.push(picture("two"), SteadyTime::Clock::now());
    }
    return !stream.ends_with("two\r\n");  // the viewer leaves
  });
  EXPECT_EQ(stream,
            "--wccl-picture\r\nContent-Type: image/jpeg\r\nContent-Length: 3\r\n\r\none\r\n"
            "--wccl-picture\r\nContent-Type: image/jpeg\r\nContent-Length: 3\r\n\r\ntwo\r\n");
}

TEST(PictureServer, StreamsEndWithTheFeed) {
  Site site;
  site.server->start();
  site.feed.push(picture("one"), SteadyTime::Clock::now());
  std::string stream;
  static_cast<void>(site.client().Get("/0/video", [&](const char* data, std::size_t n_bytes) {
    stream.append(data, n_bytes);
    site.feed.close();
    return true;
  }));
  EXPECT_THAT(stream, HasSubstr("one"));
}

TEST(PictureServer, StreamsEndWithTheServer) {
  Site site;
  site.server->start();
  site.feed.push(picture("one"), SteadyTime::Clock::now());
  auto client = site.client();
  std::atomic<bool> seen{false};
  std::thread viewer([&] {
    static_cast<void>(client.Get("/0/video", [&](const char*, std::size_t) {
      seen = true;
      return true;
    }));
  });
  while (!seen) {
    std::this_thread::yield();
  }
  site.server.reset();  // hangs if a stream does not end
  viewer.join();
}

TEST(PictureServer, SwitchesAreTurnedOnAndOff) {
  Site site;
  std::string turned;
  site.server->add_page("/", "text/plain", [] { return std::string("home"); });
  site.server->add_switch("/0/cover", "/", [&turned](bool on) { turned += on ? '1' : '0'; });
  site.server->start();
  auto client = site.client();
  client.set_follow_location(true);
  const auto answer = client.Post("/0/cover?on=1", "", "text/plain");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "home");
  EXPECT_TRUE(client.Post("/0/cover?on=0", "", "text/plain"));
  EXPECT_EQ(client.Post("/0/cover?on=maybe", "", "text/plain")->status, 400);
  EXPECT_EQ(turned, "10");
}

TEST(PictureServer, TakenPortIsSaid) {
  const Site site;
  const auto second = PictureServer::open("127.0.0.1", site.server->port());
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("another program"));
}

TEST(PictureServer, ForeignAddressIsSaid) {
  const auto server = PictureServer::open("192.0.2.1", 8080);  // TEST-NET-1: nobody's
  ASSERT_FALSE(server);
  EXPECT_THAT(server.error().message, HasSubstr("192.0.2.1:8080"));
}

}  // namespace
}  // namespace wccl::device
