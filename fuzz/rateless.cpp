// link::RatelessDecoder: symbols in any order, with the contents and the numbers that a hostile
// screen or a damaged file gives them.
#include <algorithm>
#include <set>
#include <utility>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/target.h"
#include "link/rateless_decoder.h"
#include "link/rateless_encoder.h"

namespace wccl::fuzz {
namespace {

using namespace link;

Bytes object_of(std::size_t n_bytes, std::uint8_t first) {
  Bytes object(n_bytes);
  for (std::size_t i = 0; i < n_bytes; ++i) {
    object[i] = static_cast<std::byte>(first + i * 7);
  }
  return object;
}

struct Feed {
  std::set<std::pair<std::uint32_t, std::uint32_t>> symbols;
  bool is_honest = true;
};

void add(RatelessDecoder& decoder, const RatelessEncoder& encoder, Choices& choices, Feed& feed) {
  const RatelessLayout& layout = decoder.layout();
  const std::uint8_t kind = choices.byte();
  SymbolId id{static_cast<std::uint32_t>(choices.below(layout.n_generations)), choices.byte()};
  if ((kind & 1U) != 0) {
    id.index = choices.number<std::uint32_t>();
  }
  Bytes symbol(layout.symbol_bytes);
  encoder.encode(id, symbol);
  if ((kind & 6U) == 6) {
    symbol[choices.below(symbol.size())] ^= static_cast<std::byte>(1 + choices.below(255));
    feed.is_honest = false;
  }
  const std::size_t held = decoder.symbols_held();
  const bool was_of_use = decoder.add(id, symbol);
  require(feed.symbols.emplace(id.generation, id.index).second || !was_of_use);
  require(decoder.symbols_held() == held || (was_of_use && decoder.symbols_held() == held + 1));
  require(decoder.symbols_held() <= layout.source_symbols());
}

}  // namespace

void check(std::span<const std::byte> input) {
  Choices choices(input);
  const std::size_t n_bytes = 1 + choices.number<std::uint16_t>() % 6000;
  const std::size_t symbol_bytes = 1 + choices.below(200);
  const Bytes object = object_of(n_bytes, choices.byte());
  RatelessLayout layout = RatelessLayout::of(n_bytes, symbol_bytes);
  // Several generations of a few symbols: those of real objects have up to 2048 each.
  const std::size_t n_symbols = layout.source_symbols();
  layout.generation_symbols = std::min<std::size_t>(n_symbols, 1 + choices.below(60));
  layout.n_generations = (n_symbols + layout.generation_symbols - 1) / layout.generation_symbols;

  const RatelessEncoder encoder(object, layout);
  RatelessDecoder decoder(layout);
  Feed feed;
  while (choices.any_left() && !decoder.complete()) {
    add(decoder, encoder, choices, feed);
  }
  const auto prefix = decoder.prefix(std::min<std::size_t>(n_bytes, 32));
  require(!feed.is_honest || !prefix || std::equal(prefix->begin(), prefix->end(), object.begin()));
  require(!decoder.prefix(n_bytes + 1));
  if (decoder.complete()) {
    const auto whole = decoder.take();
    require(whole.size() == n_bytes && (!feed.is_honest || whole == object));
  }
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> seeds;
  for (const std::uint8_t skipped : {std::uint8_t{0}, std::uint8_t{3}}) {
    ByteWriter writer;
    writer.put(std::uint16_t{700});
    writer.put(std::uint8_t{49});
    writer.put(std::uint8_t{11});
    writer.put(std::uint8_t{6});
    for (std::uint8_t i = 0; i < 20; ++i) {
      writer.put(std::uint8_t{0});
      writer.put(static_cast<std::uint8_t>(i % 2));
      writer.put(static_cast<std::uint8_t>(skipped + i / 2));
    }
    writer.put(std::uint8_t{7});
    writer.put(std::uint8_t{0});
    writer.put(std::uint32_t{0xFFFFFFFF});
    seeds.push_back(writer.take());
  }
  return seeds;
}

}  // namespace wccl::fuzz
