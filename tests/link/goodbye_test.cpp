#include "link/goodbye.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wccl::link {
namespace {

Goodbye leaving(const std::string& reason) {
  Goodbye goodbye;
  goodbye.departure = Departure{2, reason};
  goodbye.epochs = {7, 0xABCD, 0, 0, 0, 0, 0, 9};
  return goodbye;
}

TEST(Goodbye, SaysWhoLeftAndWhyAndForWhomThatIs) {
  const auto parsed = parse_goodbye(encode(leaving("the disk is full")));
  ASSERT_TRUE(parsed && parsed->departure);
  EXPECT_EQ(parsed->departure->text(), "rank 2 has left: the disk is full");
  EXPECT_EQ(parsed->epochs, leaving("").epochs);
}

TEST(Goodbye, ThatAllIsDoneIsEmpty) {
  EXPECT_TRUE(encode({}).empty());
  const auto parsed = parse_goodbye({});
  ASSERT_TRUE(parsed);
  EXPECT_FALSE(parsed->departure);
}

TEST(Goodbye, AReasonCannotCommandATerminalNorFillIt) {
  Bytes bytes = encode(leaving(""));
  for (const char each :
       "gr\xc3\xb6\xc3\x9f"
       "e\x1b[2J\n" +
           std::string(900, 'x')) {
    bytes.push_back(static_cast<std::byte>(each));
  }
  const auto parsed = parse_goodbye(bytes);
  ASSERT_TRUE(parsed && parsed->departure);
  EXPECT_THAT(parsed->departure->reason, ::testing::StartsWith("größe_[2J_xxx"));
  EXPECT_EQ(parsed->departure->reason.size(), kMostReasonBytes);
}

TEST(Goodbye, ALongReasonIsCutBetweenCharacters) {
  std::string reason(kMostReasonBytes - 1, 'x');
  const auto parsed = parse_goodbye(encode(leaving(reason + "ö")));
  ASSERT_TRUE(parsed && parsed->departure);
  EXPECT_EQ(parsed->departure->reason, reason);
}

TEST(Goodbye, CutOffOrOfARankThatCannotBeIsNone) {
  const Bytes whole = encode(leaving(""));
  for (std::size_t n = 1; n < whole.size(); ++n) {
    EXPECT_FALSE(parse_goodbye(std::span(whole).first(n)));
  }
  Bytes wrong = whole;
  wrong.back() = std::byte{phy::kMaxNodes};
  EXPECT_FALSE(parse_goodbye(wrong));
}

}  // namespace
}  // namespace wccl::link
