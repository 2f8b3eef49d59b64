#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "transfer/channel.h"
#include "transfer/control_inbox.h"
#include "transfer/destination.h"
#include "transfer/end_options.h"
#include "transfer/incoming_files.h"
#include "transfer/messages.h"
#include "transfer/patience.h"

namespace wccl::transfer {

/// Receives files into a folder. Twin of Sender.
///
/// It says what it has and lacks; what came before it was interrupted counts. Every file is
/// verified before it takes its place.
class Receiver {
 public:
  /// @param channel, destination  Borrowed.
  Receiver(Channel& channel, const Destination& destination, EndOptions options);

  /// Takes in what has come. @return whether step() has something to do.
  [[nodiscard]] bool ready();
  /// @return whether all is in place; this side's errors, and the sender's.
  [[nodiscard]] Result<bool> step(Instant now);
  /// When to call step() even if nothing comes.
  [[nodiscard]] Instant due() const { return due_; }

  struct Progress {
    std::uint64_t n_bytes = 0;       ///< Of all files; 0 until they are known.
    std::uint64_t bytes_had = 0;     ///< Of them, here.
    std::uint64_t bytes_before = 0;  ///< Of these, before the first content came.
    std::uint64_t bytes_came = 0;    ///< New content.
    std::optional<Instant> first_content;
    std::optional<Instant> last_content;
  };
  [[nodiscard]] Progress progress() const;
  /// Nothing before there is an offer.
  [[nodiscard]] const IncomingFiles* files() const { return files_.get(); }

 private:
  Status say_hello(Instant now);
  Status take(Rank from, const Control& message);
  Status on_offer(Rank from, const Offer& offer);
  Status take_content(Instant now);
  [[nodiscard]] Status report(Instant now);
  [[nodiscard]] Status watch_sender(Instant now);
  [[nodiscard]] bool may_send(Rank rank) const;
  /// Why nothing more comes, when whoever could send has left.
  [[nodiscard]] std::optional<std::string> departure();

  Channel& channel_;
  const Destination& destination_;
  EndOptions options_;
  std::vector<Rank> everyone_;
  std::set<Rank> other_receivers_;
  ControlInbox arrived_;
  std::vector<std::pair<Rank, Bytes>> contents_;

  std::unique_ptr<IncomingFiles> files_;
  Rank sender_ = 0;
  std::map<Rank, Patience> patience_;

  std::optional<Instant> hello_at_;
  std::uint8_t hellos_ = 0;
  bool report_is_due_ = false;
  Instant reported_at_{};
  std::uint32_t reports_ = 0;
  Instant due_{};
  Progress progress_;
};

}  // namespace wccl::transfer
