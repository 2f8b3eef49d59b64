#include "link/file_receiver.h"

#include <algorithm>
#include <utility>

namespace wccl::link {

/// @return nothing when such frames cannot be.
FileReceiver::Incoming* FileReceiver::incoming_of(const FileStreamId& stream) {
  const auto found = std::ranges::find_if(
      incoming_, [id = object_of(stream)](const auto& each) { return each->id == id; });
  Incoming* incoming = found != incoming_.end() ? found->get() : nullptr;
  if (incoming != nullptr) {
    auto& layouts = incoming->layouts;
    const auto known = std::ranges::find(layouts, stream, &FileStreamLayout::id);
    if (known != layouts.end()) {
      std::rotate(known, known + 1, layouts.end());
      return incoming;
    }
  }
  auto layout = FileStreamLayout::of(stream);
  if (!layout) {
    return nullptr;
  }
  if (incoming == nullptr) {
    incoming = &start(object_of(stream));
  }
  if (incoming->layouts.size() == kMostLayouts) {
    incoming->layouts.erase(incoming->layouts.begin());
  }
  incoming->layouts.push_back(std::move(*layout));
  return incoming;
}

FileReceiver::Incoming& FileReceiver::start(const FileObjectId& id) {
  if (incoming_.size() == kMostObjects) {
    incoming_.erase(std::ranges::min_element(
        incoming_, {}, [](const auto& each) { return each->decoder.symbols_held(); }));
  }
  Incoming& incoming = *incoming_.emplace_back(std::make_unique<Incoming>(id));
  if (memory_.recall) {
    memory_.recall(id, [&incoming](SymbolId symbol, std::span<const std::byte> bytes) {
      const RatelessLayout& code = incoming.decoder.layout();
      if (symbol.generation < code.n_generations && bytes.size() == code.symbol_bytes) {
        incoming.decoder.add(symbol, bytes);
      }
    });
  }
  return incoming;
}

std::optional<FileReceiver::Object> FileReceiver::take(const phy::FrameReception& frame) {
  const auto stream = file_stream_of(frame.header);
  if (frame.blocks.empty() || !stream) {
    return std::nullopt;
  }
  Incoming* const incoming = incoming_of(*stream);
  if (incoming == nullptr) {
    return std::nullopt;
  }
  const FileStreamLayout& layout = incoming->layouts.back();
  const std::uint32_t number = layout.frame_of(frame.header.sequence);
  for (const auto& block : frame.blocks) {
    const auto slot = static_cast<std::size_t>(block.index);
    if (slot >= layout.symbols_per_frame() || block.payload.size() != layout.code().symbol_bytes) {
      continue;
    }
    const SymbolId symbol = layout.symbol(number, slot);
    if (incoming->decoder.add(symbol, block.payload) && memory_.keep) {
      memory_.keep(incoming->id, symbol, block.payload);
    }
  }
  if (!incoming->decoder.complete()) {
    return std::nullopt;
  }
  Object object{layout.id(), incoming->decoder.take()};
  std::erase_if(incoming_, [incoming](const auto& other) { return other.get() == incoming; });
  return object;
}

std::optional<std::vector<std::byte>> FileReceiver::prefix(const FileObjectId& id,
                                                           std::size_t n_bytes) const {
  const auto found =
      std::ranges::find_if(incoming_, [&id](const auto& each) { return each->id == id; });
  return found == incoming_.end() ? std::nullopt : (*found)->decoder.prefix(n_bytes);
}

std::optional<FileReceiver::Progress> FileReceiver::best() const {
  std::optional<Progress> best;
  double best_share = -1;
  for (const auto& each : incoming_) {
    const Progress progress{each->layouts.back().id(), each->decoder.symbols_held(),
                            each->decoder.layout().source_symbols()};
    const double share =
        static_cast<double>(progress.symbols_held) / static_cast<double>(progress.symbols_needed);
    if (share <= best_share) {
      continue;
    }
    best = progress;
    best_share = share;
  }
  return best;
}

}  // namespace wccl::link
