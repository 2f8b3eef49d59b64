// link::Endpoint, all of a node but its pictures: screens around it that say what they like, while
// its own program sends and receives.
#include "link/endpoint.h"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/printable.h"
#include "fuzz/choices.h"
#include "fuzz/receptions.h"
#include "fuzz/target.h"
#include "link/packet.h"

namespace wccl::fuzz {
namespace {

using namespace link;

constexpr int kWorldSize = 3;
constexpr std::size_t kBlockBytes = 60;
constexpr Duration kLatency = std::chrono::milliseconds(80);
constexpr std::size_t kMostRefreshes = 16;

enum Action : std::uint8_t {
  kCapture,
  kRefresh,
  kSend,
  kTake,
  kWait,
  kFix,
  kDrop,
  kGoodbye,
  kActions
};

/// Small frames, so that inputs are small and an endpoint comes to the end of them.
std::vector<std::size_t> block_sizes(phy::ModeId mode) {
  return std::vector<std::size_t>(2 + mode / 4, kBlockBytes);
}

NodeOptions options_of(Rank rank) {
  NodeOptions options;
  options.rank = rank;
  options.world_size = kWorldSize;
  options.panel = {1920, 1200};
  options.epoch = static_cast<std::uint16_t>(1000 + rank);
  return options;
}

/// What is shown can be read by everybody, and is what the mode has room for.
void check_frame(const OutgoingFrame& frame) {
  require(frame.header.version == phy::kFrameVersion && frame.header.node < kWorldSize);
  require(phy::find_mode(frame.header.mode) != nullptr);
  const auto sizes = block_sizes(frame.header.mode);
  require(frame.payloads.size() <= sizes.size());
  for (std::size_t i = 0; i < frame.payloads.size(); ++i) {
    require(frame.payloads[i].size() == sizes[i]);
    require(parse_block(frame.payloads[i]).n_rejected == 0);
  }
}

class Laptop {
 public:
  explicit Laptop(Rank rank) : endpoint_(options_of(rank), phy::modes(), block_sizes) {}

