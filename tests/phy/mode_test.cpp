#include "phy/mode.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

#include <gmock/gmock.h>

#include "phy/ldpc_code.h"

namespace wccl::phy {
namespace {

double payload_per_px(const Mode& mode) {
  double blocks = 0;
  for (const Layer layer : layers(mode.colouring)) {
    const double share = layer.half == kBothHalves ? 1 : 0.5;
    const std::size_t n_coded = block_coded_bits(mode.code_rate(layer));
    blocks += n_coded == 0 ? 0 : share / static_cast<double>(n_coded);
  }
  return blocks * mode.bits_per_level / (mode.cell_px * mode.cell_px);
}

TEST(Modes, RiseInPayloadPerArea) {
  for (std::size_t id = 1; id < modes().size(); ++id) {
    EXPECT_GT(payload_per_px(modes()[id]), payload_per_px(modes()[id - 1])) << modes()[id].name;
  }
}

TEST(Modes, AreNamedAfterColoursCellAndBits) {
  for (const Mode& mode : modes()) {
    const double bits = payload_per_px(mode) * mode.cell_px * mode.cell_px * kLdpcInfoBits;
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "%s%d-%.1f",
                  mode.colouring == Colouring::kLuma ? "luma" : "rgb", mode.cell_px, bits);
    EXPECT_EQ(mode.name, name.data());
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
      EXPECT_EQ(std::count(mode.code_rates.begin(), mode.code_rates.end(), CodeRate::kNone), 5)
          << mode.name;
    }
  }
}

}  // namespace
}  // namespace wccl::phy
