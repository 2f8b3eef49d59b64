#include "transfer/messages.h"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wccl::transfer {
namespace {

Report example_report() {
  Report report;
  report.transfer[3] = std::byte{7};
  report.incarnation = 0x0123456789ABCDEF;
  report.count = 12;
  report.losses = 2;
  report.bytes_had = 40'000'000'000;
  report.bytes_came = 30'000'000'000;
  report.held.add({0, 5});
  report.held.add({9, 10});
  report.described = 20;
  return report;
}

TEST(Messages, SayWhatWasPutIn) {
  const auto hello = parse_control(encode_control(Hello{Role::kReceiver, 42, 3}));
  ASSERT_TRUE(hello);
  EXPECT_EQ(std::get<Hello>(*hello).role, Role::kReceiver);
  EXPECT_EQ(std::get<Hello>(*hello).incarnation, 42U);
  EXPECT_EQ(std::get<Hello>(*hello).repeats, 3);

  const Report sent = example_report();
  const auto report = parse_control(encode_control(sent));
  ASSERT_TRUE(report);
  const auto& got = std::get<Report>(*report);
  EXPECT_EQ(got.transfer, sent.transfer);
  EXPECT_EQ(got.incarnation, sent.incarnation);
  EXPECT_EQ(got.count, sent.count);
  EXPECT_EQ(got.losses, sent.losses);
  EXPECT_FALSE(got.complete);
  EXPECT_EQ(got.bytes_had, sent.bytes_had);
  EXPECT_EQ(got.bytes_came, sent.bytes_came);
  EXPECT_EQ(got.described, sent.described);
  EXPECT_TRUE(std::ranges::equal(got.held.ranges(), sent.held.ranges()));

  const Bytes content{std::byte{1}, std::byte{2}};
  const Bytes message = encode_content({sent.transfer, 77, content});
  const auto parsed = parse_content(message);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->first_piece, 77U);
  EXPECT_TRUE(std::ranges::equal(parsed->bytes, content));
}

TEST(Messages, CutOffAreNone) {
  for (const Bytes& whole :
       {encode_control(Hello{}), encode_control(example_report()), encode_content({{}, 1, {}})}) {
    for (std::size_t n = 0; n < whole.size(); ++n) {
      const auto part = std::span(whole).first(n);
      const auto control = parse_control(part);
      // A shorter list of runs is a list, too.
      const bool is_whole_report =
          control && std::holds_alternative<Report>(*control) && (whole.size() - n) % 8 == 0;
      EXPECT_TRUE(!control || is_whole_report) << n;
      EXPECT_FALSE(parse_content(part)) << n;
    }
  }
}

TEST(Messages, AHelloWithSomethingBehindItIsNone) {
  Bytes hello = encode_control(Hello{Role::kReceiver, 42, 3});
  hello.push_back(std::byte{0});
  EXPECT_FALSE(parse_control(hello));
}

TEST(Messages, RunsOfPiecesMustGrow) {
  Bytes message = encode_control(example_report());
  // The last run is 9 to 10; now 4 to 10, which overlaps the one before.
  message[message.size() - 8] = std::byte{4};
  EXPECT_FALSE(parse_control(message));
  message[message.size() - 8] = std::byte{10};
  EXPECT_FALSE(parse_control(message));
  message[message.size() - 8] = std::byte{9};
  EXPECT_TRUE(parse_control(message));
  message[message.size() - 4] = std::byte{21};  // Beyond what is described.
  EXPECT_FALSE(parse_control(message));
}

TEST(Messages, MoreRunsThanAReportListsAreNone) {
  for (const std::uint32_t too_many : {0U, 1U}) {
    Report report;
    report.described = 2000;
    for (std::uint32_t i = 0; i < kMostReportedRuns + too_many; ++i) {
      report.held.add({2 * i, 2 * i + 1});
    }
    EXPECT_EQ(parse_control(encode_control(report)).has_value(), too_many == 0);
  }
}

TEST(Messages, OfAnotherVersionAreNamedSo) {
  Bytes message = encode_control(Hello{});
  message[0] = std::byte{2};
  const auto parsed = parse_control(message);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::kUnsupported);
}

TEST(Messages, AReportListsTheFirstRunsOnly) {
  PieceSet held;
  for (std::uint32_t i = 0; i < 1000; ++i) {
    held.add({2 * i, 2 * i + 1});
  }
  Report report;
  describe_held(report, held, 2000);
  EXPECT_EQ(report.held.ranges().size(), kMostReportedRuns);
  EXPECT_EQ(report.described, 2 * kMostReportedRuns);
  describe_held(report, {}, 2000);
  EXPECT_TRUE(report.held.empty());
  EXPECT_EQ(report.described, 2000U);
}

}  // namespace
}  // namespace wccl::transfer
