// transfer: what the two ends of a transfer say to one another.
#include "transfer/messages.h"

#include <algorithm>
#include <array>
#include <variant>

#include "fuzz/target.h"

namespace wccl::fuzz {
namespace {

using namespace transfer;

void check_bounds(const Hello& /*hello*/) {}
void check_bounds(const Offer& /*offer*/) {}
void check_bounds(const Report& report) {
  const auto runs = report.held.ranges();
  require(runs.size() <= kMostReportedRuns);
  require(runs.empty() || runs.back().end <= report.described);
}

void check_control(std::span<const std::byte> input) {
  const auto message = parse_control(input);
  if (!message) {
    require(!message.error().message.empty());
    return;
  }
  std::visit([](const auto& typed) { check_bounds(typed); }, *message);
  const Bytes bytes = encode_control(*message);
  const auto again = parse_control(bytes);
  require(again.has_value() && encode_control(*again) == bytes);
  require(std::ranges::equal(bytes, input));
}

void check_content(std::span<const std::byte> input) {
  const auto content = parse_content(input);
  if (content) {
    require(std::ranges::equal(encode_content(*content), input));
  }
}

}  // namespace

void check(std::span<const std::byte> input) {
  check_control(input);
  check_content(input);
}

std::vector<Bytes> seeds() {
  Report report;
  report.incarnation = 0x1122334455667788;
  report.count = 3;
  report.bytes_had = 8192;
  report.held.add({0, 2});
  report.held.add({5, 9});
  report.described = 12;
  Offer offer;
  offer.manifest = Manifest::of({{EntryKind::kFile, "a", 10}})->bytes();
  const Bytes content(64, std::byte{7});
  return {encode_control(Hello{Role::kReceiver, 99, 1}), encode_control(offer),
          encode_control(report), encode_content({TransferId{}, 5, content})};
}

}  // namespace wccl::fuzz
