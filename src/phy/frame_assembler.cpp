#include "phy/frame_assembler.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "phy/scrambler.h"
#include "phy/transmitter.h"

namespace wccl::phy {
namespace {

constexpr std::size_t kMostOpenFrames = 4;
constexpr int kMostSoftBit = 1000;
// A block needs at least as much information as it holds: below this share of it there is no use in
// trying.
constexpr double kHopeless = 0.97;
constexpr std::int64_t kFillerDeviations = 9;
// A look at a few bits first saves most of the time that blocks without hope would take.
constexpr std::size_t kTrialBits = 256;
constexpr double kTrialShare = 0.8;
constexpr std::int64_t kTrialDeviations = 3;

/// Mutual information in bits that a soft bit of this size bears, if it is honest.
std::array<float, 128> make_information_table() {
  std::array<float, 128> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double llr = static_cast<double>(i) / static_cast<double>(kLlrScale);
    const double p = 1 / (1 + std::exp(llr));
    const double entropy = p > 1e-9 ? -p * std::log2(p) - (1 - p) * std::log2(1 - p) : 0;
    table[i] = static_cast<float>(1 - entropy);
  }
  return table;
}
const std::array<float, 128> kInformation = make_information_table();

double information(std::span<const Llr> llrs) {
  double sum = 0;
  for (const Llr llr : llrs) {
    sum += static_cast<double>(kInformation[static_cast<std::size_t>(std::abs(llr) & 127)]);
  }
  return sum;
}

/// Bright means 0.
std::int8_t level_of_bit(int bit) {
  return static_cast<std::int8_t>(1 - 2 * bit);
}

/// How much newer a is than b on the circle of sequences.
int newer_by(std::uint16_t a, std::uint16_t b) {
  return static_cast<std::int16_t>(static_cast<std::uint16_t>(a - b));
}

}  // namespace

struct FrameAssembler::Frame {
  std::uint16_t sequence = 0;
  std::optional<FrameHeader> header;
  bool header_is_new = false;
  std::array<std::vector<std::int16_t>, 3> soft;  ///< Of each place of a channel, descrambled.
  std::array<BitVector, 3> keystream;
  std::vector<bool> done;  ///< Of each slot: given out, or filler.
  std::size_t n_done = 0;
  std::array<bool, kMostLayers> touched{};
  std::array<std::size_t, kMostLayers> n_known{};  ///< Blocks decoded, of each layer.
  std::array<std::vector<std::int8_t>, 3> levels;  ///< Of the data cells, as levels() says.
  std::vector<ReceivedBlock> fresh;                ///< Not given out yet.
};

FrameAssembler::~FrameAssembler() = default;
FrameAssembler::FrameAssembler(FrameAssembler&&) noexcept = default;
FrameAssembler& FrameAssembler::operator=(FrameAssembler&&) noexcept = default;

FrameAssembler::FrameAssembler(std::shared_ptr<const Layout> layout,
                               std::uint8_t node,
                               int max_iterations)
    : layout_(std::move(layout)), node_(node), decoder_(max_iterations) {
  for (const Layer layer : layers(layout_->mode().colouring)) {
    place_layer(layer);
  }
  for (int channel = 0; channel < layout_->channels(); ++channel) {
    std::vector<bool> is_taken(layout_->channel_bits());
    for (const Slot& slot : slots_) {
      if (slot.layer.channel != channel) {
        continue;
      }
      for (const std::uint32_t place : slot.places) {
        is_taken[place] = true;
      }
    }
    for (std::uint32_t place = 0; place < is_taken.size(); ++place) {
      if (!is_taken[place]) {
        idle_places_[static_cast<std::size_t>(channel)].push_back(place);
      }
    }
  }
}

