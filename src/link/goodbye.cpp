#include "link/goodbye.h"

#include "base/bytes.h"
#include "base/printable.h"

namespace wccl::link {

std::string Departure::text() const {
  return "rank " + std::to_string(rank) + " has left: " + reason;
}

Bytes encode(const Goodbye& goodbye) {
  ByteWriter writer;
  if (goodbye.departure) {
    for (const std::uint16_t epoch : goodbye.epochs) {
      writer.put(epoch);
    }
    writer.put(static_cast<std::uint8_t>(goodbye.departure->rank));
    const std::string reason = printable(goodbye.departure->reason, kMostReasonBytes);
    writer.put_bytes(std::as_bytes(std::span(reason)));
  }
  return writer.take();
}

std::optional<Goodbye> parse_goodbye(std::span<const std::byte> bytes) {
  Goodbye goodbye;
  if (bytes.empty()) {
    return goodbye;
  }
  ByteReader reader(bytes);
  for (std::uint16_t& epoch : goodbye.epochs) {
    const auto read = reader.get<std::uint16_t>();
    if (!read) {
      return std::nullopt;
    }
    epoch = *read;
  }
  const auto rank = reader.get<std::uint8_t>();
  if (!rank || *rank >= phy::kMaxNodes) {
    return std::nullopt;
  }
  const auto text = reader.rest();
  goodbye.departure = {*rank, printable({reinterpret_cast<const char*>(text.data()), text.size()},
                                        kMostReasonBytes)};
  return goodbye;
}

}  // namespace wccl::link
