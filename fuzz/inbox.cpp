// link::Inbox: data and status packets of a peer that says what it likes.
#include "link/inbox.h"

#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/target.h"
#include "phy/crc.h"

namespace wccl::fuzz {
namespace {

using namespace link;

constexpr Rank kSelf = 1;
constexpr std::array<Tag, 4> kTags{0, 1, 7, 0xFFFFFFFF};

enum Action : std::uint8_t { kStatus, kData, kMessage, kTake, kDescribe, kRestart, kActions };

Bytes stream_of(Tag tag, std::span<const std::byte> message) {
  ByteWriter writer;
  writer.put(tag);
  writer.put(static_cast<std::uint32_t>(message.size()));
  writer.put(phy::crc32(message));
  writer.put_bytes(message);
  return writer.take();
}

/// All bytes that were ever sent for each place of each message's stream.
class Sent {
 public:
  void note(const DataPacket& data) {
    for (std::size_t i = 0; i < data.body.size(); ++i) {
      bytes_[{data.message_id, data.offset + static_cast<std::uint32_t>(i)}].set(
          std::to_integer<std::size_t>(data.body[i]));
    }
    ids_[data.message_id] = true;
  }
  /// Whether some message can have been this one, its CRC-32 held by what was sent.
  [[nodiscard]] bool can_be(const Bytes& stream) const {
    for (const auto& [id, sent] : ids_) {
      if (sent && holds(id, stream)) {
        return true;
      }
    }
    return false;
  }

 private:
  [[nodiscard]] bool holds(std::uint32_t id, const Bytes& stream) const {
    for (std::size_t i = 0; i < stream.size(); ++i) {
      const auto found = bytes_.find({id, static_cast<std::uint32_t>(i)});
      if (found == bytes_.end() || !found->second.test(std::to_integer<std::size_t>(stream[i]))) {
        return false;
      }
    }
    return true;
  }

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::bitset<256>> bytes_;
  std::map<std::uint32_t, bool> ids_;
};

class Peer {
 public:
  void step(Choices& choices) {
    switch (choices.below(kActions)) {
      case kStatus:
        inbox_.on_status({choices.number<std::uint32_t>(), choices.number<std::uint16_t>()});
        break;
      case kData:
        send_piece(choices);
        break;
      case kMessage:
        send_message(choices);
        break;
      case kTake:
        take(kTags[choices.below(kTags.size())]);
        break;
      case kDescribe:
        describe(choices.number<std::uint16_t>());
        break;
      default:
        restart();
        break;
    }
    require(inbox_.new_bytes() <= sent_bytes_);
  }

  void take_all() {
    for (const Tag tag : kTags) {
      while (take(tag)) {
      }
    }
  }

 private:
  void send(const DataPacket& data) {
    sent_.note(data);
    sent_bytes_ += data.body.size();
    inbox_.on_data(data);
  }

  void send_piece(Choices& choices) {
    const auto destinations = choices.byte();
    const auto id = choices.number<std::uint32_t>();
    const std::uint32_t offset = choices.number<std::uint32_t>() >> 4U;
    const auto body = choices.bytes(choices.byte());
    if (!body.empty() && offset + body.size() <= kMaxMessageBytes + kMessageHeadBytes) {
      send({destinations, id, offset, body});
    }
  }

  /// A whole one, in two parts of which one may be damaged.
  void send_message(Choices& choices) {
    const auto id = choices.number<std::uint32_t>();
    const Tag tag = kTags[choices.below(kTags.size())];
    const std::size_t cut = choices.byte();
    const auto damage = static_cast<std::byte>(choices.byte());
    Bytes stream = stream_of(tag, choices.bytes(choices.byte()));
    stream[choices.below(stream.size())] ^= damage;
    const std::size_t n_first = std::min(cut, stream.size());
    const auto parts =
        std::array{std::pair{n_first, stream.size()}, std::pair{std::size_t{0}, n_first}};
    for (const auto& [begin, end] : parts) {
      if (begin < end) {
        send({1U << kSelf, id, static_cast<std::uint32_t>(begin),
              std::span(stream).subspan(begin, end - begin)});
      }
    }
  }

  bool take(Tag tag) {
    const auto message = inbox_.take(tag);
    if (!message) {
      return false;
    }
    require(sent_.can_be(stream_of(tag, *message)));
    return true;
  }

  void describe(std::size_t budget) {
    AckPacket ack;
    inbox_.describe(ack);
    Inbox::Position at;
    static_cast<void>(inbox_.describe_partials(ack, at, budget));
    const auto parsed = parse_block(encode_packet(ack));
    require(parsed.n_rejected == 0 && parsed.packets.size() == 1);
  }

  void restart() {
    const std::uint64_t n_bytes = inbox_.message_bytes();
    inbox_ = inbox_.restarted();
    require(inbox_.message_bytes() == n_bytes && !inbox_.take(kTags[0]));
  }

  Inbox inbox_{kSelf};
  Sent sent_;
  std::uint64_t sent_bytes_ = 0;
};

void put_message(ByteWriter& writer, std::uint32_t id, std::uint8_t damage, std::size_t n_bytes) {
  writer.put(static_cast<std::uint8_t>(kMessage));
  writer.put(id);
  writer.put(std::uint8_t{1});
  writer.put(std::uint8_t{9});
  writer.put(damage);
  writer.put(static_cast<std::uint8_t>(n_bytes));
  writer.put_bytes(Bytes(n_bytes, std::byte{0x42}));
  writer.put(std::uint8_t{30});
}

}  // namespace

void check(std::span<const std::byte> input) {
  // More actions than that repeat themselves.
  constexpr int kMostActions = 400;
  Choices choices(input);
  Peer peer;
  for (int i = 0; i < kMostActions && choices.any_left(); ++i) {
    peer.step(choices);
  }
  peer.take_all();
}

std::vector<Bytes> seeds() {
  ByteWriter honest;
  for (std::uint32_t id = 0; id < 4; ++id) {
    put_message(honest, id, 0, 20 * id);
    honest.put(static_cast<std::uint8_t>(kDescribe));
    honest.put(std::uint16_t{100});
  }
  honest.put(static_cast<std::uint8_t>(kTake));
  honest.put(std::uint8_t{1});
  honest.put(static_cast<std::uint8_t>(kStatus));
  honest.put(std::uint32_t{4});
  honest.put(std::uint16_t{3});

  ByteWriter damaged;
  put_message(damaged, 0, 0x10, 100);
  put_message(damaged, 1, 0, 100);
  damaged.put(static_cast<std::uint8_t>(kRestart));
  put_message(damaged, 0, 0, 100);

  ByteWriter sparse;
  for (std::uint32_t i = 0; i < 6; ++i) {
    sparse.put(static_cast<std::uint8_t>(kData));
    sparse.put(std::uint8_t{1U << kSelf});
    sparse.put(i % 3);
    sparse.put((i * 1000) << 4U);
    sparse.put(std::uint8_t{5});
    sparse.put_bytes(Bytes(5, std::byte{1}));
    sparse.put(static_cast<std::uint8_t>(kDescribe));
    sparse.put(static_cast<std::uint16_t>(i * 10));
  }
  return {honest.take(), damaged.take(), sparse.take()};
}

}  // namespace wccl::fuzz