  void step(Choices& choices) {
    switch (choices.below(kActions)) {
      case kCapture:
        now_ += Duration(choices.byte() * 1000);
        endpoint_.on_reception(read_reception(choices, now_ - kLatency), now_);
        break;
      case kRefresh:
        for (std::size_t n = 1 + choices.below(kMostRefreshes); n > 0; --n) {
          refresh();
        }
        break;
      case kSend:
        send(choices);
        break;
      case kTake: {
        const Rank from = static_cast<Rank>(choices.below(kWorldSize + 1));
        static_cast<void>(endpoint_.try_receive(from, choices.byte()));
        break;
      }
      case kWait:
        now_ += Duration(choices.byte() * 100'000);
        break;
      case kFix:
        fix(choices);
        break;
      case kDrop:
        endpoint_.drop_queued(static_cast<Rank>(choices.below(kWorldSize)));
        break;
      default:
        say_goodbye(choices);
        break;
    }
    look();
  }

 private:
  void refresh() {
    now_ += Duration(16'667);
    if (const auto frame = endpoint_.next_frame(now_)) {
      check_frame(*frame);
    }
  }

  void send(Choices& choices) {
    std::vector<Rank> to;
    const std::uint8_t mask = choices.byte();
    for (Rank rank = 0; rank < kWorldSize + 1; ++rank) {
      if (((mask >> rank) & 1U) != 0) {
        to.push_back(rank);
      }
    }
    const Tag tag = choices.byte();
    const Bytes message(choices.number<std::uint16_t>(), std::byte{0x33});
    static_cast<void>(endpoint_.send(to, tag, message));
  }

  void say_goodbye(Choices& choices) {
    const Rank to = choices.coin() ? 0 : 2;
    std::optional<Departure> departure;
    if (choices.coin()) {
      const auto reason = choices.bytes(choices.byte());
      departure = {static_cast<Rank>(choices.below(kWorldSize)),
                   {reinterpret_cast<const char*>(reason.data()), reason.size()}};
    }
    static_cast<void>(endpoint_.say_goodbye(std::array{to}, departure));
  }

  void fix(Choices& choices) {
    FixedSending sending;
    const std::uint8_t kind = choices.byte();
    if ((kind & 1U) != 0) {
      sending.mode = static_cast<phy::ModeId>(choices.below(phy::modes().size()));
    }
    if ((kind & 2U) != 0) {
      sending.hold_refreshes = static_cast<int>(1 + choices.below(8));
    }
    sending.filled = (kind & 4U) != 0;
    endpoint_.fix(sending);
  }

  /// What the session asks at any time.
  void look() const {
    const auto stats = endpoint_.stats();
    require(stats.size() == kWorldSize - 1);
    require(endpoint_.lost_peers(now_).size() <= stats.size());
    require(endpoint_.all_acknowledged() == endpoint_.unacknowledged_by().empty());
    require(!endpoint_.all_acknowledged() || endpoint_.backlog_bytes() == 0);
    require(endpoint_.mode() < phy::modes().size());
    const auto state = endpoint_.rate(now_);
    require(state.mode < phy::modes().size() && state.hold >= 1);
    static_cast<void>(endpoint_.calibrated());
    static_cast<void>(endpoint_.complaint(now_));
    static_cast<void>(endpoint_.seekers(now_));
    for (Rank rank = 0; rank < kWorldSize; ++rank) {
      static_cast<void>(endpoint_.progress(rank) + endpoint_.incarnation(rank));
      if (const auto departure = endpoint_.departure(rank)) {
        require(endpoint_.has_said_goodbye(rank) && departure->rank < kWorldSize);
        require(printable(departure->reason, kMostReasonBytes) == departure->reason);
      }
    }
  }

  Endpoint endpoint_;
  Instant now_{std::chrono::seconds(1)};
};

/// What two honest laptops say to one another, as an input for the second.
class HonestPair {
 public:
  explicit HonestPair(int n_captures) {
    static_cast<void>(first_.send(std::vector<Rank>{1}, 5, Bytes(300, std::byte{0x11})));
    put_send();
    for (int i = 0; i < n_captures; ++i) {
      capture(i);
    }
    writer_.put(static_cast<std::uint8_t>(kTake));
    writer_.put(std::uint8_t{0});
    writer_.put(std::uint8_t{5});
    static_cast<void>(first_.say_goodbye(std::vector<Rank>{1}, Departure{0, "the end"}));
    put_decisions(writer_, {kGoodbye, 1, 1, 3, 'e', 'n', 'd', 1});
    for (int i = 0; i < 4; ++i) {
      capture(i);
    }
  }
  [[nodiscard]] Bytes take() { return writer_.take(); }

 private:
  void put_send() {
    static_cast<void>(second_.send(std::vector<Rank>{0}, 6, Bytes(700, std::byte{0x33})));
    writer_.put(static_cast<std::uint8_t>(kSend));
    writer_.put(std::uint8_t{1});
    writer_.put(std::uint8_t{6});
    writer_.put(std::uint16_t{700});
  }

  void capture(int number) {
    constexpr std::uint8_t kPeriodMs = 33;
    const auto reception = reception_of(first_, 0);
    now_ += std::chrono::milliseconds(kPeriodMs);
    second_.on_reception(reception, now_);
    writer_.put(static_cast<std::uint8_t>(kCapture));
    writer_.put(kPeriodMs);
    put_reception(writer_, reception);
    first_.on_reception(reception_of(second_, 1), now_);
    writer_.put(static_cast<std::uint8_t>(kRefresh));
    writer_.put(static_cast<std::uint8_t>(number % 3));
  }

  phy::CaptureReception reception_of(Endpoint& endpoint, std::uint8_t node) {
    phy::ScreenReception screen;
    screen.node = node;
    screen.epoch = endpoint.options().epoch;
    screen.quality.snr_db = {20, 18, 16};
    screen.quality.levels = {{{20, 128, 128}, {200, 128, 128}}};
    screen.quality.cell_px = 4;
    std::optional<OutgoingFrame> frame;
    for (std::size_t i = 0; i < kMostRefreshes && !frame; ++i) {
      frame = endpoint.next_frame(now_);
    }
    if (frame) {
      screen.frames.push_back({frame->header, {}});
      for (std::size_t i = 0; i < frame->payloads.size(); ++i) {
        screen.frames.back().blocks.push_back({static_cast<int>(i), std::move(frame->payloads[i])});
      }
      screen.shares.push_back({frame->header.sequence, 1});
    }
    phy::CaptureReception reception;
    reception.captured_at = now_ - kLatency;
    reception.screens.push_back(std::move(screen));
    return reception;
  }

  Endpoint first_{options_of(0), phy::modes(), block_sizes};
  Endpoint second_{options_of(1), phy::modes(), block_sizes};
  Instant now_{std::chrono::seconds(1)};
  ByteWriter writer_;
};

}  // namespace

void check(std::span<const std::byte> input) {
  constexpr int kMostActions = 300;
  Choices choices(input);
  Laptop laptop(1);
  for (int i = 0; i < kMostActions && choices.any_left(); ++i) {
    laptop.step(choices);
  }
}

std::vector<Bytes> seeds() {
  return {HonestPair(2).take(), HonestPair(6).take(), HonestPair(16).take()};
}

}  // namespace wccl::fuzz
