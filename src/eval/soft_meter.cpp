#include "eval/soft_meter.h"

#include <algorithm>
#include <cmath>

#include "phy/demodulator.h"
#include "phy/modulator.h"

namespace wccl::eval {
namespace {

constexpr int kMostLlr = 127;             // As the decoder clamps the sum over captures.
constexpr std::uint8_t kPureShare = 204;  // 80% of 255.
constexpr std::size_t kMostPoints = 480;  // Of a constellation,
constexpr std::size_t kPointsAFrame = 60;
constexpr int kForgetAfter = 60;  // Captures.

/// 1 - log2(1 + exp(-L)): the information that a soft bit of natural size L for the truth bears
/// (negative L: it speaks against it).
std::array<double, 2 * kMostLlr + 1> make_information_table() {
  std::array<double, 2 * kMostLlr + 1> table{};
  for (int llr = -kMostLlr; llr <= kMostLlr; ++llr) {
    const double natural = llr / static_cast<double>(phy::kLlrScale);
    table[static_cast<std::size_t>(llr + kMostLlr)] = 1 - std::log2(1 + std::exp(-natural));
  }
  return table;
}
const std::array<double, 2 * kMostLlr + 1> kInformation = make_information_table();

int bin_of(float estimate) {
  const double place = (static_cast<double>(estimate) + kHistogramEnd) / (2 * kHistogramEnd);
  return std::clamp(static_cast<int>(place * kHistogramBins), 0, kHistogramBins - 1);
}

}  // namespace

SoftMeter::SoftMeter(std::shared_ptr<const phy::Layout> layout)
    : layout_(std::move(layout)), tile_of_(layout_->data_cells()) {
  for (int row = 0; row < layout_->rows(); ++row) {
    const auto indices = layout_->indices(row);
    const int tile_row = row * kTilesDown / layout_->rows();
    for (const std::uint16_t column : layout_->data_columns(row)) {
      const int tile_column = column * kTilesAcross / layout_->columns();
      tile_of_[static_cast<std::size_t>(indices[column])] =
          static_cast<std::uint16_t>(tile_row * kTilesAcross + tile_column);
    }
  }
  for (Sums& sums : sums_) {
    sums.histogram.assign(static_cast<std::size_t>(layout_->levels()),
                          std::vector<int>(kHistogramBins));
  }
}

void SoftMeter::note(const phy::SoftRow& row) {
  if (row.layout->mode_id() != layout_->mode_id() || !(row.layout->panel() == layout_->panel())) {
    return;
  }
  noted_.push_back({false,
                    row.sequence,
                    {row.channel, row.half},
                    row.row,
                    noted_estimates_.size(),
                    noted_llrs_.size(),
                    row.share_left,
                    row.share_right});
  noted_estimates_.insert(noted_estimates_.end(), row.estimates.begin(), row.estimates.end());
  noted_llrs_.insert(noted_llrs_.end(), row.llrs.begin(), row.llrs.end());
}

void SoftMeter::note_reset(std::uint16_t sequence, phy::Layer layer) {
  Noted reset;
  reset.is_reset = true;
  reset.sequence = sequence;
  reset.layer = layer;
  noted_.push_back(reset);
}

void SoftMeter::digest() {
  for (const Noted& noted : noted_) {
    digest(noted);
  }
  // Of frames that were misread nobody will ask.
  ++n_digests_;
  std::erase_if(frames_, [this](const auto& frame) {
    return n_digests_ - frame.second.last_digest > kForgetAfter;
  });
  noted_.clear();
  noted_estimates_.clear();
  noted_llrs_.clear();
}

void SoftMeter::digest(const Noted& noted) {
  Frame& frame = frames_[noted.sequence];
  frame.last_digest = n_digests_;
  Channel& channel = frame.channels[static_cast<std::size_t>(noted.layer.channel)];
  const auto bits = static_cast<std::size_t>(layout_->mode().bits_per_level);
  if (channel.share.empty()) {
    channel.llr.assign(layout_->data_cells() * bits, 0);
    channel.estimate.assign(layout_->data_cells(), 0);
    channel.share.assign(layout_->data_cells(), 0);
  }
  if (noted.is_reset) {
    for (const std::uint32_t cell : layout_->layer_cells(noted.layer)) {
      std::fill_n(channel.llr.begin() + static_cast<std::ptrdiff_t>(cell * bits), bits,
                  std::int16_t{0});
      channel.share[cell] = 0;
    }
    return;
  }
  const auto indices = layout_->indices(noted.row);
  const float step =
      (noted.share_right - noted.share_left) / static_cast<float>(layout_->columns());
  std::size_t next_llr = noted.first_llr;
  for (const std::uint16_t column : layout_->data_columns(noted.row)) {
    const auto cell = static_cast<std::size_t>(indices[column]);
    for (std::size_t bit = 0; bit < bits; ++bit) {
      std::int16_t& sum = channel.llr[cell * bits + bit];
      sum = static_cast<std::int16_t>(std::clamp(sum + noted_llrs_[next_llr++], -1000, 1000));
    }
    const int half = (noted.row + column) % phy::kHalves;
    if (noted.layer.half != phy::kBothHalves && noted.layer.half != half) {
      continue;
    }
    const float share = noted.share_left + step * (static_cast<float>(column) + 0.5F);
    const auto rounded = static_cast<std::uint8_t>(255 * std::clamp(share, 0.0F, 1.0F));
    if (share >= phy::kLeastShare && rounded >= channel.share[cell]) {
      channel.share[cell] = rounded;
      channel.estimate[cell] = noted_estimates_[noted.first_estimate + column];
    }
  }
}

void SoftMeter::close(std::uint16_t sequence,
                      const ShownCells& shown,
                      std::array<bool, 3> complete) {
  ++n_frames_;
  const auto found = frames_.find(sequence);
  if (found == frames_.end()) {
    return;
  }
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const Channel& seen = found->second.channels[channel];
    if (!seen.share.empty() && !shown.levels[channel].empty()) {
      close_channel(seen, channel, shown, complete[channel]);
    }
  }
  collect_constellation(found->second, shown);
  frames_.erase(found);
}

