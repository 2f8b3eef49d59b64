// link::Rendezvous: laptops without ranks, some of which lie.
#include "link/rendezvous.h"

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/receptions.h"
#include "fuzz/target.h"
#include "link/feedback.h"
#include "link/rendezvous_word.h"

namespace wccl::fuzz {
namespace {

using namespace link;

constexpr std::uint16_t kIdentity = 500;
constexpr phy::PanelSize kPanel{640, 400};

void check_agreement(const Rendezvous::Agreement& agreement) {
  const auto& identities = agreement.identities;
  require(identities.size() >= 2 && identities.size() <= phy::kMaxNodes);
  require(agreement.rank >= 0 && static_cast<std::size_t>(agreement.rank) < identities.size());
  require(identities[static_cast<std::size_t>(agreement.rank)] == kIdentity);
  require(std::set(identities.begin(), identities.end()).size() == identities.size());
}

phy::CaptureReception showing(std::span<const phy::FrameHeader> headers) {
  phy::CaptureReception reception;
  for (const phy::FrameHeader& header : headers) {
    phy::ScreenReception screen;
    screen.node = header.node;
    screen.epoch = header.epoch;
    screen.frames.push_back({header, {}});
    reception.screens.push_back(std::move(screen));
  }
  return reception;
}

/// Captures of laptops that show the same all the time.
Bytes still(std::uint8_t options, std::span<const phy::FrameHeader> headers) {
  ByteWriter writer;
  writer.put(options);
  for (int i = 0; i < 12; ++i) {
    writer.put(std::uint8_t{100});
    put_reception(writer, showing(headers));
  }
  return writer.take();
}

phy::FrameHeader seeker(std::uint16_t identity, const RendezvousWord& word) {
  phy::FrameHeader header;
  header.node = phy::kUnnumberedNode;
  header.epoch = identity;
  header.panel = kPanel;
  header.feedback = pack_rendezvous(word);
  return header;
}

phy::FrameHeader node(std::uint8_t rank, std::uint16_t epoch, int world_size) {
  phy::FrameHeader header;
  header.node = rank;
  header.epoch = epoch;
  header.panel = kPanel;
  Feedback feedback;
  feedback.world_size = world_size;
  header.feedback = pack_feedback(feedback);
  return header;
}

/// `n` laptops that say of the room what nobody should believe: it is for more than can be.
std::vector<phy::FrameHeader> crowd(int n) {
  std::vector<phy::FrameHeader> headers;
  for (int i = 0; i < n; ++i) {
    headers.push_back(seeker(static_cast<std::uint16_t>(2000 + i), {}));
  }
  Rendezvous rendezvous({kIdentity, 0, false, kPanel});
  Instant now{std::chrono::seconds(1)};
  for (int i = 0; i < 3; ++i) {
    now += std::chrono::milliseconds(100);
    rendezvous.on_reception(showing(headers), now);
  }
  RendezvousWord word = unpack_rendezvous(rendezvous.next_header(now)->feedback);
  word.world_size = word.laptops;
  for (phy::FrameHeader& header : headers) {
    header.feedback = pack_rendezvous(word);
  }
  return headers;
}

/// What the honest one shows once it has seen `other`.
RendezvousWord word_with(std::uint16_t other, int world_size) {
  Rendezvous rendezvous({kIdentity, world_size, false, kPanel});
  const std::array headers{seeker(other, {})};
  Instant now{std::chrono::seconds(1)};
  for (int i = 0; i < 3; ++i) {
    now += std::chrono::milliseconds(100);
    rendezvous.on_reception(showing(headers), now);
  }
  RendezvousWord word = unpack_rendezvous(rendezvous.next_header(now)->feedback);
  word.world_size = world_size;
  return word;
}

}  // namespace

void check(std::span<const std::byte> input) {
  constexpr int kMostCaptures = 200;
  Choices choices(input);
  const std::uint8_t kind = choices.byte();
  // 0: as the others say.
  const int world_size = (kind & 7U) == 1 ? 0 : static_cast<int>(kind & 7U);
  Rendezvous rendezvous({kIdentity, world_size, (kind & 8U) != 0, kPanel});
  Instant now{std::chrono::seconds(1)};
  std::optional<Rendezvous::Agreement> agreed;
  for (int i = 0; i < kMostCaptures && choices.any_left(); ++i) {
    now += Duration(choices.byte() * 1000);
    rendezvous.on_reception(read_reception(choices, now), now);
    if (const auto header = rendezvous.next_header(now)) {
      require(header->node == phy::kUnnumberedNode && header->epoch == kIdentity);
    }
    const auto agreement = rendezvous.agreement();
    require(agreement.has_value() || !agreement.error().message.empty());
    if (agreement.has_value() && *agreement) {
      check_agreement(**agreement);
      require(!agreed || agreed->identities == (*agreement)->identities);
      agreed = *agreement;
    }
    require(!agreed || (agreement.has_value() && agreement->has_value()));
  }
}

std::vector<Bytes> seeds() {
  const std::array two{seeker(900, word_with(900, 2))};
  const std::array with_node{node(0, 77, 2)};
  const std::array contradictory{seeker(900, {1, 3, 4, true}), node(1, 901, 3), node(1, 902, 8)};
  const std::array ours{seeker(kIdentity, {})};
  return {still(2, two),   still(1, two),      still(2, with_node), still(1, contradictory),
          still(11, ours), still(1, crowd(7)), still(1, crowd(8))};
}

}  // namespace wccl::fuzz
