#include "link/rendezvous.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "base/splitmix.h"
#include "link/feedback.h"
#include "link/file_stream.h"
#include "link/identity_words.h"
#include "link/transmit_time.h"

namespace wccl::link {
namespace {

using namespace std::chrono_literals;

// A header's CRC has 16 bits, so one capture proves nothing.
constexpr int kSureCaptures = 2;
// Twelve captures of a camera of 3 frames/s.
constexpr Duration kForget = 4s;
// Contradictions that last longer do not come from a laptop that has just been started anew.
constexpr Duration kPatience = 5s;
// As long nothing has changed: those who came at the same time have been seen by all.
constexpr Duration kSettled = 600ms;
// Still pictures are the easiest to find; they change so that their time does not get old.
constexpr Duration kFrameLife = 500ms;
constexpr Duration kShortestFrame = 100ms;
// More than a camera's latency holds.
constexpr std::size_t kShownFrames = 64;
constexpr phy::ModeId kMode = 0;  // Nothing but filler is in it.

std::uint16_t digest_part(std::uint16_t identity) {
  return static_cast<std::uint16_t>(splitmix64(identity));
}

std::string quoted(std::uint16_t identity) {
  std::string text(1, '"');
  text += words_of(identity);
  text += '"';
  return text;
}

std::string laptops(int n) {
  return std::to_string(n) + (n == 1 ? " laptop" : " laptops");
}

}  // namespace

bool Rendezvous::Sighting::is_sure() const {
  return captures >= kSureCaptures;
}

Rendezvous::Rendezvous(Options options)
    : options_(options), transmitter_(std::make_shared<phy::Transmitter>(options.panel)) {}

void Rendezvous::on_reception(const phy::CaptureReception& reception, Instant now) {
  foreign_versions_.note(reception.foreign_versions, now);
  for (const phy::ScreenReception& screen : reception.screens) {
    if (!screen.frames.empty()) {
      note(screen.frames.back().header, now);
    }
  }
  judge(now);
}

void Rendezvous::note(const phy::FrameHeader& header, Instant now) {
  if (file_stream_of(header)) {
    return;
  }
  if (header.epoch == options_.identity) {
    if (!is_ours(header)) {
      double_seen_ = now;
    }
    return;
  }
  Sighting& sighting = sightings_[header.epoch];
  ++sighting.captures;
  sighting.last = now;
  if (header.node == phy::kUnnumberedNode) {
    sighting.word = unpack_rendezvous(header.feedback);
    sighting.world_size = sighting.word.world_size;
    sighting.rank.reset();
  } else {
    sighting.rank = header.node;
    sighting.world_size = unpack_feedback(header.feedback).world_size;
  }
}

/// Whether a header with our identity is one of ours, which a mirror shows, or another laptop drew
/// the same.
bool Rendezvous::is_ours(const phy::FrameHeader& header) const {
  return header.node == phy::kUnnumberedNode &&
         std::ranges::any_of(shown_, [&header](const Shown& shown) {
           return shown.sequence == header.sequence &&
                  shown.transmit_time_ms == header.transmit_time_ms;
         });
}

void Rendezvous::judge(Instant now) {
  std::erase_if(sightings_, [now](const auto& entry) { return now - entry.second.last > kForget; });
  if (double_seen_ && now - *double_seen_ > kForget) {
    double_seen_.reset();
  }
  if (agreement_) {
    return;
  }
  std::string found = contradiction();
  const bool is_blocked = !found.empty();
  if (!is_blocked) {
    found = foreign_versions_.complaint(now);
  }
  if (found != contradiction_) {
    contradiction_ = std::move(found);
    contradiction_since_ = now;
  }
  is_contradiction_sure_ = !contradiction_.empty() && now - contradiction_since_ >= kPatience;
  if (const RendezvousWord current = word(); current != found_word_) {
    found_word_ = current;
    found_since_ = now;
  }
  if (!is_blocked && now - found_since_ >= kSettled && all_agree()) {
    agreement_ = rank_all();
    is_contradiction_sure_ = false;
  }
}

Painting Rendezvous::next_frame(Instant now) {
  const auto header = next_header(now);
  if (!header) {
    return {};
  }
  return [transmitter = transmitter_, header = *header] {
    return std::make_shared<const RgbImage>(transmitter->render(header, {}));
  };
}

std::optional<phy::FrameHeader> Rendezvous::next_header(Instant now) {
  judge(now);
  const RendezvousWord current = word();
  const Duration life = shown_word_ == current ? kFrameLife : kShortestFrame;
  if (shown_word_ && now - shown_at_ < life) {
    return std::nullopt;
  }
  shown_word_ = current;
  shown_at_ = now;
  phy::FrameHeader header;
  header.node = phy::kUnnumberedNode;
  header.epoch = options_.identity;
  header.sequence = sequence_++;
  header.panel = options_.panel;
  header.mode = kMode;
  header.transmit_time_ms = transmit_time_ms(now);
  header.feedback = pack_rendezvous(current);
  shown_.push_back({header.sequence, header.transmit_time_ms});
  if (shown_.size() > kShownFrames) {
    shown_.pop_front();
  }
  return header;
}

RendezvousWord Rendezvous::word() const {
  RendezvousWord word;
  word.digest = digest_part(options_.identity);
  word.world_size = options_.world_size;
  word.first = options_.first;
  for (const auto& [identity, sighting] : sightings_) {
    if (sighting.is_sure()) {
      word.digest = static_cast<std::uint16_t>(word.digest ^ digest_part(identity));
      word.laptops = std::min(word.laptops + 1, 15);
    }
  }
  return word;
}

/// The one that was given, or what others say; 0 when nobody does.
int Rendezvous::world_size() const {
  if (options_.world_size != 0) {
    return options_.world_size;
  }
  for (const auto& [identity, sighting] : sightings_) {
    if (sighting.is_sure() && sighting.world_size != 0) {
      return sighting.world_size;
    }
  }
  return 0;
}

/// Whether as many laptops as there should be see the same ones. Nodes have agreed before.
bool Rendezvous::all_agree() const {
  const RendezvousWord own = word();
  return own.laptops == world_size() && std::ranges::all_of(sightings_, [&own](const auto& entry) {
           const Sighting& sighting = entry.second;
           return !sighting.is_sure() || sighting.rank.has_value() ||
                  (sighting.word.digest == own.digest && sighting.word.laptops == own.laptops);
         });
}

/// Nodes keep their ranks, the others get what is left: who wants to be first, then by identity.
std::optional<Rendezvous::Agreement> Rendezvous::rank_all() const {
  std::vector<std::optional<std::uint16_t>> ranks(static_cast<std::size_t>(world_size()));
  std::vector<std::pair<bool, std::uint16_t>> queue{{!options_.first, options_.identity}};
  for (const auto& [identity, sighting] : sightings_) {
    if (!sighting.is_sure()) {
      continue;
    }
    if (sighting.rank) {
      ranks[static_cast<std::size_t>(*sighting.rank)] = identity;
    } else {
      queue.emplace_back(!sighting.word.first, identity);
    }
  }
  std::ranges::sort(queue);
  auto next = queue.begin();
  Agreement agreement;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (!ranks[rank]) {
      ranks[rank] = (next++)->second;
    }
    if (*ranks[rank] == options_.identity) {
      agreement.rank = static_cast<Rank>(rank);
    }
    agreement.identities.push_back(*ranks[rank]);
  }
  return agreement;
}

