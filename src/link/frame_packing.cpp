#include "link/frame_packing.h"

#include <algorithm>
#include <cstdint>

#include "link/block_packer.h"
#include "link/packet.h"

namespace wccl::link {
namespace {

// From so many blocks on, one bears a second copy of status and acknowledgements.
constexpr std::size_t kMinBlocksForCopy = 4;
// One block in so many may go to the list of what is missing.
constexpr std::size_t kBlocksPerAckList = 16;

std::uint8_t period_to_byte(Duration period) {
  const auto units = (period + kPeriodUnit / 2) / kPeriodUnit;
  return static_cast<std::uint8_t>(std::clamp<std::int64_t>(units, 1, UINT8_MAX));
}

/// An acknowledgement with nothing but its heads.
AckPacket acknowledge(Rank rank, const Peer& peer, Duration capture_period) {
  AckPacket ack;
  ack.peer = static_cast<std::uint8_t>(rank);
  peer.view.describe(ack);
  ack.capture_period = period_to_byte(capture_period);
  peer.inbox.describe(ack);
  return ack;
}

/// @return those that a second copy is worth: the first of each peer.
std::vector<Bytes> put_acknowledgements(const std::map<Rank, Peer>& peers,
                                        Duration capture_period,
                                        BlockPacker& packer) {
  std::vector<Bytes> firsts;
  std::size_t n_further = packer.n_blocks() / kBlocksPerAckList;
  const std::size_t share = packer.room(0) / std::max<std::size_t>(peers.size(), 1);
  for (const auto& [rank, peer] : peers) {
    if (!peer.view.heard()) {
      continue;
    }
    AckPacket ack = acknowledge(rank, peer, capture_period);
    // Two bytes for the length in front, in case the list makes it long.
    const std::size_t base_bytes = encode_packet(ack).size() + 1;
    Inbox::Position at;
    std::size_t budget = share > base_bytes ? share - base_bytes : 0;
    for (ack.first = true;; ack.first = false) {
      ack.partials.clear();
      ack.last = peer.inbox.describe_partials(ack, at, budget);
      const Bytes packet = encode_packet(ack);
      const auto block = packer.put_first_fit(0, packet);
      if (!block) {
        return firsts;
      }
      if (ack.first) {
        firsts.push_back(packet);
      }
      if (ack.last || n_further == 0) {
        break;
      }
      --n_further;
      const std::size_t next_room = packer.room(std::min(*block + 1, packer.n_blocks() - 1));
      budget = next_room > base_bytes ? next_room - base_bytes : 0;
    }
  }
  return firsts;
}

void put_data(Outbox& outbox, BlockPacker& packer, std::size_t begin, std::size_t end) {
  for (std::size_t block = begin; block < end; ++block) {
    while (true) {
      auto data = outbox.next(packer.room(block));
      if (!data) {
        data = outbox.repeat(packer.room(block));
      }
      if (!data) {
        break;
      }
      packer.put(block, encode_packet(*data));
    }
  }
}

/// The last block in use says once more what the first ones say.
void put_copy(const StatusPacket& status, std::span<const Bytes> firsts, BlockPacker& packer) {
  const std::size_t block = packer.n_used();
  packer.put(block, encode_packet(StatusPacket{status.oldest_message,
                                               static_cast<std::uint16_t>(block + 1)}));
  for (const Bytes& packet : firsts) {
    if (packer.room(block) >= packet.size()) {
      packer.put(block, packet);
    }
  }
}

}  // namespace

std::vector<std::vector<std::byte>> pack_frame(std::span<const std::size_t> block_sizes,
                                               const std::map<Rank, Peer>& peers,
                                               Duration capture_period,
                                               bool filled,
                                               Outbox& outbox) {
  StatusPacket status{outbox.oldest(), 0};
  BlockPacker packer(block_sizes, encode_packet(status).size());
  const std::vector<Bytes> firsts = put_acknowledgements(peers, capture_period, packer);

  const bool with_copy = packer.n_blocks() >= kMinBlocksForCopy;
  const std::size_t data_end = packer.n_blocks() - (with_copy ? 1 : 0);
  put_data(outbox, packer, 0, data_end);
  for (std::size_t block = packer.n_used(); filled && block < data_end; ++block) {
    packer.put(block, encode_packet(ProbePacket{}));
  }
  const std::size_t copy_block = packer.n_used();
  // Acknowledgements of many peers may have filled small frames to the end.
  if (with_copy && copy_block < packer.n_blocks()) {
    put_copy(status, firsts, packer);
    put_data(outbox, packer, copy_block, copy_block + 1);
  }
  status.blocks_used = static_cast<std::uint16_t>(packer.n_used());
  packer.put_reserved(encode_packet(status));
  return packer.take();
}

}  // namespace wccl::link
