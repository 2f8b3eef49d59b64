// transfer::OneWayReceiver: frames of files by one-way light into a folder, from screens that show
// what they like.
#include "transfer/one_way_receiver.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "fuzz/choices.h"
#include "fuzz/receptions.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"
#include "link/file_broadcast.h"
#include "transfer/file_object.h"
#include "transfer/hash.h"
#include "transfer/one_way_object.h"

namespace wccl::fuzz {
namespace {

namespace fs = std::filesystem;
using namespace transfer;

constexpr phy::PanelSize kPanel{480, 300};
constexpr int kMostSide = 700;
constexpr std::string_view kSecret = "outside the folder";

enum Action : std::uint8_t { kCapture, kObject, kRestart, kActions };

/// An object whose hash holds, of a manifest that is as the input has it.
Bytes hostile_object(Choices& choices) {
  const auto manifest = choices.bytes(choices.byte());
  const Bytes content(choices.number<std::uint16_t>() % 3000);
  ByteWriter body;
  body.put(static_cast<std::uint8_t>(1 + choices.below(3)));
  body.put(static_cast<std::uint32_t>(manifest.size()));
  body.put_bytes(manifest);
  const Bytes head = body.take();
  ByteWriter writer;
  writer.put_bytes(sha256(head));
  writer.put_bytes(head);
  writer.put_bytes(content);
  return writer.take();
}

/// All frames of an object, one a capture.
std::vector<phy::CaptureReception> captures_of(const Bytes& object) {
  const std::array turns{link::FileBroadcast::Turn{30, 1}};
  const auto broadcast = link::FileBroadcast::of(object, epoch_of(object), kPanel, turns);
  std::vector<phy::CaptureReception> captures;
  for (std::uint64_t frame = 0; frame <= broadcast->frames_needed(); ++frame) {
    phy::ScreenReception screen;
    screen.frames.push_back({broadcast->header(frame), {}});
    int index = 0;
    for (auto& payload : broadcast->payloads(frame)) {
      screen.frames.back().blocks.push_back({index++, std::move(payload)});
    }
    phy::CaptureReception capture;
    capture.screens.push_back(std::move(screen));
    captures.push_back(std::move(capture));
  }
  return captures;
}

class Laptop {
 public:
  explicit Laptop(const Destination& destination) : destination_(destination) { restart(); }

  /// @return whether it is over.
  bool take(phy::CaptureReception capture) {
    for (auto& screen : capture.screens) {
      for (auto& frame : screen.frames) {
        // Where blocks lie on a large panel takes longer to tell than all the rest.
        frame.header.panel.width_px = std::min(frame.header.panel.width_px, kMostSide);
        frame.header.panel.height_px = std::min(frame.header.panel.height_px, kMostSide);
      }
    }
    now_ += std::chrono::milliseconds(33);
    const auto done = receiver_->take(capture, now_);
    const auto progress = receiver_->progress();
    require(progress.bytes_had <= progress.n_bytes);
    if (done && *done) {
      require(receiver_->bytes_came() <= receiver_->manifest().n_bytes());
    }
    require(done.has_value() || !done.error().message.empty());
    return !done || *done;
  }
  void restart() {
    receiver_.reset();
    receiver_ = std::make_unique<OneWayReceiver>(destination_);
  }

 private:
  const Destination& destination_;
  std::unique_ptr<OneWayReceiver> receiver_;
  Instant now_{std::chrono::seconds(1)};
};

void run(Laptop& laptop, Choices& choices) {
  constexpr int kMostActions = 40;
  for (int i = 0; i < kMostActions && choices.any_left(); ++i) {
    switch (choices.below(kActions)) {
      case kCapture:
        if (laptop.take(read_reception(choices, {}))) {
          laptop.restart();
        }
        break;
      case kObject:
        for (auto& capture : captures_of(hostile_object(choices))) {
          if (laptop.take(std::move(capture))) {
            laptop.restart();
            break;
          }
        }
        break;
      default:
        laptop.restart();
        break;
    }
  }
}

void put_manifest(ByteWriter& writer, const std::vector<Entry>& entries, std::uint16_t n_content) {
  const Bytes manifest = Manifest::of(entries)->bytes();
  put_decisions(writer, {kObject, static_cast<int>(manifest.size())});
  writer.put_bytes(manifest);
  writer.put(n_content);
  writer.put(std::uint8_t{1});
}

Entry zeros(std::string path, std::size_t n_bytes) {
  return {EntryKind::kFile, std::move(path), n_bytes, sha256(Bytes(n_bytes))};
}

}  // namespace

void check(std::span<const std::byte> input) {
  const fs::path root = empty_scratch();
  fs::create_directories(root / "in");
  put_file(root / "secret", std::as_bytes(std::span(kSecret)));
  fs::create_symlink("../secret", root / "in" / "link");
  {
    const auto destination = Destination::open(root / "in", true);
    require(destination.has_value());
    Choices choices(input);
    Laptop laptop(*destination);
    run(laptop, choices);
  }
  require(get_file(root / "secret") == kSecret);
  for (const auto& entry : fs::directory_iterator(root)) {
    require(entry.path().filename() == "in" || entry.path().filename() == "secret");
  }
}

std::vector<Bytes> seeds() {
  ByteWriter whole;
  put_manifest(whole, {zeros("a", 500), zeros("b/c", 0), {EntryKind::kFolder, "d"}}, 500);
  put_manifest(whole, {zeros("link", 3)}, 3);
  ByteWriter parts;
  const auto captures = captures_of(make_file_object("name", Bytes(1500)));
  for (std::size_t i = 0; i < captures.size(); ++i) {
    parts.put(static_cast<std::uint8_t>(kCapture));
    put_reception(parts, captures[i]);
    if (i == 0) {
      parts.put(static_cast<std::uint8_t>(kRestart));
    }
  }
  return {whole.take(), parts.take()};
}

}  // namespace wccl::fuzz
