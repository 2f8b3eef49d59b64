#include "link/inbox.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "phy/crc.h"

namespace wccl::link {
namespace {

// Room for the number of runs, a varint.
constexpr std::size_t kRunCountBytes = 2;

struct MessageHead {
  Tag tag = 0;
  std::uint32_t length = 0;
  std::uint32_t crc = 0;
};

std::optional<MessageHead> read_head(std::span<const std::byte> stream) {
  ByteReader reader(stream);
  const auto tag = reader.get<std::uint32_t>();
  const auto length = reader.get<std::uint32_t>();
  const auto crc = reader.get<std::uint32_t>();
  if (!tag || !length || !crc) {
    return std::nullopt;
  }
  return MessageHead{*tag, *length, *crc};
}

/// The received ranges from `start` on as runs, as many as `budget` bytes hold; takes them off it.
PartialMessage describe_partial(std::uint32_t id,
                                std::uint32_t start,
                                const RangeSet& received,
                                std::size_t& budget) {
  PartialMessage partial{id, start, true, {}};
  std::uint32_t at = start;
  for (const Range& range : received.ranges()) {
    if (range.end <= start) {
      continue;
    }
    const std::uint32_t begin = std::max(range.begin, at);
    const AckRun run{begin - at, range.end - begin};
    const std::size_t n_bytes = varint_bytes(run.gap) + varint_bytes(run.length);
    if (n_bytes > budget) {
      partial.complete = false;
      break;
    }
    budget -= n_bytes;
    partial.runs.push_back(run);
    at = range.end;
  }
  return partial;
}

}  // namespace

Inbox Inbox::restarted() const {
  Inbox fresh(self_);
  fresh.message_bytes_ = message_bytes_;
  fresh.new_bytes_ = new_bytes_;
  fresh.corrupt_messages_ = corrupt_messages_;
  return fresh;
}

void Inbox::on_status(const StatusPacket& status) {
  if (status.oldest_message <= floor_) {
    return;
  }
  floor_ = status.oldest_message;
  done_.erase(done_.begin(), done_.lower_bound(floor_));
  while (!assemblies_.empty() && assemblies_.begin()->first < floor_) {
    discard(assemblies_.begin()->first);
  }
  advance_floor();
}

void Inbox::on_data(const DataPacket& data) {
  if (data.message_id < floor_ || done_.contains(data.message_id)) {
    return;
  }
  if (data.message_id - floor_ >= 2 * kMessageWindow) {
    return;
  }
  if (((data.destinations >> self_) & 1U) == 0) {
    // Not for us: finished, as far as we are concerned.
    mark_done(data.message_id);
    return;
  }
  if (!accepts(data)) {
    return;
  }
  Assembly& assembly = assemblies_[data.message_id];
  const std::size_t end = std::size_t{data.offset} + data.body.size();
  if (assembly.stream.size() < end) {
    assembly_bytes_ += end - assembly.stream.size();
    assembly.stream.resize(end);
  }
  std::ranges::copy(data.body, assembly.stream.begin() + data.offset);
  const Range range{data.offset, static_cast<std::uint32_t>(end)};
  new_bytes_ += assembly.received.missing(range).size();
  assembly.received.add(range);
  finish_if_whole(data.message_id);
}

std::optional<Bytes> Inbox::take(Tag tag) {
  const auto it = untaken_.find(tag);
  if (it == untaken_.end()) {
    return std::nullopt;
  }
  auto& queue = it->second;
  Bytes message = std::move(queue.begin()->second);
  queue.erase(queue.begin());
  if (queue.empty()) {
    untaken_.erase(it);
  }
  untaken_bytes_ -= message.size();
  --untaken_messages_;
  return message;
}

const Bytes* Inbox::find(Tag tag) const {
  const auto it = untaken_.find(tag);
  return it == untaken_.end() ? nullptr : &it->second.begin()->second;
}

void Inbox::describe(AckPacket& ack) const {
  ack.floor = floor_;
  ack.done.clear();
  for (const std::uint32_t id : done_) {
    const std::uint32_t bit = id - floor_;
    if (bit >= kMessageWindow) {
      break;
    }
    ack.done.resize(bit / 8 + 1);
    ack.done[bit / 8] = static_cast<std::uint8_t>(ack.done[bit / 8] | (1U << (bit % 8)));
  }
}

bool Inbox::describe_partials(AckPacket& ack, Position& at, std::size_t budget) const {
  for (auto it = assemblies_.lower_bound(at.message_id); it != assemblies_.end(); ++it) {
    const auto& [id, assembly] = *it;
    const std::uint32_t start = id == at.message_id ? at.offset : 0;
    at = {id, start};
    const std::size_t head = varint_bytes(id - floor_) + varint_bytes(start) + kRunCountBytes;
    if (budget < head) {
      return false;
    }
    budget -= head;
    PartialMessage partial = describe_partial(id, start, assembly.received, budget);
    for (const AckRun& run : partial.runs) {
      at.offset += run.gap + run.length;
    }
    const bool complete = partial.complete;
    if (complete || !partial.runs.empty()) {
      ack.partials.push_back(std::move(partial));
    }
    if (!complete) {
      return false;
    }
  }
  return true;
}

bool Inbox::accepts(const DataPacket& data) const {
  if (untaken_bytes_ > kMaxUntakenBytes || untaken_messages_ >= kMaxUntakenMessages) {
    return false;
  }
  const auto it = assemblies_.find(data.message_id);
  const std::size_t prefix = it == assemblies_.end() ? 0 : it->second.received.prefix();
  const std::size_t held = it == assemblies_.end() ? 0 : it->second.stream.size();
  const std::size_t end = std::size_t{data.offset} + data.body.size();
  if (end > prefix + kReceiveWindowBytes) {
    return false;
  }
  const std::size_t growth = end > held ? end - held : 0;
  return assembly_bytes_ + growth <= kMaxMessageBytes + kReceiveWindowBytes;
}

void Inbox::finish_if_whole(std::uint32_t message_id) {
  Assembly& assembly = assemblies_.at(message_id);
  if (!assembly.received.covers({0, kMessageHeadBytes})) {
    return;
  }
  const auto head = read_head(assembly.stream);
  const std::size_t end = std::size_t{kMessageHeadBytes} + head->length;
  const bool contradicts = head->length > kMaxMessageBytes || assembly.stream.size() > end;
  if (!contradicts && assembly.stream.size() < end) {
    return;
  }
  if (!contradicts && !assembly.received.covers({0, static_cast<std::uint32_t>(end)})) {
    return;
  }
  if (contradicts ||
      phy::crc32(std::span(assembly.stream).subspan(kMessageHeadBytes)) != head->crc) {
    // The acknowledgements will say that nothing of it is here, so the sender starts it over.
    ++corrupt_messages_;
    discard(message_id);
    return;
  }
  Bytes message(assembly.stream.begin() + kMessageHeadBytes, assembly.stream.end());
  message_bytes_ += message.size();
  untaken_bytes_ += message.size();
  ++untaken_messages_;
  untaken_[head->tag].emplace(message_id, std::move(message));
  mark_done(message_id);
}

void Inbox::discard(std::uint32_t message_id) {
  const auto it = assemblies_.find(message_id);
  if (it == assemblies_.end()) {
    return;
  }
  assembly_bytes_ -= it->second.stream.size();
  assemblies_.erase(it);
}

void Inbox::mark_done(std::uint32_t message_id) {
  discard(message_id);
  done_.insert(message_id);
  advance_floor();
}

void Inbox::advance_floor() {
  while (!done_.empty() && *done_.begin() == floor_) {
    done_.erase(done_.begin());
    ++floor_;
  }
}

}  // namespace wccl::link
