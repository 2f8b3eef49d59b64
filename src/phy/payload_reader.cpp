#include "phy/payload_reader.h"

#include <algorithm>
#include <span>

namespace wccl::phy {
namespace {

constexpr float kUnknownShare = 0.1F;  // Of a row's light may stay unknown when the rest is known.
constexpr double kKnownBlocks = 0.8;   // Of a layer's blocks make it known.

/// Below it a block does not decode, by a margin.
double hopeless_snr_db(CodeRate rate) {
  return required_snr_db(rate) - 0.7;
}

/// Hard decisions: a bit is 0 or 1, and that is all. Of a size that suits bits of which a few in a
/// hundred are wrong.
void harden(std::span<Llr> llrs) {
  constexpr Llr kSure = 24;
  for (Llr& llr : llrs) {
    llr = llr > 0 ? kSure : llr < 0 ? static_cast<Llr>(-kSure) : Llr{0};
  }
}

}  // namespace

bool PayloadReader::View::shows(std::uint16_t sequence) const {
  return static_cast<std::uint16_t>(sequence - static_cast<std::uint16_t>(first)) <= last - first;
}

PayloadReader::PayloadReader(std::shared_ptr<const Layout> layout,
                             std::uint8_t node,
                             const ReceiverOptions& options,
                             std::shared_ptr<Equalizers> equalizers)
    : layout_(layout),
      node_(node),
      options_(options),
      assembler_(std::move(layout), node, options.max_ldpc_iterations),
      equalizers_(std::move(equalizers)),
      plain_(equalizers_->plain) {
  const auto order = layers(layout_->mode().colouring);
  for (std::size_t i = 0; i < order.size(); ++i) {
    LayerReader reader{order[i], {}, nullptr, {}};
    if (auto& informed = equalizers_->informed[index_of(order[i])]) {
      reader.needed = order.first(i);
      reader.informed = &*informed;
    }
    readers_.push_back(reader);
  }
}

void PayloadReader::restart(std::uint8_t node) {
  node_ = node;
  assembler_ = FrameAssembler(layout_, node, options_.max_ldpc_iterations);
  views_.clear();
}

FrameAssembler::Result PayloadReader::read(CellSamples& samples,
                                           const FramePhases* phases,
                                           bool teaches) {
  begin(Stage::kEqualize);
  samples.normalize(*layout_);
  if (teaches && (!plain_.knows_enough() || n_captures_ % 2 == 0)) {
    plain_.train(*layout_, samples);
  }
  ++n_captures_;
  if (phases == nullptr) {
    return assembler_.collect();
  }
  const View& view = take(samples, *phases);
  demodulate_view(view);
  begin(Stage::kDecode);
  assembler_.decode();
  // Frames before may have become readable, too: what they are mixed with is known now.
  for (int frame = views_.front()->first; frame <= view.last; ++frame) {
    for (LayerReader& reader : readers_) {
      read_again(static_cast<std::uint16_t>(frame), reader);
    }
  }
  return assembler_.collect();
}

/// Puts a capture into the place of the oldest that is kept.
PayloadReader::View& PayloadReader::take(CellSamples& samples, const FramePhases& phases) {
  if (views_.size() < kViews) {
    views_.push_back(std::make_unique<View>());
  } else {
    views_.push_back(std::move(views_.front()));
    views_.pop_front();
  }
  View& view = *views_.back();
  std::swap(view.samples, samples);
  view.phases = phases;
  view.number = n_views_++;
  view.has_taught = {};
  view.n_known = {};
  if (!view.known.fits(layout_->rows(), layout_->columns())) {
    view.known.resize(layout_->rows(), layout_->columns());
  }
  view.first = row_phases(view, 0).first;
  view.last = view.first;
  for (int row = 0; row < layout_->rows(); ++row) {
    const RowPhases row_phase = row_phases(view, row);
    view.first = std::min(view.first, row_phase.first);
    view.last = std::max(view.last, row_phase.last);
  }
  return view;
}

RowPhases PayloadReader::row_phases(const View& view, int row) const {
  return {view.phases.at(layout_->origin_y() + (row + 0.5) * layout_->mode().cell_px),
          layout_->columns()};
}

/// A layer that samples alone are too noisy for waits until others are known.
bool PayloadReader::is_left_for_later(Layer layer) const {
  const auto reader = std::find_if(readers_.begin(), readers_.end(), [&](const auto& other) {
    return index_of(other.layer) == index_of(layer);
  });
  return reader->informed != nullptr && reader->informed->is_trained() &&
         plain_.snr_db(layer.channel) < hopeless_snr_db(layout_->mode().code_rate(layer));
}

void PayloadReader::demodulate_view(const View& view) {
  std::vector<Layer> now;
  std::array<bool, 3> skip{true, true, true};
  for (const Layer layer : layers(layout_->mode().colouring)) {
    if (layout_->layer_blocks(layer) == 0 || is_left_for_later(layer)) {
      continue;
    }
    skip[static_cast<std::size_t>(layer.channel)] = false;
    if (!now.empty() && now.back().channel == layer.channel) {
      now.back().half = kBothHalves;
    } else {
      now.push_back(layer);
    }
  }
  for (int row = 0; row < layout_->rows(); ++row) {
    const RowPhases phases = row_phases(view, row);
    bool is_equalized = false;
    for (int frame = phases.first; frame <= phases.last && frame <= phases.first + 2; ++frame) {
      if (phases.most_of(frame) < kLeastShare ||
          !assembler_.wants(static_cast<std::uint16_t>(frame))) {
        continue;
      }
      if (!is_equalized) {
        plain_.apply(view.samples, row, estimates_, nullptr, skip);
      }
      is_equalized = true;
      for (const Layer layer : now) {
        demodulate(phases, row, frame, layer, plain_);
      }
    }
  }
}

/// Adds the soft bits of a row of estimates to the assembler's.
void PayloadReader::demodulate(
    const RowPhases& phases, int row, int frame, Layer layer, const Equalizer& equalizer) {
  const auto columns = layout_->data_columns(row);
  if (columns.empty()) {
    return;
  }
  const auto sequence = [&](int offset) { return static_cast<std::uint16_t>(frame + offset); };
  RowQuery query;
  query.layout = layout_.get();
  query.equalizer = &equalizer;
  query.row = row;
  query.channel = layer.channel;
  query.half = layer.half;
  query.frame = frame;
  query.phases = phases;
  query.estimates = estimates_[static_cast<std::size_t>(layer.channel)];
  if (options_.techniques.mixing) {
    query.before = assembler_.levels(sequence(-1), layer.channel);
    query.after = assembler_.levels(sequence(1), layer.channel);
  }
  const auto bits = static_cast<std::size_t>(layout_->mode().bits_per_level);
  const std::size_t n = columns.size() * bits;
  llrs_.resize(std::max(llrs_.size(), n));
  demodulate_row(query, scratch_, std::span(llrs_).first(n));
  if (!options_.techniques.soft_decisions) {
    harden(std::span(llrs_).first(n));
  }
  show_row(query, n);
  const auto first = static_cast<std::size_t>(layout_->indices(row)[columns[0]]);
  assembler_.add(sequence(0), layer, first * bits, std::span(llrs_).first(n));
}

void PayloadReader::show_row(const RowQuery& query, std::size_t n_llrs) const {
  if (!options_.observer || !options_.observer->on_row) {
    return;
  }
  SoftRow soft;
  soft.layout = layout_.get();
  soft.node = node_;
  soft.sequence = static_cast<std::uint16_t>(query.frame);
  soft.channel = query.channel;
  soft.half = query.half;
  soft.row = query.row;
  soft.first_cell = layout_->indices(query.row)[layout_->data_columns(query.row)[0]];
  soft.estimates = query.estimates;
  soft.llrs = std::span(llrs_).first(n_llrs);
  soft.share_left = share_of(query.phases.left, query.frame);
  soft.share_right = share_of(query.phases.right, query.frame);
  options_.observer->on_row(soft);
}

void PayloadReader::begin(Stage stage) const {
  if (options_.observer && options_.observer->on_stage) {
    options_.observer->on_stage(stage);
  }
}

/// Grows with the captures of a frame, and with what is known in them: another try may pay.
std::size_t PayloadReader::evidence_for(std::uint16_t sequence) const {
  std::size_t evidence = 0;
  for (const auto& view : views_) {
    if (!view->shows(sequence)) {
      continue;
    }
    ++evidence;
    for (int frame = view->first; frame <= view->last; ++frame) {
      for (int channel = 0; channel < layout_->channels(); ++channel) {
        evidence += assembler_.known_blocks(static_cast<std::uint16_t>(frame), channel);
      }
    }
  }
  return evidence;
}

/// Reads a layer of a frame afresh from all captures that show it, if those before it are known.
void PayloadReader::read_again(std::uint16_t sequence, LayerReader& reader) {
  if (!assembler_.lacks(sequence, reader.layer)) {
    return;
  }
  for (const Layer before : reader.needed) {
    if (assembler_.known_share(sequence, before) < kKnownBlocks) {
      return;
    }
  }
  auto& [tried, evidence] = reader.tried[sequence % reader.tried.size()];
  if (tried == sequence && evidence == evidence_for(sequence)) {
    return;
  }
  begin(Stage::kEqualize);
  assembler_.reset(sequence, reader.layer);
  if (options_.observer && options_.observer->on_reset) {
    options_.observer->on_reset(node_, sequence, reader.layer);
  }
  for (const auto& view : views_) {
    read_again(*view, sequence, reader);
  }
  begin(Stage::kDecode);
  assembler_.decode();
  tried = sequence;
  evidence = evidence_for(sequence);
}

void PayloadReader::read_again(View& view, std::uint16_t sequence, LayerReader& reader) {
  if (!view.shows(sequence)) {
    return;
  }
  for (const Layer before : reader.needed) {
    fill_known(view, before.channel);
  }
  bool& has_taught = view.has_taught[index_of(reader.layer)];
  if (find_known_rows(view, reader) && reader.informed != nullptr && !has_taught &&
      is_lesson_due(view, reader)) {
    reader.informed->train(*layout_, view.samples, &view.known, row_is_known_);
    has_taught = true;
  }
  std::array<bool, 3> skip{true, true, true};
  skip[static_cast<std::size_t>(reader.layer.channel)] = false;
  // The phases count on, the sequence goes round.
  const int frame =
      view.first + static_cast<std::uint16_t>(sequence - static_cast<std::uint16_t>(view.first));
  for (int row = 0; row < layout_->rows(); ++row) {
    const RowPhases phases = row_phases(view, row);
    if (phases.most_of(frame) < kLeastShare) {
      continue;
    }
    const bool is_known = reader.informed != nullptr && reader.informed->is_trained() &&
                          row_is_known_[static_cast<std::size_t>(row)] != 0;
    const Equalizer& best = is_known ? *reader.informed : plain_;
    best.apply(view.samples, row, estimates_, &view.known, skip);
    demodulate(phases, row, frame, reader.layer, best);
  }
}

/// Equalisers that know enough learn from each third capture, in turn, which saves time.
bool PayloadReader::is_lesson_due(const View& view, const LayerReader& reader) {
  return !reader.informed->knows_enough() || (view.number + index_of(reader.layer)) % 3 == 0;
}

/// Finds out on which rows the light of all layers before a later one is known.
/// @return whether there are enough of them to learn from.
bool PayloadReader::find_known_rows(const View& view, const LayerReader& reader) {
  std::vector<bool> frame_is_known;
  for (int frame = view.first; frame <= view.last; ++frame) {
    frame_is_known.push_back(
        std::all_of(reader.needed.begin(), reader.needed.end(), [&](Layer before) {
          return assembler_.known_share(static_cast<std::uint16_t>(frame), before) >= kKnownBlocks;
        }));
  }
  const int rows = layout_->rows();
  row_is_known_.assign(static_cast<std::size_t>(rows), 0);
  int n_known = 0;
  for (int row = 0; row < rows; ++row) {
    const RowPhases phases = row_phases(view, row);
    bool is_known = true;
    for (int frame = phases.first; frame <= phases.last; ++frame) {
      is_known = is_known && (frame_is_known[static_cast<std::size_t>(frame - view.first)] ||
                              phases.most_of(frame) < kUnknownShare);
    }
    row_is_known_[static_cast<std::size_t>(row)] = is_known ? 1 : 0;
    n_known += is_known ? 1 : 0;
  }
  return n_known * 4 >= rows;
}

/// Brings what is known of a channel in a capture up to date.
void PayloadReader::fill_known(View& view, int channel) const {
  std::size_t n_known = 1;
  for (int frame = view.first; frame <= view.last; ++frame) {
    n_known += assembler_.known_blocks(static_cast<std::uint16_t>(frame), channel);
  }
  std::size_t& taken_in = view.n_known[static_cast<std::size_t>(channel)];
  if (n_known == taken_in) {
    return;
  }
  taken_in = n_known;
  for (int row = 0; row < layout_->rows(); ++row) {
    fill_known_row(view, row, channel, view.known.row(channel, row));
  }
}

void PayloadReader::fill_known_row(const View& view,
                                   int row,
                                   int channel,
                                   std::span<float> out) const {
  std::fill(out.begin(), out.end(), 0.0F);
  const auto kinds = layout_->kinds(row);
  const auto indices = layout_->indices(row);
  const auto columns = layout_->data_columns(row);
  const RowPhases phases = row_phases(view, row);
  for (int frame = phases.first; frame <= phases.last && !columns.empty(); ++frame) {
    const auto levels = assembler_.levels(static_cast<std::uint16_t>(frame), channel);
    if (levels.empty()) {
      continue;
    }
    const std::int8_t* level = levels.data() + indices[columns[0]];
    const bool is_clean = phases.shows_only(frame);
    for (const std::uint16_t column : columns) {
      const float share = is_clean ? 1.0F : std::max(0.0F, share_of(phases.at(column), frame));
      out[column] += share * static_cast<float>(*level++);
    }
  }
  for (std::size_t column = 0; column < kinds.size(); ++column) {
    if (kinds[column] == CellKind::kPilot) {
      out[column] = 2.0F * static_cast<float>(layout_->pilot_level(indices[column], channel)) - 1;
    }
  }
}

double PayloadReader::snr_db(int channel) const {
  const double plain = plain_.snr_db(channel);
  for (const LayerReader& reader : readers_) {
    if (reader.layer.channel == channel && reader.layer.half == 0 && reader.informed != nullptr &&
        reader.informed->is_trained()) {
      return std::max(plain, reader.informed->snr_db(channel));
    }
  }
  return plain;
}

}  // namespace wccl::phy
