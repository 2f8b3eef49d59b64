#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "transfer/channel.h"
#include "transfer/control_inbox.h"
#include "transfer/end_options.h"
#include "transfer/messages.h"
#include "transfer/patience.h"
#include "transfer/source_files.h"

namespace wccl::transfer {

/// Sends files to all other ranks until each of them has all. Twin of Receiver.
///
/// It starts at once, and leaves out what receivers turn out to have. Everything else follows from
/// their reports, so that either side may be killed and started again (docs/transfer.md).
class Sender {
 public:
  /// @param channel, files  Borrowed.
  Sender(Channel& channel, SourceFiles& files, EndOptions options);

  /// Takes in what has come. @return whether step() has something to do.
  [[nodiscard]] bool ready();
  /// @return whether all receivers have all; their errors, and this side's.
  [[nodiscard]] Result<bool> step(Instant now);
  /// When to call step() even if nothing comes.
  [[nodiscard]] Instant due() const { return due_; }

  struct Progress {
    std::uint64_t n_bytes = 0;       ///< Of all files.
    std::uint64_t bytes_had = 0;     ///< By the receiver that has least, as it said last.
    std::uint64_t bytes_handed = 0;  ///< Content handed to the link so far, repeats included.
    std::uint64_t bytes_came = 0;    ///< By light, at the receiver that got most.
    bool started = false;            ///< A receiver has answered.
  };
  [[nodiscard]] Progress progress() const;

 private:
  struct Peer {
    explicit Peer(Duration timeout) : patience(timeout) {}
    std::optional<std::uint64_t> incarnation;
    std::uint32_t reports = 0;
    std::uint32_t losses = 0;
    std::uint64_t bytes_had = 0;
    std::uint64_t bytes_came = 0;
    std::uint64_t bytes_came_before = 0;  ///< To its programs that are no more.
    PieceSet pending;                     ///< It lacks them, and they are not on their way.
    std::uint32_t planned = 0;  ///< It has said, or it is taken for granted, what it lacks of those
                                ///< before.
    bool complete = false;
    std::optional<std::string> departure;  ///< It has left without having all.
    Patience patience;

    [[nodiscard]] bool wants_more() const { return !complete && !departure; }
  };
  /// Handed to the link; perhaps still on its way.
  struct Handed {
    PieceRange pieces;
    std::uint8_t to = 0;  ///< Bit r: rank r.
  };

  Status begin();
  Status take(Rank from, const Control& message);
  Status on_hello(Rank from, const Hello& hello);
  void on_report(Rank from, const Report& report);
  void extend_plan(Rank from, Peer& peer, const Report& report);
  Status offer_to(std::span<const Rank> to);

  Status send_content();
  [[nodiscard]] bool has_pending() const;
  [[nodiscard]] std::optional<Handed> next_run(std::uint32_t most_pieces) const;
  Status hand_over(const Handed& run);

  /// @return whether somebody has left of whom that was not known.
  bool note_departures();
  [[nodiscard]] Result<bool> judge(Instant now);

  Channel& channel_;
  SourceFiles& files_;
  EndOptions options_;
  std::vector<Rank> everyone_;
  std::map<Rank, Peer> peers_;
  ControlInbox arrived_;
  std::deque<Handed> handed_;
  bool begun_ = false;
  Instant due_{};
  std::uint64_t bytes_handed_ = 0;
};

}  // namespace wccl::transfer
