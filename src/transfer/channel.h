#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "wccl/transport.h"

namespace wccl::transfer {

/// What a transfer needs of its rank's link.
class Channel {
 public:
  virtual ~Channel() = default;
  Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  [[nodiscard]] virtual Transport& transport() = 0;

  struct Load {
    std::size_t backlog_bytes = 0;  ///< Handed over, and not yet on the air even once.
    std::size_t frame_bytes = 0;    ///< What a frame bears as the link sends now.
    bool all_acknowledged = true;
  };
  [[nodiscard]] virtual Load load() = 0;
  /// Grows whenever the peer brings something or acknowledges something.
  [[nodiscard]] virtual std::uint64_t progress(Rank peer) = 0;
  [[nodiscard]] virtual bool is_in_view(Rank peer) = 0;
  /// A line that says why the peer has left early, if it has.
  [[nodiscard]] virtual std::optional<std::string> departure(Rank peer) = 0;
  /// Sends nothing more of what is queued for the peer.
  virtual void drop_queued(Rank peer) = 0;
};

}  // namespace wccl::transfer
