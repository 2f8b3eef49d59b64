#include "eval/soft_meter.h"

#include <cmath>

#include <gmock/gmock.h>

#include "base/rng.h"
#include "eval/quality_sums.h"
#include "phy/llr.h"

namespace wccl::eval {
namespace {

constexpr std::uint16_t kSequence = 9;

std::shared_ptr<const phy::Layout> layout_of(const char* mode) {
  return std::make_shared<const phy::Layout>(phy::PanelSize{1024, 640}, *phy::find_mode(mode));
}

ShownCells random_cells(const phy::Layout& layout, Rng& rng) {
  ShownCells cells;
  for (int channel = 0; channel < layout.channels(); ++channel) {
    auto& levels = cells.levels[static_cast<std::size_t>(channel)];
    levels.resize(layout.data_cells());
    for (auto& level : levels) {
      level = static_cast<std::uint8_t>(rng.below(2));
    }
  }
  return cells;
}

/// The rows that a receiver would show of two levels in white noise.
void show(SoftMeter& meter,
          const phy::Layout& layout,
          const ShownCells& cells,
          double sigma,
          float share,
          Rng& rng) {
  for (int row = 0; row < layout.rows(); ++row) {
    std::vector<float> estimates(static_cast<std::size_t>(layout.columns()));
    std::vector<phy::Llr> llrs;
    phy::SoftRow soft;
    soft.first_cell = -1;
    for (std::size_t column = 0; column < estimates.size(); ++column) {
      if (layout.kinds(row)[column] != phy::CellKind::kData) {
        continue;
      }
      const std::int32_t cell = layout.indices(row)[column];
      soft.first_cell = soft.first_cell < 0 ? cell : soft.first_cell;
      const double level = cells.levels[0][static_cast<std::size_t>(cell)] != 0 ? 1 : -1;
      const double seen = level + sigma * rng.normal();
      estimates[column] = static_cast<float>(seen);
      llrs.push_back(phy::to_llr(static_cast<float>(2 * seen / (sigma * sigma))));
    }
    soft.layout = &layout;
    soft.sequence = kSequence;
    soft.row = row;
    soft.estimates = estimates;
    soft.llrs = llrs;
    soft.share_left = soft.share_right = share;
    meter.note(soft);
  }
  meter.digest();
}

Figures figures_of(const SoftMeter& meter, const phy::Layout& layout) {
  Figures figures;
  figures.channels = channels_of(layout.mode());
  meter.fill(figures);
  return figures;
}

TEST(SoftMeter, FindsErrorsAndInformationOfTwoLevelsInWhiteNoise) {
  Rng rng(3);
  const auto layout = layout_of("luma4-0.5");
  const ShownCells cells = random_cells(*layout, rng);
  SoftMeter meter(layout);
  show(meter, *layout, cells, 1.0, 1, rng);
  meter.close(kSequence, cells, {});
  const Figures figures = figures_of(meter, *layout);
  // At 0 dB: Q(1) = 0.1587 errors and 0.486 bits (Gauss-Hermite quadrature of the binary-input
  // AWGN channel). The grid has some 30,000 cells: three standard deviations are 0.0065 errors.
  ASSERT_GT(layout->data_cells(), 25'000U);
  EXPECT_NEAR(figures.channels[0].symbol_error_rate, 0.1587, 0.0070);
  EXPECT_NEAR(figures.channels[0].mutual_information, 0.486, 0.012);
  // Of the power ratio: one part in sqrt(2 / 30,000) is 0.035 dB.
  EXPECT_NEAR(figures.channels[0].snr_db, 0, 0.15);
  EXPECT_EQ(figures.mixed_share, 0);
}

TEST(SoftMeter, CapturesOfAFrameAddUpAndAResetDropsThem) {
  Rng rng(4);
  const auto layout = layout_of("luma4-0.5");
  const ShownCells cells = random_cells(*layout, rng);
  SoftMeter meter(layout);
  show(meter, *layout, cells, 0.3, 1, rng);
  meter.note_reset(kSequence, {0, phy::kBothHalves});
  show(meter, *layout, cells, 1.0, 1, rng);
  show(meter, *layout, cells, 1.0, 1, rng);
  meter.close(kSequence, cells, {});
  // Two captures at 0 dB are one at 3 dB: Q(sqrt 2) = 0.0786.
  EXPECT_NEAR(figures_of(meter, *layout).channels[0].symbol_error_rate, 0.0786, 0.006);
}

TEST(SoftMeter, WhatWasNotSeenBearsNothingUnlessAllBlocksWereThere) {
  Rng rng(5);
  const auto layout = layout_of("luma8-0.5");
  const ShownCells cells = random_cells(*layout, rng);
  for (const bool is_complete : {false, true}) {
    SoftMeter meter(layout);
    show(meter, *layout, cells, 0.2, 0.1F, rng);  // Too small a share: as if it was not seen.
    meter.close(kSequence, cells, {is_complete, false, false});
    EXPECT_EQ(figures_of(meter, *layout).channels[0].mutual_information, 0);
    EXPECT_EQ(figures_of(meter, *layout).channels[0].symbol_error_rate, 0);
  }
  SoftMeter meter(layout);
  show(meter, *layout, cells, 0.2, 1, rng);
  meter.close(kSequence, cells, {});
  meter.close_unseen();
  EXPECT_NEAR(figures_of(meter, *layout).channels[0].mutual_information, 0.5, 0.01);
}

TEST(SoftMeter, CellsThatNeverShowedMostOfTheirFrameAreMixed) {
  Rng rng(6);
  const auto layout = layout_of("luma8-0.5");
  const ShownCells cells = random_cells(*layout, rng);
  SoftMeter meter(layout);
  show(meter, *layout, cells, 0.2, 0.5F, rng);
  meter.close(kSequence, cells, {});
  EXPECT_EQ(figures_of(meter, *layout).mixed_share, 1);
}

TEST(SoftMeter, RowsOfAnotherGridDoNotCount) {
  Rng rng(7);
  const auto layout = layout_of("luma8-0.5");
  const auto other = layout_of("luma6-0.5");
  SoftMeter meter(layout);
  show(meter, *other, random_cells(*other, rng), 0.2, 1, rng);
  EXPECT_FALSE(meter.has_seen(kSequence));
}

}  // namespace
}  // namespace wccl::eval