/// What cannot be agreed on, as a line that says what to do; empty when all is well.
std::string Rendezvous::contradiction() const {
  if (double_seen_) {
    return "another laptop drew the identity " + quoted(options_.identity) +
           " too: start one of the two again";
  }
  for (const auto& check :
       {&Rendezvous::size_contradiction, &Rendezvous::rank_contradiction, &Rendezvous::crowd}) {
    if (std::string text = (this->*check)(); !text.empty()) {
      return text;
    }
  }
  return {};
}

std::string Rendezvous::size_contradiction() const {
  std::string who = "this laptop";
  int size = options_.world_size;
  for (const auto& [identity, sighting] : sightings_) {
    if (!sighting.is_sure() || sighting.world_size == 0) {
      continue;
    }
    if (size != 0 && sighting.world_size != size) {
      return who + " waits for " + laptops(size) + ", " + quoted(identity) + " for " +
             std::to_string(sighting.world_size) + ": start all with the same --nodes";
    }
    if (size == 0) {
      who = quoted(identity);
      size = sighting.world_size;
    }
  }
  return {};
}

std::string Rendezvous::rank_contradiction() const {
  std::array<std::string, phy::kMaxNodes> holders;
  std::string first = options_.first ? "this laptop" : "";
  for (const auto& [identity, sighting] : sightings_) {
    if (!sighting.is_sure()) {
      continue;
    }
    if (sighting.rank) {
      std::string& holder = holders[static_cast<std::size_t>(*sighting.rank)];
      if (!holder.empty()) {
        return holder + " and " + quoted(identity) + " both show rank " +
               std::to_string(*sighting.rank) + ": start one of them with another --rank";
      }
      holder = quoted(identity);
      if (world_size() != 0 && *sighting.rank >= world_size()) {
        return holder + " shows rank " + std::to_string(*sighting.rank) + " among " +
               laptops(world_size()) + ": start all with the same --nodes";
      }
    } else if (sighting.word.first) {
      if (!first.empty()) {
        return first + " and " + quoted(identity) + " both want rank 0: only one can send";
      }
      first = quoted(identity);
    }
  }
  if (!first.empty() && !holders[0].empty()) {
    return first + " wants rank 0, which " + holders[0] + " has: only one can send";
  }
  return {};
}

/// More laptops than the world has room for, seen here or by one of the others.
std::string Rendezvous::crowd() const {
  const int size = world_size();
  const int seen_here = word().laptops;
  if (size != 0 && seen_here > size) {
    std::string names;
    for (const std::uint16_t identity : seen()) {
      names += (names.empty() ? "" : ", ") + quoted(identity);
    }
    return "this laptop (" + words_of(options_.identity) + ") is one of " + std::to_string(size) +
           " and sees " + std::to_string(seen_here - 1) + " others, " + names +
           ": start all with a larger --nodes, or take one out of sight";
  }
  for (const auto& [identity, sighting] : sightings_) {
    if (size != 0 && sighting.is_sure() && !sighting.rank && sighting.word.laptops > size) {
      return quoted(identity) + " sees " + std::to_string(sighting.word.laptops - 1) +
             " others where " + std::to_string(size - 1) + (size == 2 ? " is" : " are") +
             " expected: start all with a larger --nodes, or take one out of sight";
    }
  }
  return {};
}

Result<std::optional<Rendezvous::Agreement>> Rendezvous::agreement() const {
  if (is_contradiction_sure_) {
    return fail(ErrorCode::kInvalidArgument, contradiction_);
  }
  return agreement_;
}

std::vector<std::uint16_t> Rendezvous::seen() const {
  std::vector<std::uint16_t> identities;
  for (const auto& [identity, sighting] : sightings_) {
    if (sighting.is_sure()) {
      identities.push_back(identity);
    }
  }
  return identities;
}

}  // namespace wccl::link
