#include "phy/mode.h"

#include <set>

#include <gmock/gmock.h>

namespace wccl::phy {
namespace {

double payload_per_px(const Mode& mode) {
  double blocks = 0;
  for (const CodeRate rate : mode.code_rates) {
    blocks += rate == CodeRate::kNone ? 0 : 1.0 / static_cast<double>(block_coded_bits(rate));
  }
  return blocks * mode.bits_per_level / (mode.cell_px * mode.cell_px);
}

TEST(Modes, KeepTheirIds) {
  std::vector<std::string_view> names;
  for (const Mode& mode : modes()) {
    names.push_back(mode.name);
  }
  ASSERT_GE(names.size(), 16U);
  names.resize(16);
  EXPECT_THAT(
      names, testing::ElementsAre("luma16-1/2", "luma12-1/2", "luma8-1/2", "luma6-1/2", "luma5-1/2",
                                  "rgb8-1/2-3/4-1/2", "luma4-1/2", "rgb8-2/3-5/6-2/3",
                                  "rgb6-1/2-3/4-1/2", "rgb6-2/3-5/6-2/3", "rgb5-1/2-3/4-1/2",
                                  "rgb5-2/3-5/6-2/3", "rgb4-1/2-3/4-1/2", "rgb4-2/3-5/6-2/3",
                                  "rgb3-1/2-3/4-1/2", "rgb3-2/3-5/6-2/3"));
}

TEST(Modes, RiseInPayloadPerArea) {
  for (std::size_t id = 1; id < 16; ++id) {
    EXPECT_GT(payload_per_px(modes()[id]), payload_per_px(modes()[id - 1])) << modes()[id].name;
  }
}

TEST(Modes, AreFoundByIdAndByName) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < modes().size(); ++i) {
    const auto id = static_cast<ModeId>(i);
    EXPECT_EQ(find_mode(id), &modes()[i]);
    EXPECT_EQ(find_mode(modes()[i].name), id);
    EXPECT_TRUE(names.insert(modes()[i].name).second);
  }
}

TEST(Modes, UnknownOnesAreAbsent) {
  EXPECT_EQ(find_mode(static_cast<ModeId>(255)), nullptr);
  EXPECT_EQ(find_mode("luma1-1/2"), std::nullopt);
  EXPECT_EQ(find_mode(""), std::nullopt);
}

TEST(Modes, LumaBearsDataOnItsOneChannelOnly) {
  for (const Mode& mode : modes()) {
    EXPECT_NE(mode.code_rates[0], CodeRate::kNone) << mode.name;
    if (mode.colouring == Colouring::kLuma) {
      EXPECT_EQ(mode.code_rates[1], CodeRate::kNone) << mode.name;
      EXPECT_EQ(mode.code_rates[2], CodeRate::kNone) << mode.name;
    }
  }
}

}  // namespace
}  // namespace wccl::phy