/// Adds the slots of a layer.
void FrameAssembler::place_layer(Layer layer) {
  const std::size_t n_blocks = layout_->layer_blocks(layer);
  if (n_blocks == 0) {
    return;
  }
  const std::size_t n_coded = layout_->block_bits(layer);
  fillers_[index_of(layer)] = encode_filler(n_coded);
  const auto cells = layout_->layer_cells(layer);
  const auto bits_per_level = static_cast<std::size_t>(layout_->mode().bits_per_level);
  const Interleaver interleaver(n_blocks, n_coded);
  for (std::size_t block = 0; block < n_blocks; ++block) {
    Slot slot{layer, {}};
    slot.places.reserve(n_coded);
    for (std::size_t bit = 0; bit < n_coded; ++bit) {
      const std::size_t place = interleaver.place_of({.block = block, .bit = bit});
      slot.places.push_back(static_cast<std::uint32_t>(
          cells[place / bits_per_level] * bits_per_level + place % bits_per_level));
    }
    slots_.push_back(std::move(slot));
  }
}

FrameAssembler::Frame* FrameAssembler::find(std::uint16_t sequence) const {
  for (const auto& frame : frames_) {
    if (frame->sequence == sequence) {
      return frame.get();
    }
  }
  return nullptr;
}

/// A frame of which nothing is known, in the memory of one that has passed.
std::unique_ptr<FrameAssembler::Frame> FrameAssembler::make_frame(std::uint16_t sequence) {
  std::unique_ptr<Frame> frame;
  if (spare_.empty()) {
    frame = std::make_unique<Frame>();
  } else {
    frame = std::move(spare_.back());
    spare_.pop_back();
  }
  frame->sequence = sequence;
  frame->header.reset();
  frame->header_is_new = false;
  frame->done.assign(slots_.size(), false);
  frame->n_done = 0;
  frame->touched = {};
  frame->n_known = {};
  frame->fresh.clear();
  for (int channel = 0; channel < layout_->channels(); ++channel) {
    const auto c = static_cast<std::size_t>(channel);
    frame->soft[c].assign(layout_->channel_bits(), 0);
    frame->keystream[c].assign(layout_->channel_bits(), 0);
    Scrambler(node_, sequence, channel).apply(std::span(frame->keystream[c]));
    if (layout_->levels() != 2) {
      continue;
    }
    frame->levels[c].assign(layout_->channel_bits(), 0);
    // Places that no block takes show the keystream alone.
    for (const std::uint32_t place : idle_places_[c]) {
      frame->levels[c][place] = level_of_bit(frame->keystream[c][place]);
    }
  }
  return frame;
}

FrameAssembler::Frame& FrameAssembler::open(std::uint16_t sequence) {
  if (Frame* known = find(sequence)) {
    return *known;
  }
  auto frame = make_frame(sequence);
  const auto place = std::find_if(frames_.begin(), frames_.end(), [&](const auto& other) {
    return newer_by(other->sequence, sequence) > 0;
  });
  return **frames_.insert(place, std::move(frame));
}

bool FrameAssembler::wants(std::uint16_t sequence) const {
  if (closed_ && newer_by(sequence, *closed_) <= 0) {
    return false;
  }
  const Frame* frame = find(sequence);
  return frame == nullptr || frame->n_done < slots_.size();
}

void FrameAssembler::add_header(const FrameHeader& header) {
  // Far from what is open: the sender jumped or we looked away. What was before has passed.
  if (!frames_.empty() && std::abs(newer_by(header.sequence, frames_.back()->sequence)) > 64) {
    frames_.clear();
    closed_.reset();
  }
  if (closed_ && newer_by(header.sequence, *closed_) <= 0) {
    if (newer_by(header.sequence, *closed_) > -8) {
      return;
    }
    closed_.reset();
  }
  Frame& frame = open(header.sequence);
  frame.header = header;
  frame.header_is_new = true;
}

