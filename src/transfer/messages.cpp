#include "transfer/messages.h"

#include <algorithm>
#include <optional>

#include "base/bytes.h"

namespace wccl::transfer {
namespace {

constexpr std::uint8_t kVersion = 1;

enum class Kind : std::uint8_t { kHello, kOffer, kReport, kContent };

void put_head(ByteWriter& writer, Kind kind) {
  writer.put(kVersion);
  writer.put(static_cast<std::uint8_t>(kind));
}

struct Encoder {
  ByteWriter& writer;

  void operator()(const Hello& hello) const {
    put_head(writer, Kind::kHello);
    writer.put(static_cast<std::uint8_t>(hello.role));
    writer.put(hello.incarnation);
    writer.put(hello.repeats);
  }
  void operator()(const Offer& offer) const {
    put_head(writer, Kind::kOffer);
    writer.put_bytes(offer.manifest);
  }
  void operator()(const Report& report) const {
    put_head(writer, Kind::kReport);
    writer.put_bytes(report.transfer);
    writer.put(report.incarnation);
    writer.put(report.count);
    writer.put(report.losses);
    writer.put(static_cast<std::uint8_t>(report.complete));
    writer.put(report.bytes_had);
    writer.put(report.bytes_came);
    writer.put(report.described);
    for (const PieceRange& range : report.held.ranges()) {
      writer.put(range.begin);
      writer.put(range.end);
    }
  }
};

std::optional<TransferId> read_id(ByteReader& reader) {
  TransferId id{};
  const auto bytes = reader.get_bytes(id.size());
  if (!bytes) {
    return std::nullopt;
  }
  std::ranges::copy(*bytes, id.begin());
  return id;
}

std::optional<Control> read_hello(ByteReader& reader) {
  const auto role = reader.get<std::uint8_t>();
  const auto incarnation = reader.get<std::uint64_t>();
  const auto repeats = reader.get<std::uint8_t>();
  if (!role || !incarnation || !repeats || *role > static_cast<std::uint8_t>(Role::kReceiver) ||
      !reader.rest().empty()) {
    return std::nullopt;
  }
  return Hello{static_cast<Role>(*role), *incarnation, *repeats};
}

/// Runs that grow and neither touch nor overlap.
bool read_runs(ByteReader& reader, Report& report) {
  std::optional<std::uint32_t> end_before;
  for (std::size_t n = 0; !reader.rest().empty(); ++n) {
    const auto begin = reader.get<std::uint32_t>();
    const auto end = reader.get<std::uint32_t>();
    if (n == kMostReportedRuns || !end || *begin >= *end || *end > report.described ||
        (end_before && *begin <= *end_before)) {
      return false;
    }
    report.held.add({*begin, *end});
    end_before = *end;
  }
  return true;
}

std::optional<Control> read_report(ByteReader& reader) {
  const auto id = read_id(reader);
  const auto incarnation = reader.get<std::uint64_t>();
  const auto count = reader.get<std::uint32_t>();
  const auto losses = reader.get<std::uint32_t>();
  const auto complete = reader.get<std::uint8_t>();
  const auto bytes_had = reader.get<std::uint64_t>();
  const auto bytes_came = reader.get<std::uint64_t>();
  const auto described = reader.get<std::uint32_t>();
  const bool whole =
      id && incarnation && count && losses && complete && bytes_had && bytes_came && described;
  if (!whole || *complete > 1) {
    return std::nullopt;
  }
  Report report{*id,        *incarnation, *count, *losses,   *complete != 0,
                *bytes_had, *bytes_came,  {},     *described};
  if (!read_runs(reader, report)) {
    return std::nullopt;
  }
  return report;
}

std::optional<Control> read_body(Kind kind, ByteReader& reader) {
  switch (kind) {
    case Kind::kHello:
      return read_hello(reader);
    case Kind::kOffer:
      return Offer{Bytes(reader.rest().begin(), reader.rest().end())};
    case Kind::kReport:
      return read_report(reader);
    case Kind::kContent:
      break;
  }
  return std::nullopt;
}

Result<Kind> read_head(ByteReader& reader) {
  const auto version = reader.get<std::uint8_t>();
  const auto kind = reader.get<std::uint8_t>();
  if (version && *version != kVersion) {
    return fail(ErrorCode::kUnsupported, "has another version of wccl: use the same on both");
  }
  if (!kind || *kind > static_cast<std::uint8_t>(Kind::kContent)) {
    return fail(ErrorCode::kCorrupt, "sent a message that cannot be read");
  }
  return static_cast<Kind>(*kind);
}

}  // namespace

Bytes encode_control(const Control& message) {
  ByteWriter writer;
  std::visit(Encoder{writer}, message);
  return writer.take();
}

Bytes encode_content(const Content& message) {
  ByteWriter writer;
  put_head(writer, Kind::kContent);
  writer.put_bytes(message.transfer);
  writer.put(message.first_piece);
  writer.put_bytes(message.bytes);
  return writer.take();
}

Result<Control> parse_control(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const auto kind = read_head(reader);
  if (!kind) {
    return tl::make_unexpected(kind.error());
  }
  auto message = read_body(*kind, reader);
  if (!message) {
    return fail(ErrorCode::kCorrupt, "sent a message that cannot be read");
  }
  return *std::move(message);
}

Result<Content> parse_content(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  const auto kind = read_head(reader);
  if (!kind) {
    return tl::make_unexpected(kind.error());
  }
  const auto id = read_id(reader);
  const auto first = reader.get<std::uint32_t>();
  if (*kind != Kind::kContent || !id || !first) {
    return fail(ErrorCode::kCorrupt, "sent content that cannot be read");
  }
  return Content{*id, *first, reader.rest()};
}

void describe_held(Report& report, const PieceSet& have, std::uint32_t n_pieces) {
  report.held.clear();
  report.described = n_pieces;
  const auto runs = have.ranges();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i == kMostReportedRuns) {
      report.described = runs[i].begin;
      return;
    }
    report.held.add(runs[i]);
  }
}

}  // namespace wccl::transfer
