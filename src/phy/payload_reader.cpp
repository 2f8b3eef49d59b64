#include "phy/payload_reader.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "phy/demodulator.h"

namespace wccl::phy {
namespace {

constexpr float kLeastShare = 0.3F;    // Cells that show less of a frame tell nothing about it.
constexpr float kUnknownShare = 0.1F;  // Of a row's light may stay unknown when the rest is known.
constexpr double kKnownBlocks = 0.8;   // Of a channel's blocks make it known.
constexpr int kGreen = 1;

/// In the order of decoding, after green: a channel counts on those before it.
constexpr std::array<int, 2> kLaterChannels{0, 2};

std::vector<int> known_before(int channel) {
  return channel == 0 ? std::vector<int>{kGreen} : std::vector<int>{kGreen, 0};
}

/// Below it a block does not decode, by a margin.
double hopeless_snr_db(CodeRate rate) {
  return required_snr_db(rate) - 0.7;
}

float share_of(float phase, int frame) {
  return 1 - std::abs(phase - static_cast<float>(frame));
}

}  // namespace

PayloadReader::PayloadReader(std::shared_ptr<const Layout> layout,
                             std::uint8_t node,
                             int max_iterations,
                             std::shared_ptr<const ReceiverObserver> observer)
    : layout_(layout),
      node_(node),
      max_iterations_(max_iterations),
      observer_(std::move(observer)),
      assembler_(std::move(layout), node, max_iterations),
      first_(layout_->channels()) {
  if (layout_->channels() < 3 || layout_->levels() != 2) {
    return;
  }
  for (int channel = 0; channel < 3; ++channel) {
    second_.emplace_back(channel, known_before(channel));
  }
}

void PayloadReader::restart(std::uint8_t node) {
  node_ = node;
  assembler_ = FrameAssembler(layout_, node, max_iterations_);
  views_.clear();
}

FrameAssembler::Result PayloadReader::read(CellSamples& samples, const FramePhases* phases) {
  begin(Stage::kEqualize);
  first_.train(*layout_, samples);
  if (phases == nullptr) {
    return assembler_.collect();
  }
  if (views_.size() < kViews) {
    views_.push_back(std::make_unique<View>());
  } else {
    views_.push_back(std::move(views_.front()));
    views_.pop_front();
  }
  View& view = *views_.back();
  std::swap(view.samples, samples);
  view.phases = *phases;
  view.has_taught = {};
  view.first = row_phases(view, 0).first;
  view.last = view.first;
  for (int row = 0; row < layout_->rows(); ++row) {
    const RowPhases row_phase = row_phases(view, row);
    view.first = std::min(view.first, row_phase.first);
    view.last = std::max(view.last, row_phase.last);
  }
  demodulate_view(view);
  begin(Stage::kDecode);
  assembler_.decode();
  if (!second_.empty()) {
    for (int frame = view.first; frame <= view.last && frame <= view.first + 3; ++frame) {
      for (const int channel : kLaterChannels) {
        read_again(static_cast<std::uint16_t>(frame), channel);
      }
    }
  }
  return assembler_.collect();
}

PayloadReader::RowPhases PayloadReader::row_phases(const View& view, int row) const {
  const auto [left, right] =
      view.phases.at(layout_->origin_y() + (row + 0.5) * layout_->mode().cell_px);
  return {left, (right - left) / static_cast<float>(layout_->columns()),
          static_cast<int>(std::floor(std::min(left, right))),
          static_cast<int>(std::ceil(std::max(left, right)))};
}

/// Whether a row shows enough of a frame, at one side at least.
static bool shows(float left, float right, int frame) {
  const auto number = static_cast<float>(frame);
  const float inside = std::clamp(number, std::min(left, right), std::max(left, right));
  return share_of(inside, frame) >= kLeastShare;
}

void PayloadReader::demodulate_view(const View& view) {
  std::array<bool, 3> is_left_for_later{};
  for (const int channel : kLaterChannels) {
    const auto c = static_cast<std::size_t>(channel);
    is_left_for_later[c] = !second_.empty() && second_[c].is_trained() &&
                           first_.snr_db(channel) < hopeless_snr_db(layout_->mode().code_rates[c]);
  }
  for (int row = 0; row < layout_->rows(); ++row) {
    const RowPhases phases = row_phases(view, row);
    const float right = phases.left + phases.step * static_cast<float>(layout_->columns());
    bool equalized = false;
    for (int frame = phases.first; frame <= phases.last && frame <= phases.first + 2; ++frame) {
      if (!shows(phases.left, right, frame)) {
        continue;
      }
      if (!assembler_.wants(static_cast<std::uint16_t>(frame))) {
        continue;
      }
      if (!equalized) {
        first_.apply(view.samples, row, estimates_, nullptr, is_left_for_later);
      }
      equalized = true;
      for (int channel = 0; channel < layout_->channels(); ++channel) {
        if (!is_left_for_later[static_cast<std::size_t>(channel)]) {
          demodulate_row(phases, row, frame, channel, first_);
        }
      }
    }
  }
}

void PayloadReader::demodulate_row(
    const RowPhases& phases, int row, int frame, int channel, const Equalizer& equalizer) {
  const Layout& layout = *layout_;
  if (layout.channel_blocks(channel) == 0) {
    return;
  }
  const auto kinds = layout.kinds(row);
  const auto indices = layout.indices(row);
  const auto bits = static_cast<std::size_t>(layout.mode().bits_per_level);
  const int first_tile = Equalizer::tile_row(row, layout.rows());
  const auto before = assembler_.levels(static_cast<std::uint16_t>(frame - 1), channel);
  const auto after = assembler_.levels(static_cast<std::uint16_t>(frame + 1), channel);
  const auto& estimates = estimates_[static_cast<std::size_t>(channel)];
  llrs_.resize(kinds.size() * bits);
  std::size_t n = 0;
  std::int32_t first = -1;
  for (std::size_t column = 0; column < kinds.size(); ++column) {
    if (kinds[column] != CellKind::kData) {
      continue;
    }
    if (first < 0) {
      first = indices[column];
    }
    const float phase = phases.at(column);
    const float share = share_of(phase, frame);
    const auto out = std::span(llrs_).subspan(n * bits, bits);
    ++n;
    if (share < kLeastShare) {
      std::fill(out.begin(), out.end(), Llr{0});
      continue;
    }
    const auto others = phase < static_cast<float>(frame) ? before : after;
    const float other = others.empty() ? 0 : others[static_cast<std::size_t>(indices[column])];
    const int tile =
        first_tile + Equalizer::tile_column(static_cast<int>(column), layout.columns());
    const ChannelState& state = equalizer.state(channel, tile);
    if (bits == 1) {
      out[0] = demodulate_bit(estimates[column], state, share, other);
    } else {
      demodulate(estimates[column], state, share, other, out);
    }
  }
  if (n == 0) {
    return;
  }
  show_row(phases, row, frame, channel, first, n * bits);
  assembler_.add(static_cast<std::uint16_t>(frame), channel, static_cast<std::size_t>(first) * bits,
                 std::span(llrs_).first(n * bits));
}

void PayloadReader::show_row(const RowPhases& phases,
                             int row,
                             int frame,
                             int channel,
                             std::int32_t first,
                             std::size_t n) const {
  if (!observer_ || !observer_->on_row) {
    return;
  }
  SoftRow soft;
  soft.layout = layout_.get();
  soft.node = node_;
  soft.sequence = static_cast<std::uint16_t>(frame);
  soft.channel = channel;
  soft.row = row;
  soft.first_cell = first;
  soft.estimates = estimates_[static_cast<std::size_t>(channel)];
  soft.llrs = std::span(llrs_).first(n);
  soft.share_left = share_of(phases.left, frame);
  soft.share_right =
      share_of(phases.left + phases.step * static_cast<float>(layout_->columns()), frame);
  observer_->on_row(soft);
}

void PayloadReader::begin(Stage stage) const {
  if (observer_ && observer_->on_stage) {
    observer_->on_stage(stage);
  }
}

void PayloadReader::read_again(std::uint16_t sequence, int channel) {
  if (!assembler_.lacks(sequence, channel)) {
    return;
  }
  for (const int before : known_before(channel)) {
    if (assembler_.known_share(sequence, before) < kKnownBlocks) {
      return;
    }
  }
  Equalizer& equalizer = second_[static_cast<std::size_t>(channel)];
  begin(Stage::kEqualize);
  assembler_.reset(sequence, channel);
  if (observer_ && observer_->on_reset) {
    observer_->on_reset(node_, sequence, channel);
  }
  std::array<bool, 3> others{true, true, true};
  others[static_cast<std::size_t>(channel)] = false;
  for (const auto& view : views_) {
    bool& has_taught = view->has_taught[static_cast<std::size_t>(channel)];
    const bool is_shown =
        static_cast<std::uint16_t>(sequence - static_cast<std::uint16_t>(view->first)) <=
        view->last - view->first;
    if (has_taught && !is_shown) {
      continue;
    }
    if (find_known(*view, channel) && !has_taught) {
      equalizer.train(*layout_, view->samples, &known_, row_is_known_);
      has_taught = true;
    }
    if (!is_shown) {
      continue;
    }
    for (int row = 0; row < layout_->rows(); ++row) {
      const RowPhases phases = row_phases(*view, row);
      // The phases count on, the sequence goes round.
      for (int frame = phases.first; frame <= phases.last; ++frame) {
        if (static_cast<std::uint16_t>(frame) != sequence) {
          continue;
        }
        const float right = phases.left + phases.step * static_cast<float>(layout_->columns());
        if (!shows(phases.left, right, frame)) {
          continue;
        }
        const bool is_known =
            row_is_known_[static_cast<std::size_t>(row)] != 0 && equalizer.is_trained();
        const Equalizer& best = is_known ? equalizer : first_;
        best.apply(view->samples, row, estimates_, &known_, others);
        demodulate_row(phases, row, frame, channel, best);
      }
    }
  }
  begin(Stage::kDecode);
  assembler_.decode();
}

/// Fills known_ and row_is_known_ for the equaliser of a channel.
/// @return whether enough rows are known to learn from them.
bool PayloadReader::find_known(const View& view, int channel) {
  const int rows = layout_->rows();
  known_.resize(rows, layout_->columns());
  row_is_known_.assign(static_cast<std::size_t>(rows), 0);
  const std::vector<int> needed = known_before(channel);
  int n_known = 0;
  for (int row = 0; row < rows; ++row) {
    const RowPhases phases = row_phases(view, row);
    bool is_known = true;
    for (int frame = phases.first; frame <= phases.last; ++frame) {
      const float most =
          std::max(share_of(phases.at(0), frame),
                   share_of(phases.at(static_cast<std::size_t>(layout_->columns())), frame));
      if (most < kUnknownShare) {
        continue;
      }
      for (const int other : needed) {
        is_known = is_known &&
                   assembler_.known_share(static_cast<std::uint16_t>(frame), other) >= kKnownBlocks;
      }
    }
    row_is_known_[static_cast<std::size_t>(row)] = is_known ? 1 : 0;
    n_known += is_known ? 1 : 0;
    for (const int other : needed) {
      fill_known(phases, row, other);
    }
  }
  return n_known * 4 >= rows;
}

void PayloadReader::fill_known(const RowPhases& phases, int row, int channel) {
  const auto kinds = layout_->kinds(row);
  const auto indices = layout_->indices(row);
  const auto out = known_.row(channel, row);
  for (int frame = phases.first; frame <= phases.last; ++frame) {
    const auto levels = assembler_.levels(static_cast<std::uint16_t>(frame), channel);
    if (levels.empty()) {
      continue;
    }
    if (phases.step == 0 && phases.left == static_cast<float>(frame)) {
      // The whole row is this frame's.
      for (std::size_t column = 0; column < kinds.size(); ++column) {
        if (kinds[column] == CellKind::kData) {
          out[column] = levels[static_cast<std::size_t>(indices[column])];
        }
      }
      continue;
    }
    for (std::size_t column = 0; column < kinds.size(); ++column) {
      if (kinds[column] != CellKind::kData) {
        continue;
      }
      const float share = std::max(0.0F, share_of(phases.at(column), frame));
      out[column] += share * levels[static_cast<std::size_t>(indices[column])];
    }
  }
  for (std::size_t column = 0; column < kinds.size(); ++column) {
    if (kinds[column] == CellKind::kPilot) {
      out[column] = 2.0F * static_cast<float>(layout_->pilot_level(indices[column], channel)) - 1;
    }
  }
}

double PayloadReader::snr_db(int channel) const {
  const double first = first_.snr_db(channel);
  if (second_.empty() || channel == kGreen) {
    return first;
  }
  const Equalizer& second = second_[static_cast<std::size_t>(channel)];
  return second.is_trained() ? std::max(first, second.snr_db(channel)) : first;
}

}  // namespace wccl::phy
