#include "app/endpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wccl::app {
namespace {

using ::testing::HasSubstr;

TEST(Endpoint, IsHostAndPort) {
  const auto plain = parse_endpoint("--master", "laptop.local:29500");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->host, "laptop.local");
  EXPECT_EQ(plain->port, 29500);
  const auto v6 = parse_endpoint("--master", "[fe80::1]:80");
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->host, "fe80::1");
}

TEST(Endpoint, TornOnesAreRefusedByTheNameOfTheOption) {
  for (const char* text :
       {"", "host", ":80", "host:", "host:0", "host:65536", "host:8o", "host:-1"}) {
    const auto endpoint = parse_endpoint("--serve", text);
    ASSERT_FALSE(endpoint) << text;
    EXPECT_THAT(endpoint.error().message, HasSubstr("--serve"));
  }
}

}  // namespace
}  // namespace wccl::app