void SoftMeter::close_channel(const Channel& seen,
                              std::size_t channel,
                              const ShownCells& shown,
                              bool is_complete) {
  Sums& sums = sums_[channel];
  const auto& levels = shown.levels[channel];
  const auto& known = shown.known[channel];
  const int bits = layout_->mode().bits_per_level;
  double information = 0;
  std::int64_t n_known = 0;
  std::int64_t n_seen = 0;
  for (std::size_t cell = 0; cell < levels.size(); ++cell) {
    if (!known.empty() && known[cell] == 0) {
      continue;
    }
    ++n_known;
    if (seen.share[cell] == 0) {
      continue;
    }
    ++n_seen;
    bool is_wrong = false;
    for (int bit = 0; bit < bits; ++bit) {
      const std::size_t place =
          cell * static_cast<std::size_t>(bits) + static_cast<std::size_t>(bit);
      const int sum = std::clamp<int>(seen.llr[place], -kMostLlr, kMostLlr);
      const int towards = phy::level_bit(levels[cell], bit, bits) == 0 ? sum : -sum;
      information += kInformation[static_cast<std::size_t>(towards + kMostLlr)];
      is_wrong = is_wrong || towards <= 0;
    }
    Tile& tile = sums.tiles[tile_of_[cell]];
    ++tile.cells;
    tile.errors += is_wrong ? 1 : 0;
    sums.errors += is_wrong ? 1 : 0;
    if (seen.share[cell] >= kPureShare) {
      ++sums.histogram[levels[cell]][static_cast<std::size_t>(bin_of(seen.estimate[cell]))];
      const double level = 2.0 * levels[cell] / (layout_->levels() - 1) - 1;
      const double estimate = seen.estimate[cell];
      tile.n += 1;
      tile.level += level;
      tile.level_2 += level * level;
      tile.estimate += estimate;
      tile.estimate_2 += estimate * estimate;
      tile.product += level * estimate;
    } else {
      ++n_mixed_;
    }
  }
  sums.cells += n_seen;
  n_seen_ += n_seen;
  const std::int64_t n = is_complete ? n_seen : n_known;
  if (n > 0) {
    sums.information += information / static_cast<double>(n);
  }
}

/// What a level makes of the estimate's variance, tile by tile, over the rest of it.
std::optional<double> SoftMeter::snr_db(const Sums& sums) {
  constexpr double kLeastCells = 8;
  double signal = 0;
  double noise = 0;
  for (const Tile& tile : sums.tiles) {
    const double level_power = tile.level_2 - tile.level * tile.level / std::max(tile.n, 1.0);
    if (tile.n < kLeastCells || level_power <= 0) {
      continue;
    }
    const double covariance = tile.product - tile.level * tile.estimate / tile.n;
    const double explained = covariance * covariance / level_power;
    signal += explained;
    noise += tile.estimate_2 - tile.estimate * tile.estimate / tile.n - explained;
  }
  if (signal <= 0 || noise <= 0) {
    return std::nullopt;
  }
  return 10 * std::log10(signal / noise);
}

void SoftMeter::collect_constellation(const Frame& frame, const ShownCells& shown) {
  const auto n_channels = static_cast<std::size_t>(layout_->channels());
  const std::size_t stride = std::max<std::size_t>(layout_->data_cells() / kPointsAFrame, 1);
  for (std::size_t cell = stride / 2; cell < layout_->data_cells(); cell += stride) {
    ConstellationPoint point;
    bool is_pure = true;
    for (std::size_t channel = 0; channel < n_channels; ++channel) {
      const Channel& seen = frame.channels[channel];
      const bool is_known = shown.known[channel].empty() || shown.known[channel][cell] != 0;
      is_pure = is_pure && is_known && !seen.share.empty() && seen.share[cell] >= kPureShare;
      if (is_pure) {
        point.estimate[channel] = seen.estimate[cell];
        point.level[channel] = shown.levels[channel][cell];
      }
    }
    if (is_pure && constellation_.size() < kMostPoints) {
      constellation_.push_back(point);
    }
  }
}

void SoftMeter::fill(Figures& figures) const {
  const auto ratio = [](std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  };
  for (std::size_t channel = 0; channel < figures.channels.size(); ++channel) {
    ChannelFigures& out = figures.channels[channel];
    const Sums& sums = sums_[channel];
    out.symbol_error_rate = ratio(sums.errors, sums.cells);
    // Soft bits that are too sure of themselves can bear less than nothing; one can ignore them.
    const double mean = n_frames_ > 0 ? sums.information / static_cast<double>(n_frames_) : 0;
    out.mutual_information = std::max(mean, 0.0);
    out.histogram = sums.histogram;
    out.snr_db = snr_db(sums).value_or(out.snr_db);
    out.tiles.clear();
    for (const Tile& tile : sums.tiles) {
      out.tiles.push_back(tile.cells > 0 ? ratio(tile.errors, tile.cells) : -1);
    }
  }
  figures.mixed_share = ratio(n_mixed_, n_seen_);
  figures.constellation = constellation_;
}

}  // namespace wccl::eval