void FrameAssembler::add(std::uint16_t sequence,
                         Layer layer,
                         std::size_t first,
                         std::span<const Llr> llrs) {
  if (!wants(sequence)) {
    return;
  }
  Frame& frame = open(sequence);
  for (int half = 0; half < kHalves; ++half) {
    if (layer.half == kBothHalves || layer.half == half) {
      frame.touched[index_of({layer.channel, half})] = true;
    }
  }
  const auto channel = static_cast<std::size_t>(layer.channel);
  std::int16_t* soft = frame.soft[channel].data() + first;
  const std::uint8_t* keystream = frame.keystream[channel].data() + first;
  for (std::size_t i = 0; i < llrs.size(); ++i) {
    const int llr = llrs[i] * (1 - 2 * keystream[i]);
    soft[i] = static_cast<std::int16_t>(std::clamp(soft[i] + llr, -kMostSoftBit, kMostSoftBit));
  }
}

void FrameAssembler::gather(const Frame& frame, const Slot& slot, std::size_t begin) {
  const std::int16_t* soft = frame.soft[static_cast<std::size_t>(slot.layer.channel)].data();
  for (std::size_t bit = begin; bit < scratch_.size(); ++bit) {
    scratch_[bit] = static_cast<Llr>(std::clamp<int>(soft[slot.places[bit]], -127, 127));
  }
}

/// Whether a block's first bits, which lie all over the frame, give hope for the whole.
bool FrameAssembler::is_promising(const Frame& frame, const Slot& slot) {
  const std::size_t n = std::min(kTrialBits, slot.places.size());
  scratch_.resize(n);
  gather(frame, slot, 0);
  const double needed =
      static_cast<double>(kLdpcInfoBits * n) / static_cast<double>(slot.places.size());
  return information(scratch_) > kTrialShare * needed ||
         is_filler(index_of(slot.layer), kTrialDeviations);
}

/// Whether the bits in scratch_ agree with filler's by more than chance.
bool FrameAssembler::is_filler(std::size_t layer, std::int64_t deviations) const {
  const BitVector& filler = fillers_[layer];
  int match = 0;
  int variance = 0;
  for (std::size_t bit = 0; bit < scratch_.size(); ++bit) {
    match += filler[bit] != 0 ? -scratch_[bit] : scratch_[bit];
    variance += scratch_[bit] * scratch_[bit];
  }
  // To any other block filler is noise: each bit that was seen speaks for or against it by the toss
  // of a coin, so `match` is 0 on average and has this variance. Nine standard deviations are a
  // fifth of a block that is seen as a whole, and nearly all of 100 bits; chance goes so far in at
  // most 3 of 10^18 blocks (exp(-9^2 / 2); Hoeffding, JASA 1963).
  const std::int64_t squared = std::int64_t{match} * match;
  return match > 0 && squared > deviations * deviations * variance;
}

bool FrameAssembler::decode_slot(Frame& frame, std::size_t slot) {
  const std::size_t layer = index_of(slots_[slot].layer);
  if (!is_promising(frame, slots_[slot])) {
    return false;
  }
  const std::size_t begin = scratch_.size();
  scratch_.resize(slots_[slot].places.size());
  gather(frame, slots_[slot], begin);
  if (is_filler(layer, kFillerDeviations)) {
    settle(frame, slot, fillers_[layer]);
    return true;
  }
  if (information(scratch_) < kHopeless * kLdpcInfoBits) {
    return false;
  }
  auto decoded = decode_block(scratch_, decoder_);
  if (!decoded) {
    return false;
  }
  if (decoded->filler) {
    settle(frame, slot, fillers_[layer]);
  } else {
    if (layout_->levels() == 2) {
      settle(frame, slot, encode_block(decoded->payload, scratch_.size()));
    }
    frame.fresh.push_back({static_cast<int>(slot), std::move(decoded->payload)});
  }
  return true;
}

void FrameAssembler::settle(Frame& frame, std::size_t slot, const BitVector& coded) {
  if (layout_->levels() != 2) {
    return;
  }
  const auto c = static_cast<std::size_t>(slots_[slot].layer.channel);
  const std::vector<std::uint32_t>& places = slots_[slot].places;
  for (std::size_t bit = 0; bit < places.size(); ++bit) {
    const std::uint32_t place = places[bit];
    frame.levels[c][place] = level_of_bit(frame.keystream[c][place] ^ coded[bit]);
  }
}

