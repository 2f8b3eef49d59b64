#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "wccl/result.h"
#include "wccl/transport.h"

#include "transfer/manifest.h"

namespace wccl::transfer {

// All messages say of what they speak, so that those of a program that has been started anew, or
// of its predecessor, do no harm (docs/transfer.md). Two tags, so that content waits until it can
// be taken.
inline constexpr Tag kControlTag = 0x7766'0000;
inline constexpr Tag kContentTag = 0x7766'0001;

enum class Role : std::uint8_t { kSender = 0, kReceiver = 1 };

/// The first word of every program: who is there.
struct Hello {
  Role role = Role::kSender;
  std::uint64_t incarnation = 0;  ///< Random; another one after a restart.
  std::uint8_t repeats = 0;       ///< Times that it has been said before without an answer.
};

/// The sender has this.
struct Offer {
  Bytes manifest;  ///< As claimed.
};

/// What a receiver has. The latest one counts.
struct Report {
  TransferId transfer{};
  std::uint64_t incarnation = 0;  ///< Of the receiver.
  std::uint32_t count = 0;        ///< Of its reports.
  /// Grows when it had to throw away what it had reported.
  std::uint32_t losses = 0;
  bool complete = false;         ///< All is verified and in place.
  std::uint64_t bytes_had = 0;   ///< Content, of all files.
  std::uint64_t bytes_came = 0;  ///< Of it, by light.
  PieceSet held;                 ///< Below `described`.
  std::uint32_t described = 0;   ///< Nothing is said of pieces from here on.
};

using Control = std::variant<Hello, Offer, Report>;

/// Pieces of files.
struct Content {
  TransferId transfer{};
  std::uint32_t first_piece = 0;
  std::span<const std::byte> bytes;  ///< Borrowed.
};

[[nodiscard]] Bytes encode_control(const Control& message);
[[nodiscard]] Bytes encode_content(const Content& message);

/// @param bytes  May be hostile. @return kCorrupt; kUnsupported when the peer has another version.
[[nodiscard]] Result<Control> parse_control(std::span<const std::byte> bytes);
[[nodiscard]] Result<Content> parse_content(std::span<const std::byte> bytes);

/// Runs that a Report lists at most.
inline constexpr std::size_t kMostReportedRuns = 256;
/// Fills in `held` and `described`: the first runs of `have`, of pieces up to `n_pieces`.
void describe_held(Report& report, const PieceSet& have, std::uint32_t n_pieces);

}  // namespace wccl::transfer
