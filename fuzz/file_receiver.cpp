// link::FileReceiver: frames of one-way files, their headers and symbols as a stranger shows them.
#include "link/file_receiver.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/receptions.h"
#include "fuzz/target.h"
#include "link/file_broadcast.h"
#include "phy/block_codec.h"

namespace wccl::fuzz {
namespace {

using namespace link;

constexpr phy::PanelSize kPanel{640, 400};
constexpr int kMostSide = 700;

Bytes sample_object(std::size_t n_bytes) {
  Bytes object(n_bytes);
  for (std::size_t i = 0; i < n_bytes; ++i) {
    object[i] = static_cast<std::byte>(i * 31 + i / 256);
  }
  return object;
}

/// A few frames of a broadcast, one with each capture.
void put_broadcast(ByteWriter& writer,
                   const Bytes& object,
                   std::uint16_t epoch,
                   std::uint64_t skip) {
  const std::array turns{FileBroadcast::Turn{0, 1}, FileBroadcast::Turn{3, 2}};
  const auto broadcast = FileBroadcast::of(object, epoch, kPanel, turns);
  for (std::uint64_t frame = skip; frame < skip + 4; ++frame) {
    phy::FrameReception reception{broadcast->header(frame), {}};
    int index = 0;
    for (auto& payload : broadcast->payloads(frame)) {
      reception.blocks.push_back({index++, std::move(payload)});
    }
    phy::ScreenReception screen;
    screen.frames.push_back(std::move(reception));
    phy::CaptureReception capture;
    capture.screens.push_back(std::move(screen));
    put_reception(writer, capture);
  }
}

/// Symbols that outlive a receiver, as transfer keeps them.
class Kept {
 public:
  FileReceiver::Memory memory() {
    return {[this](const FileObjectId& id, const FileReceiver::SymbolSink& sink) {
              for (const auto& [key, bytes] : symbols_) {
                if (key.first == id.epoch) {
                  sink(key.second, bytes);
                }
              }
            },
            [this](const FileObjectId& id, SymbolId symbol, std::span<const std::byte> bytes) {
              require(bytes.size() == phy::kBlockPayloadBytes);
              require(symbol.generation < code_of(id).n_generations);
              symbols_.push_back({{id.epoch, symbol}, {bytes.begin(), bytes.end()}});
            }};
  }

 private:
  std::vector<std::pair<std::pair<std::uint16_t, SymbolId>, Bytes>> symbols_;
};

void check_progress(const FileReceiver& receiver) {
  const auto best = receiver.best();
  if (best) {
    require(best->symbols_needed > 0 && best->symbols_held <= best->symbols_needed);
    static_cast<void>(receiver.prefix(link::object_of(best->id), 64));
  }
}

}  // namespace

void check(std::span<const std::byte> input) {
  constexpr int kMostCaptures = 60;
  Choices choices(input);
  Kept kept;
  FileReceiver receiver(kept.memory());
  for (int i = 0; i < kMostCaptures && choices.any_left(); ++i) {
    auto capture = read_reception(choices, {});
    for (auto& screen : capture.screens) {
      for (auto& frame : screen.frames) {
        // Where blocks lie on a large panel takes longer to tell than all the rest.
        frame.header.panel.width_px = std::min(frame.header.panel.width_px, kMostSide);
        frame.header.panel.height_px = std::min(frame.header.panel.height_px, kMostSide);
        if (const auto object = receiver.take(frame)) {
          require(object->bytes.size() == object->id.object_bytes);
        }
        check_progress(receiver);
      }
    }
  }
}

std::vector<Bytes> seeds() {
  ByteWriter small;
  put_broadcast(small, sample_object(400), 0x1234, 0);
  ByteWriter mixed;
  put_broadcast(mixed, sample_object(1700), 0x4321, 3);
  put_broadcast(mixed, sample_object(171), 0x0001, 1);
  return {small.take(), mixed.take()};
}

}  // namespace wccl::fuzz
