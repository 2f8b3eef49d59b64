#include "phy/layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "phy/block_codec.h"
#include "phy/transmitter.h"

namespace wccl::phy {
namespace {

constexpr std::array kPanels{PanelSize{1920, 1200}, PanelSize{1366, 768}, PanelSize{2560, 1600},
                             PanelSize{1200, 1920}, PanelSize{640, 480},  PanelSize{217, 216}};

TEST(Layout, ModuleIsASeventyFifthOfTheShorterSide) {
  EXPECT_EQ(module_px({1920, 1200}), 16);
  EXPECT_EQ(module_px({1366, 768}), 10);
  EXPECT_EQ(module_px({1200, 1920}), 16);
  EXPECT_EQ(module_px({320, 240}), 8);
}

TEST(Layout, PanelsTooLargeForTheHeaderAreNotSupported) {
  EXPECT_TRUE(is_panel_supported({4095, 2160}));
  EXPECT_FALSE(is_panel_supported({4096, 2160}));
  EXPECT_FALSE(is_panel_supported({2160, 4096}));
}

TEST(Layout, PanelsTooSmallForTheCornersBearNothing) {
  EXPECT_TRUE(is_panel_supported({217, 216}));
  EXPECT_FALSE(is_panel_supported({400, 215}));
  EXPECT_TRUE(block_slots({400, 215}, 0).empty());
  EXPECT_TRUE(block_slots({1920, 1200}, 255).empty());
}

TEST(Layout, EachHeaderStripBearsEveryBit) {
  for (const PanelSize panel : kPanels) {
    const HeaderGrid grid = header_grid(panel);
    for (int strip = 0; strip < 2; ++strip) {
      std::set<int> bits;
      for (int row = 0; row < grid.rows; ++row) {
        for (int column = 0; column < grid.columns; ++column) {
          bits.insert(header_bit(grid, strip, row, column));
        }
      }
      EXPECT_EQ(bits.size(), static_cast<std::size_t>(kHeaderCodedBits));
    }
  }
}

TEST(Layout, HeaderCellsFillTheStripBetweenTheCorners) {
  for (const PanelSize panel : kPanels) {
    const HeaderGrid grid = header_grid(panel);
    const int module = module_px(panel);
    const PixelRect first = header_cell(panel, 0, 0, 0);
    const PixelRect last = header_cell(panel, 1, grid.rows - 1, grid.columns - 1);
    EXPECT_EQ(first.x, 9 * module);
    EXPECT_EQ(first.y, module);
    EXPECT_EQ(last.x + last.width, panel.width_px - 9 * module);
    EXPECT_EQ(last.y + last.height, panel.height_px - module);
  }
}

TEST(Layout, TurnedTagsNeverLookLikeOtherTags) {
  for (int node = 0; node <= kUnnumberedNode; ++node) {
    for (int other = 0; other <= kUnnumberedNode; ++other) {
      for (int turn = 1; turn < 4; ++turn) {
        bool same = true;
        for (int corner = 0; corner < kCorners; ++corner) {
          for (int bit = 0; bit < kTagBits; ++bit) {
            same = same && is_tag_dark(node, corner, bit) ==
                               is_tag_dark(other, (corner + turn) % 4, (bit + turn) % 4);
          }
        }
        EXPECT_FALSE(same) << node << ' ' << other << ' ' << turn;
      }
    }
  }
}

TEST(Layout, NextFrameDiffersInOneSyncColumn) {
  for (unsigned sequence = 0; sequence < 8; ++sequence) {
    int differing = 0;
    for (int column = 0; column < 3; ++column) {
      differing += is_sync_bright(sequence, column) != is_sync_bright(sequence + 1, column) ? 1 : 0;
    }
    EXPECT_EQ(differing, 1);
  }
}

TEST(Layout, CellsKeepOffTheReservedParts) {
  for (const PanelSize panel : kPanels) {
    for (ModeId mode = 0; mode < modes().size(); ++mode) {
      const Layout layout(panel, mode);
      const int module = module_px(panel);
      const int cell_px = layout.mode().cell_px;
      for (int row = 0; row < layout.rows(); ++row) {
        for (int column = 0; column < layout.columns(); ++column) {
          if (layout.kinds(row)[static_cast<std::size_t>(column)] == CellKind::kReserved) {
            continue;
          }
          const int x = layout.origin_x() + column * cell_px;
          const int y = layout.origin_y() + row * cell_px;
          const int edge_x = std::min(x, panel.width_px - x - cell_px);
          const int edge_y = std::min(y, panel.height_px - y - cell_px);
          ASSERT_GE(edge_x, 4 * module);
          ASSERT_GE(edge_y, 4 * module);
          ASSERT_TRUE(edge_x >= 9 * module || edge_y >= 9 * module);
        }
      }
    }
  }
}

TEST(Layout, OneCellInSixteenIsAPilotAndTheirLevelsAreEven) {
  const Layout layout({1920, 1200}, *find_mode("rgb4-1.5"));
  const auto cells = static_cast<double>(layout.pilot_cells() + layout.data_cells());
  EXPECT_NEAR(static_cast<double>(layout.pilot_cells()) / cells, 1.0 / 16, 0.001);
  for (int channel = 0; channel < 3; ++channel) {
    double sum = 0;
    for (std::size_t i = 0; i < layout.pilot_cells(); ++i) {
      sum += layout.pilot_level(static_cast<std::int32_t>(i), channel);
    }
    // Binomial: four standard deviations of the mean.
    const auto n = static_cast<double>(layout.pilot_cells());
    EXPECT_NEAR(sum / n, 0.5, 4 * 0.5 / std::sqrt(n));
  }
}

TEST(Layout, SlotsAreTheWholeBlocksOfEachLayerGreenFirst) {
  const PanelSize panel{1920, 1200};
  const ModeId mode = *find_mode("rgb8-1.5");
  const auto slots = block_slots(panel, mode);
  const Layout layout(panel, mode);
  std::size_t next = 0;
  for (const Layer layer : layers(Colouring::kRgb)) {
    const std::size_t n =
        layout.layer_cells(layer).size() / block_coded_bits(find_mode(mode)->code_rate(layer));
    EXPECT_EQ(layout.layer_blocks(layer), n);
    ASSERT_LE(next + n, slots.size());
    for (const std::size_t end = next + n; next < end; ++next) {
      EXPECT_EQ(index_of(slots[next].layer), index_of(layer));
    }
  }
  EXPECT_EQ(next, slots.size());
  EXPECT_EQ(slots[0].layer.channel, 1);
}

TEST(Layout, HalvesAreACheckerboardOfAllDataCells) {
  const Layout layout({1366, 768}, *find_mode("rgb5-1.5"));
  std::vector<int> half_of(layout.data_cells(), -1);
  for (int half = 0; half < kHalves; ++half) {
    for (const std::uint32_t cell : layout.layer_cells({1, half})) {
      EXPECT_EQ(half_of[cell], -1);
      half_of[cell] = half;
    }
  }
  for (int row = 0; row < layout.rows(); ++row) {
    for (const std::uint16_t column : layout.data_columns(row)) {
      const auto cell = static_cast<std::size_t>(layout.indices(row)[column]);
      ASSERT_EQ(half_of[cell], (row + column) % kHalves);
    }
  }
}

TEST(Layout, BlocksShareTheBitsOfALayerAndLeaveFewerThanOneEach) {
  for (const PanelSize panel : {PanelSize{1920, 1200}, PanelSize{640, 480}, PanelSize{400, 300}}) {
    for (std::size_t id = 0; id < modes().size(); ++id) {
      const Layout layout(panel, static_cast<ModeId>(id));
      for (const Layer layer : layers(layout.mode().colouring)) {
        const std::size_t n_blocks = layout.layer_blocks(layer);
        if (n_blocks == 0) {
          EXPECT_EQ(layout.block_bits(layer), 0U);
          continue;
        }
        const std::size_t n_bits = layout.layer_cells(layer).size();
        EXPECT_GE(layout.block_bits(layer), block_coded_bits(modes()[id].code_rate(layer)));
        EXPECT_LE(n_blocks * layout.block_bits(layer), n_bits);
        EXPECT_LT(n_bits - n_blocks * layout.block_bits(layer), n_blocks);
      }
    }
  }
}

}  // namespace
}  // namespace wccl::phy
