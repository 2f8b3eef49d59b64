#include "transfer/manifest.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"

namespace wccl::transfer {
namespace {

using ::testing::HasSubstr;

Entry file(std::string path, std::uint64_t n_bytes) {
  return {EntryKind::kFile, std::move(path), n_bytes, sha256(std::as_bytes(std::span("x")))};
}

/// What a hostile sender would offer: nothing has been checked.
Bytes manifest_of(const std::vector<Entry>& entries) {
  ByteWriter writer;
  writer.put(std::uint8_t{1});
  writer.put(static_cast<std::uint32_t>(entries.size()));
  for (const Entry& entry : entries) {
    writer.put(static_cast<std::uint8_t>(entry.kind));
    writer.put(static_cast<std::uint16_t>(entry.path.size()));
    writer.put_bytes(std::as_bytes(std::span(entry.path)));
    if (entry.kind != EntryKind::kFolder) {
      writer.put(entry.n_bytes);
      writer.put_bytes(entry.sha256);
    }
  }
  return writer.take();
}

TEST(Manifest, TellsWhatThereIs) {
  const std::vector<Entry> entries{file("a", 10),
                                   {EntryKind::kFolder, "photos/empty"},
                                   {EntryKind::kProgram, "photos/größe 大.sh", 5000, {}},
                                   file("photos/z", 0)};
  const auto made = Manifest::of(entries);
  ASSERT_TRUE(made) << made.error().message;
  const auto read = Manifest::parse(made->bytes());
  ASSERT_TRUE(read);
  ASSERT_EQ(read->entries().size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(read->entries()[i].kind, entries[i].kind);
    EXPECT_EQ(read->entries()[i].path, entries[i].path);
    EXPECT_EQ(read->entries()[i].local_path, entries[i].path);
    EXPECT_EQ(read->entries()[i].n_bytes, entries[i].n_bytes);
    EXPECT_EQ(read->entries()[i].sha256, entries[i].sha256);
  }
  EXPECT_EQ(read->id(), made->id());
  EXPECT_EQ(read->n_bytes(), 5010U);
  EXPECT_EQ(read->n_files(), 3U);
}

TEST(Manifest, AnotherContentIsAnotherTransfer) {
  EXPECT_NE(Manifest::of({file("a", 1)})->id(), Manifest::of({file("a", 2)})->id());
  EXPECT_EQ(Manifest::of({file("a", 1)})->id(), Manifest::of({file("a", 1)})->id());
}

TEST(Manifest, RefusesPathsThatLeaveTheFolder) {
  for (const std::string path : {"..", "../a", "a/../../b", "/etc/passwd", "a//b", "a/", "/", "",
                                 ".", "./a", ".wccl-partial/x", ".WCCL-Partial", "a/."}) {
    EXPECT_FALSE(Manifest::parse(manifest_of({file(path, 1)}))) << path;
  }
}

TEST(Manifest, RefusesWhatALaterTransferWouldTakeForItsOwn) {
  for (const std::string path : {"a/.wccl-partial/0123/0", "a/b/.Wccl-PARTIAL", ".wccl-partial"}) {
    EXPECT_FALSE(Manifest::parse(manifest_of({file(path, 1)}))) << path;
  }
}

TEST(Manifest, MakesNamesSafe) {
  const auto manifest = Manifest::parse(
      manifest_of({file("aux/con.txt", 1), file("a\x1b[2J\xff", 1), file("d/..\\..\\evil", 1)}));
  ASSERT_TRUE(manifest);
  EXPECT_EQ(manifest->entries()[0].local_path, "_aux/_con.txt");
  EXPECT_EQ(manifest->entries()[1].local_path, "a_[2J_");
  EXPECT_EQ(manifest->entries()[2].local_path, "d/.._.._evil");
  EXPECT_EQ(describe_renamed(*manifest), "3 names were changed: aux/con.txt -> _aux/_con.txt, ...");
}

TEST(Manifest, RefusesEntriesInEachOthersWay) {
  EXPECT_FALSE(Manifest::parse(manifest_of({file("a", 1), file("a", 2)})));
  EXPECT_FALSE(Manifest::parse(manifest_of({file("a", 1), file("a/b", 2)})));
  EXPECT_FALSE(Manifest::parse(manifest_of({file("a/b", 1), file("a", 2)})));
  EXPECT_FALSE(Manifest::parse(manifest_of({file("x\ny", 1), file("x_y", 2)})));
  EXPECT_TRUE(Manifest::parse(manifest_of({file("a/b", 1), file("a/c", 2), file("ab", 1)})));
}

TEST(Manifest, NamesWhatCannotBeTaken) {
  const auto message = [](const std::vector<Entry>& entries) {
    return Manifest::parse(manifest_of(entries)).error().message;
  };
  EXPECT_EQ(message({file("y", 1), file("x\ny", 1), file("x_y", 2)}),
            "x\\x0ay and x_y would both be x_y where they arrive: rename one");
  EXPECT_EQ(message({file("a/b", 1), file("a", 2)}),
            "a/b and a would both be a where they arrive: rename one");
  EXPECT_EQ(message({file("d/../x", 1)}), "d/../x cannot be sent: its path is not below a folder");
  EXPECT_THAT(message({file(std::string(5000, 'x'), 1)}), HasSubstr("longer than 4096 bytes"));
  std::string deep = "a";
  for (int i = 0; i < 64; ++i) {
    deep += "/a";
  }
  EXPECT_THAT(message({file(deep, 1)}), HasSubstr("more than 64 folders deep"));
}

TEST(Manifest, TellsOfNamesThatAreNotAsSent) {
  EXPECT_EQ(describe_renamed(*Manifest::parse(manifest_of({file("a", 1)}))), "");
  EXPECT_EQ(describe_renamed(*Manifest::parse(manifest_of({file("b\\s\x1b", 1), file("a", 1)}))),
            "1 name was changed: b\\s\\x1b -> b_s_");
}

TEST(Manifest, RefusesWhatIsCutOffOrTooLong) {
  const Bytes whole = manifest_of({file("a", 1), {EntryKind::kFolder, "b"}});
  ASSERT_TRUE(Manifest::parse(whole));
  for (std::size_t n = 0; n < whole.size(); ++n) {
    EXPECT_FALSE(Manifest::parse(std::span(whole).first(n))) << n;
  }
  Bytes longer = whole;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(Manifest::parse(longer));
}

TEST(Manifest, RefusesCountsAndSizesThatCannotBe) {
  ByteWriter writer;
  writer.put(std::uint8_t{1});
  writer.put(std::uint32_t{0xFFFFFFFF});
  EXPECT_FALSE(Manifest::parse(writer.take()));
  EXPECT_FALSE(Manifest::parse(manifest_of({file("a", ~std::uint64_t{0})})));
  EXPECT_FALSE(Manifest::parse(
      manifest_of({file("a", std::uint64_t{1} << 43U), file("b", std::uint64_t{1} << 43U)})));
  std::string deep = "a";
  for (int i = 0; i < 100; ++i) {
    deep += "/a";
  }
  EXPECT_FALSE(Manifest::parse(manifest_of({file(deep, 1)})));
}

TEST(Manifest, SaysThatAnotherVersionIsOne) {
  Bytes other = manifest_of({file("a", 1)});
  other[0] = std::byte{9};
  const auto manifest = Manifest::parse(other);
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error().code, ErrorCode::kUnsupported);
}

TEST(Manifest, CutsFilesIntoPieces) {
  const auto manifest =
      *Manifest::of({file("a", 2 * kPieceBytes + 1), file("b", 0), file("c", kPieceBytes)});
  EXPECT_EQ(manifest.n_pieces(), 4U);
  EXPECT_EQ(manifest.pieces_of(0), (PieceRange{0, 3}));
  EXPECT_EQ(manifest.pieces_of(1), (PieceRange{3, 3}));
  EXPECT_EQ(manifest.pieces_of(2), (PieceRange{3, 4}));
  EXPECT_EQ(manifest.entry_of(3), 2U);
  EXPECT_EQ(manifest.bytes_in(PieceRange{1, 4}), 2 * kPieceBytes + 1);
  const auto segments = manifest.segments({2, 4});
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(segments[0].entry, 0U);
  EXPECT_EQ(segments[0].offset, 2 * kPieceBytes);
  EXPECT_EQ(segments[0].n_bytes, 1U);
  EXPECT_EQ(segments[1].entry, 2U);
  EXPECT_EQ(segments[1].n_bytes, kPieceBytes);
}

TEST(Manifest, KnowsTheRunThatContentFills) {
  const auto manifest = *Manifest::of({file("a", kPieceBytes + 1), file("b", 2)});
  EXPECT_EQ(manifest.run_of(0, kPieceBytes), (PieceRange{0, 1}));
  EXPECT_EQ(manifest.run_of(0, kPieceBytes + 1), (PieceRange{0, 2}));
  EXPECT_EQ(manifest.run_of(0, kPieceBytes + 3), (PieceRange{0, 3}));
  EXPECT_EQ(manifest.run_of(1, 3), (PieceRange{1, 3}));
  EXPECT_EQ(manifest.run_of(2, 2), (PieceRange{2, 3}));
  EXPECT_FALSE(manifest.run_of(0, 0));
  EXPECT_FALSE(manifest.run_of(0, 5));
  EXPECT_FALSE(manifest.run_of(0, kPieceBytes + 4));
  EXPECT_FALSE(manifest.run_of(3, 1));
  EXPECT_FALSE(manifest.run_of(0xFFFFFFFF, 1));
}

TEST(Manifest, IsDescribedInFewWords) {
  EXPECT_EQ(describe(*Manifest::of({file("a.txt", 999)})), "a.txt (999 bytes)");
  EXPECT_EQ(describe(*Manifest::of({file("a", 1'000'000), file("b", 234'567)})),
            "2 files (1.23 MB)");
  EXPECT_EQ(bytes_text(999'999), "1.00 MB");
  EXPECT_EQ(bytes_text(12'345), "12.3 kB");
  EXPECT_EQ(bytes_text(123'456'789'000), "123 GB");
}

}  // namespace
}  // namespace wccl::transfer
