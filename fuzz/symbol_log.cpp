// transfer::SymbolLog: what an interrupted one-way receiver, or a torn disk, left in its folder.
#include "transfer/symbol_log.h"

#include <filesystem>
#include <optional>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "link/file_receiver.h"
#include "phy/block_codec.h"
#include "phy/crc.h"

namespace wccl::fuzz {
namespace {

using namespace transfer;

constexpr link::FileObjectId kId{0xABCD, 700};
constexpr std::size_t kBodyBytes = 8 + phy::kBlockPayloadBytes;

struct Symbol {
  link::SymbolId id;
  Bytes bytes;
  friend bool operator==(const Symbol&, const Symbol&) = default;
};

/// A version byte, then records of which each has its CRC-32, or is as the input has it.
Bytes read_log(Choices& choices) {
  ByteWriter log;
  log.put(choices.byte());
  while (choices.any_left()) {
    const std::uint8_t kind = choices.byte();
    if (kind == 0xFF) {
      log.put_bytes(choices.bytes(choices.byte()));
      continue;
    }
    ByteWriter body;
    body.put(std::uint32_t{choices.byte()});
    body.put((kind & 1U) != 0 ? choices.number<std::uint32_t>() : choices.byte());
    Bytes symbol(phy::kBlockPayloadBytes, static_cast<std::byte>(choices.byte()));
    body.put_bytes(symbol);
    const Bytes record = body.take();
    require(record.size() == kBodyBytes);
    log.put_bytes(record);
    log.put(phy::crc32(record) ^ ((kind & 2U) != 0 ? 1U : 0U));
  }
  return log.take();
}

std::vector<Symbol> read_all(const Destination& destination, std::optional<Symbol> added) {
  std::vector<Symbol> symbols;
  auto log = SymbolLog::open(destination, kId);
  require(log.has_value());
  const auto status = log->read([&](link::SymbolId id, std::span<const std::byte> bytes) {
    require(bytes.size() == phy::kBlockPayloadBytes);
    symbols.push_back({id, {bytes.begin(), bytes.end()}});
  });
  require(status.has_value());
  if (added) {
    require(log->append(added->id, added->bytes).has_value() && log->flush().has_value());
  }
  return symbols;
}

/// Whatever numbers a log has: a receiver with them in it goes on.
void check_receiver(const std::vector<Symbol>& symbols) {
  link::FileReceiver receiver({[&](const link::FileObjectId&, const auto& sink) {
                                 for (const Symbol& symbol : symbols) {
                                   sink(symbol.id, symbol.bytes);
                                 }
                               },
                               {}});
  const link::FileStreamId stream{{640, 400}, 30, kId.epoch, kId.bytes};
  phy::FrameReception frame{link::file_frame_header(stream, 0),
                            {{0, Bytes(phy::kBlockPayloadBytes)}}};
  if (const auto object = receiver.take(frame)) {
    require(object->bytes.size() == kId.bytes);
  }
}

}  // namespace

void check(std::span<const std::byte> input) {
  const auto folder = empty_scratch() / "in";
  const auto destination = Destination::open(folder, false);
  require(destination.has_value());
  // Made as a receiver makes it, and then overwritten.
  require(read_all(*destination, {}).empty());
  const auto files = std::filesystem::directory_iterator(folder / kPartialFolder);
  const std::filesystem::path path = files->path();
  Choices choices(input);
  put_file(path, read_log(choices));

  const Symbol added{{1, 77}, Bytes(phy::kBlockPayloadBytes, std::byte{0xEE})};
  auto symbols = read_all(*destination, added);
  check_receiver(symbols);
  symbols.push_back(added);
  require(read_all(*destination, {}) == symbols);
}

std::vector<Bytes> seeds() {
  ByteWriter writer;
  writer.put(std::uint8_t{1});
  for (int i = 0; i < 6; ++i) {
    put_decisions(writer, {0, 0, i, 50 + i});
  }
  put_decisions(writer, {1, 0, 0xFF, 0xFF, 0xFF, 0x7F, 9});
  put_decisions(writer, {2, 0, 3, 3});
  put_decisions(writer, {0xFF, 5, 1, 2, 3, 4, 5});
  return {writer.take(), Bytes{std::byte{1}}, Bytes{std::byte{2}, std::byte{0}, std::byte{0}}};
}

}  // namespace wccl::fuzz
