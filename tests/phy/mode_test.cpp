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
      names, testing::ElementsAre("luma16-0.5", "luma12-0.5", "luma8-0.5", "luma6-0.5", "luma5-0.5",
                                  "rgb8-1.5", "luma4-0.5", "rgb8-1.8",
                                  "rgb6-1.5", "rgb6-1.8", "rgb5-1.5",
                                  "rgb5-1.8", "rgb4-1.5", "rgb4-1.8",
                                  "rgb3-1.5", "rgb3-1.8"));
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
  EXPECT_EQ(find_mode("luma1-0.5"), std::nullopt);
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
