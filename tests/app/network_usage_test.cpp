#include "app/network_usage.h"

#include <array>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace wccl::app {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() { reset(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  [[nodiscard]] int get() const { return descriptor_; }
  void reset() {
    if (descriptor_ >= 0) {
      close(descriptor_);
    }
    descriptor_ = -1;
  }

 private:
  int descriptor_;
};

/// Both ends of a TCP connection over 127.0.0.1.
struct Connection {
  Connection() : listener(socket(AF_INET, SOCK_STREAM, 0)), near(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof(address);
    EXPECT_EQ(bind(listener.get(), generic, size), 0);
    EXPECT_EQ(listen(listener.get(), 1), 0);
    EXPECT_EQ(getsockname(listener.get(), generic, &size), 0);
    EXPECT_EQ(connect(near.get(), generic, size), 0);
    far = accept(listener.get(), nullptr, nullptr);
    EXPECT_GE(far, 0);
  }
  ~Connection() { close(far); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void pass(std::size_t n_bytes) const {
    std::array<char, 4096> buffer{};
    ASSERT_EQ(send(near.get(), buffer.data(), n_bytes, 0), static_cast<ssize_t>(n_bytes));
    ASSERT_EQ(recv(far, buffer.data(), n_bytes, MSG_WAITALL), static_cast<ssize_t>(n_bytes));
  }

  Descriptor listener;
  Descriptor near;
  int far = -1;
};

#ifdef __linux__

TEST(NetworkUsage, AProcessWithoutSocketsHasUsedNothing) {
  NetworkUsage usage;
  usage.sample();
  EXPECT_EQ(usage.bytes(), 0U);
}

TEST(NetworkUsage, EveryByteIsCountedWhereItLeavesAndWhereItArrives) {
  const Connection connection;
  NetworkUsage before;
  before.sample();
  connection.pass(1000);
  NetworkUsage after;
  after.sample();
  ASSERT_TRUE(before.bytes() && after.bytes());
  EXPECT_EQ(*after.bytes() - *before.bytes(), 2000U);  // Both ends are ours.
}

TEST(NetworkUsage, ClosedSocketsKeepWhatWasSeenOfThem) {
  NetworkUsage usage;
  {
    const Connection connection;
    connection.pass(500);
    usage.sample();
  }
  usage.sample();
  ASSERT_TRUE(usage.bytes());
  EXPECT_GE(*usage.bytes(), 1000U);
}

TEST(NetworkUsage, LocalSocketsAreNoNetwork) {
  std::array<int, 2> pair{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
  const Descriptor one(pair[0]);
  const Descriptor two(pair[1]);
  ASSERT_EQ(write(pair[0], "hello", 5), 5);
  NetworkUsage usage;
  usage.sample();
  EXPECT_EQ(usage.bytes(), 0U);
}

TEST(NetworkUsage, WhatCannotBeCountedIsNotCalledZero) {
  const Descriptor datagrams(socket(AF_INET, SOCK_DGRAM, 0));
  NetworkUsage usage;
  usage.sample();
  EXPECT_FALSE(usage.bytes());
}

#endif

}  // namespace
}  // namespace wccl::app