void FrameAssembler::decode(Frame& frame) {
  for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
    const Layer layer = slots_[slot].layer;
    if (frame.done[slot] || !frame.touched[index_of(layer)] || !decode_slot(frame, slot)) {
      continue;
    }
    frame.done[slot] = true;
    ++frame.n_done;
    ++frame.n_known[index_of(layer)];
  }
  frame.touched.fill(false);
}

void FrameAssembler::decode() {
  for (const auto& frame : frames_) {
    if (frame->header) {
      decode(*frame);
    }
  }
}

bool FrameAssembler::lacks(std::uint16_t sequence, Layer layer) const {
  const Frame* frame = find(sequence);
  return frame != nullptr && frame->header && known_share(sequence, layer) < 1;
}

void FrameAssembler::reset(std::uint16_t sequence, Layer layer) {
  Frame* frame = find(sequence);
  if (frame == nullptr) {
    return;
  }
  auto& soft = frame->soft[static_cast<std::size_t>(layer.channel)];
  const auto bits_per_level = static_cast<std::size_t>(layout_->mode().bits_per_level);
  for (const std::uint32_t cell : layout_->layer_cells(layer)) {
    std::fill_n(soft.begin() + static_cast<std::ptrdiff_t>(cell * bits_per_level), bits_per_level,
                std::int16_t{0});
  }
}

double FrameAssembler::known_share(std::uint16_t sequence, Layer layer) const {
  const Frame* frame = find(sequence);
  if (frame == nullptr) {
    return 0;
  }
  const std::size_t n_blocks = layout_->layer_blocks(layer);
  if (n_blocks == 0) {
    return 1;
  }
  return static_cast<double>(frame->n_known[index_of(layer)]) / static_cast<double>(n_blocks);
}

std::size_t FrameAssembler::known_blocks(std::uint16_t sequence, int channel) const {
  const Frame* frame = find(sequence);
  return frame == nullptr
             ? 0
             : frame->n_known[index_of({channel, 0})] + frame->n_known[index_of({channel, 1})];
}

std::span<const std::int8_t> FrameAssembler::levels(std::uint16_t sequence, int channel) const {
  const Frame* frame = find(sequence);
  if (frame == nullptr) {
    return {};
  }
  return frame->levels[static_cast<std::size_t>(channel)];
}

int FrameAssembler::count_bad(const Frame& frame) const {
  return frame.header ? static_cast<int>(slots_.size() - frame.n_done) : 0;
}

FrameAssembler::Result FrameAssembler::collect() {
  decode();
  Result result;
  for (const auto& frame : frames_) {
    if (!frame->header) {
      continue;
    }
    if (frame->header_is_new || !frame->fresh.empty()) {
      std::sort(frame->fresh.begin(), frame->fresh.end(),
                [](const auto& a, const auto& b) { return a.index < b.index; });
      result.frames.push_back({*frame->header, std::exchange(frame->fresh, {})});
    }
    frame->header_is_new = false;
  }
  // Only frames whose header was read count as seen: a misread sync column must not close others.
  std::optional<std::uint16_t> newest;
  for (const auto& frame : frames_) {
    if (frame->header) {
      newest = frame->sequence;
    }
  }
  while (!frames_.empty()) {
    const Frame& oldest = *frames_.front();
    const bool passed = newest && newer_by(*newest, oldest.sequence) >= 2;
    if (!passed && frames_.size() <= kMostOpenFrames) {
      break;
    }
    result.blocks_bad += count_bad(oldest);
    if (passed) {
      closed_ = oldest.sequence;
    }
    spare_.push_back(std::move(frames_.front()));
    frames_.erase(frames_.begin());
  }
  return result;
}

}  // namespace wccl::phy
