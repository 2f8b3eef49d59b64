#include "link/file_stream.h"

#include <cstddef>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/rng.h"
#include "link/file_receiver.h"
#include "link/file_sender.h"

namespace wccl::link {
namespace {

constexpr phy::PanelSize kPanel{640, 400};
constexpr phy::ModeId kMode = 8;

std::vector<std::byte> random_object(std::size_t n_bytes, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::byte> object(n_bytes);
  for (auto& byte : object) {
    byte = static_cast<std::byte>(rng.below(256));
  }
  return object;
}

FileSender make_sender(const std::vector<std::byte>& object, std::uint16_t epoch) {
  const FileStreamId id{kPanel, kMode, epoch, static_cast<std::uint32_t>(object.size())};
  return {object, FileStreamLayout::of(id).value()};
}

/// A frame as a receiver reports it when all blocks but some decode.
phy::FrameReception receive(const FileSender& sender,
                            std::uint32_t frame,
                            Rng& rng,
                            int lost_of_10) {
  phy::FrameReception reception{sender.header(frame), {}};
  const auto payloads = sender.payloads(frame);
  for (std::size_t slot = 0; slot < payloads.size(); ++slot) {
    if (static_cast<int>(rng.below(10)) < lost_of_10) {
      continue;
    }
    reception.blocks.push_back({static_cast<int>(slot), payloads[slot]});
  }
  return reception;
}

TEST(FileStream, HeaderSaysAllThatAReceiverNeeds) {
  const FileStreamId id{kPanel, kMode, 0xabcd, 123'456};
  const auto layout = FileStreamLayout::of(id).value();
  for (const std::uint32_t frame : {0U, 1U, 65535U}) {
    const auto header = file_frame_header(id, frame);
    EXPECT_EQ(file_stream_of(header), id);
    EXPECT_EQ(layout.frame_of(header.sequence), frame);
  }
}

TEST(FileStream, FramesOfATwoWayLinkAreNone) {
  phy::FrameHeader header;
  header.panel = kPanel;
  header.feedback = 0x01ffffff;  // every bit that feedback has
  EXPECT_EQ(file_stream_of(header), std::nullopt);
}

TEST(FileStream, SizesThatCannotBeAreRefused) {
  phy::FrameHeader header;
  header.panel = kPanel;
  header.feedback = kFileStreamMark;
  EXPECT_EQ(file_stream_of(header), std::nullopt);
  header.feedback = 0xffffffffU;
  EXPECT_EQ(file_stream_of(header), std::nullopt);
  EXPECT_EQ(FileStreamLayout::of({kPanel, kMode, 1, 1U << 30U}), std::nullopt);
  EXPECT_EQ(FileStreamLayout::of({{10, 10}, kMode, 1, 100}), std::nullopt);
  EXPECT_EQ(FileStreamLayout::of({kPanel, 255, 1, 100}), std::nullopt);
}

TEST(FileStream, ASymbolFillsABlock) {
  const auto layout = FileStreamLayout::of({kPanel, kMode, 1, 20'000}).value();
  EXPECT_EQ(layout.symbols_per_frame(), phy::block_slots(kPanel, kMode).size());
  EXPECT_EQ(layout.code().symbol_bytes, phy::kBlockPayloadBytes);
}

TEST(FileTransfer, SurvivesLostBlocksAndFramesInAnyOrder) {
  const auto object = random_object(20'000, 1);
  const auto sender = make_sender(object, 7);
  FileReceiver receiver;
  Rng rng(2);
  std::optional<FileReceiver::Object> whole;
  for (std::uint32_t i = 0; i < 1000 && !whole; ++i) {
    const std::uint32_t frame = (i * 37) % 65536;
    whole = receiver.take(receive(sender, frame, rng, 3));
  }
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->bytes, object);
  EXPECT_EQ(whole->id, sender.layout().id());
}

TEST(FileTransfer, TwoFilesOnAirDoNotMix) {
  const auto first = random_object(6000, 3);
  const auto second = random_object(6000, 4);
  const auto sender = make_sender(first, 7);
  const auto other = make_sender(second, 8);
  FileReceiver receiver;
  Rng rng(5);
  std::vector<FileReceiver::Object> objects;
  for (std::uint32_t frame = 0; frame < 100 && objects.size() < 2; ++frame) {
    if (auto whole = receiver.take(receive(sender, frame, rng, 2))) {
      objects.push_back(*whole);
    }
    if (auto whole = receiver.take(receive(other, frame, rng, 2))) {
      objects.push_back(*whole);
    }
  }
  ASSERT_EQ(objects.size(), 2U);
  for (const auto& object : objects) {
    EXPECT_EQ(object.bytes, object.id.epoch == 7 ? first : second);
  }
}

TEST(FileTransfer, ManyClaimsKeepLittleAndTheFullestStays) {
  const auto object = random_object(6000, 6);
  const auto sender = make_sender(object, 7);
  FileReceiver receiver;
  Rng rng(7);
  std::optional<FileReceiver::Object> whole;
  for (std::uint32_t frame = 0; frame < 100 && !whole; ++frame) {
    // A stranger whose every frame claims to be of another file of the largest size that goes.
    auto claim = receive(sender, frame, rng, 0);
    claim.header.epoch = static_cast<std::uint16_t>(1000 + frame);
    claim.header.feedback = kFileStreamMark | 50'000'000U;
    claim.blocks.resize(1);
    EXPECT_EQ(receiver.take(claim), std::nullopt);
    whole = receiver.take(receive(sender, frame, rng, 5));
  }
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->bytes, object);
}

/// What the blocks of one frame bring.
std::size_t n_blocks(phy::ModeId mode) {
  return phy::block_slots(kPanel, mode).size();
}

TEST(FileTransfer, ModesAndPanelsAddUp) {
  const auto object = random_object(20'000, 9);
  const auto small = make_sender(object, 7);
  const FileStreamId other{{800, 500}, 3, 7, static_cast<std::uint32_t>(object.size())};
  const FileSender large(object, FileStreamLayout::of(other).value());
  FileReceiver receiver;
  Rng rng(10);
  std::optional<FileReceiver::Object> whole;
  std::uint32_t frame = 0;
  for (; frame < 1000 && !whole; ++frame) {
    // Frames far apart, so that hardly a symbol comes twice.
    whole = receiver.take(receive(small, frame, rng, 0));
    whole = whole ? whole : receiver.take(receive(large, 20'000 + frame, rng, 0));
  }
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->bytes, object);
  EXPECT_LT(frame * n_blocks(kMode), small.layout().code().source_symbols());
}

TEST(FileTransfer, GoesOnFromWhatIsRemembered) {
  const auto object = random_object(20'000, 11);
  const auto sender = make_sender(object, 7);
  std::vector<std::pair<SymbolId, std::vector<std::byte>>> kept;
  const FileReceiver::Memory memory{
      [&kept](const FileObjectId& id, const FileReceiver::SymbolSink& sink) {
        EXPECT_EQ(id.epoch, 7);
        for (const auto& [symbol, bytes] : kept) {
          sink(symbol, bytes);
        }
        // A memory can be wrong.
        sink({1'000'000, 0}, std::vector<std::byte>(phy::kBlockPayloadBytes));
        sink({0, 0}, std::vector<std::byte>(3));
      },
      [&kept](const FileObjectId&, SymbolId symbol, std::span<const std::byte> bytes) {
        kept.emplace_back(symbol, std::vector<std::byte>(bytes.begin(), bytes.end()));
      }};
  Rng rng(12);
  FileReceiver first(memory);
  for (std::uint32_t frame = 0; frame < 5; ++frame) {
    ASSERT_FALSE(first.take(receive(sender, frame, rng, 0)));
  }
  const std::size_t n_kept = kept.size();
  FileReceiver second(memory);
  ASSERT_FALSE(second.take(receive(sender, 5, rng, 0)));
  EXPECT_EQ(second.best()->symbols_held, n_kept + n_blocks(kMode));
}

TEST(FileTransfer, BlocksThatCannotBeAreIgnored) {
  const auto sender = make_sender(random_object(100, 8), 7);
  FileReceiver receiver;
  phy::FrameReception reception{sender.header(0), {}};
  reception.blocks.push_back({-1, std::vector<std::byte>(phy::kBlockPayloadBytes)});
  reception.blocks.push_back({100'000, std::vector<std::byte>(phy::kBlockPayloadBytes)});
  reception.blocks.push_back({0, std::vector<std::byte>(3)});
  EXPECT_EQ(receiver.take(reception), std::nullopt);
  EXPECT_EQ(receiver.best()->symbols_held, 0U);
}

}  // namespace
}  // namespace wccl::link
