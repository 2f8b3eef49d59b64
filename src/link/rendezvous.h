#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wccl/result.h"
#include "wccl/transport.h"

#include "base/clock.h"
#include "base/occupant.h"
#include "link/foreign_versions.h"
#include "link/rendezvous_word.h"
#include "phy/receiver.h"
#include "phy/transmitter.h"

namespace wccl::link {

/// How laptops that were given no ranks agree on them, before there is a Node.
///
/// Each shows its identity and a digest of the identities that it sees. Those whose sets are the
/// same and as large as the world rank themselves: who wants to be first, then by identity. A
/// laptop that has agreed goes on as a Node with its rank and its identity as epoch; those still
/// here take that as said. Ranks that Nodes show are kept, so a laptop that starts anew gets the
/// one that is left.
class Rendezvous {
 public:
  struct Options {
    std::uint16_t identity = 0;  ///< Drawn at random.
    int world_size = 0;          ///< 0: as the others say.
    bool first = false;          ///< Wants rank 0.
    phy::PanelSize panel;
  };
  explicit Rendezvous(Options options);

  void on_reception(const phy::CaptureReception& reception, Instant now);
  /// Called at every refresh of the panel. @return what to show from now on; it needs this object
  /// no more.
  [[nodiscard]] Painting next_frame(Instant now);
  /// The header of that picture, which is all that is in it; call one of the two.
  [[nodiscard]] std::optional<phy::FrameHeader> next_header(Instant now);

  struct Agreement {
    Rank rank = 0;
    std::vector<std::uint16_t> identities;  ///< By rank, the own one included.
  };
  /// @return nothing as long as somebody is missing; kInvalidArgument when laptops have
  /// contradicted one another for some seconds. An agreement is final.
  [[nodiscard]] Result<std::optional<Agreement>> agreement() const;
  /// The identities of the laptops in sight, the own one left out.
  [[nodiscard]] std::vector<std::uint16_t> seen() const;

 private:
  /// What another laptop's latest header said.
  struct Sighting {
    int captures = 0;
    Instant last;
    RendezvousWord word;       ///< Of one that has no rank yet.
    std::optional<Rank> rank;  ///< Of a Node.
    int world_size = 0;        ///< Either's; 0: not said.
    [[nodiscard]] bool is_sure() const;
  };
  struct Shown {
    std::uint16_t sequence = 0;
    std::uint16_t transmit_time_ms = 0;
  };

  void note(const phy::FrameHeader& header, Instant now);
  void judge(Instant now);
  [[nodiscard]] bool is_ours(const phy::FrameHeader& header) const;
  [[nodiscard]] RendezvousWord word() const;
  [[nodiscard]] int world_size() const;
  [[nodiscard]] bool all_agree() const;
  [[nodiscard]] std::optional<Agreement> rank_all() const;
  [[nodiscard]] std::string contradiction() const;
  [[nodiscard]] std::string size_contradiction() const;
  [[nodiscard]] std::string rank_contradiction() const;
  [[nodiscard]] std::string crowd() const;

  Options options_;
  std::shared_ptr<const phy::Transmitter> transmitter_;
  std::map<std::uint16_t, Sighting> sightings_;  ///< By identity.
  ForeignVersions foreign_versions_;
  std::optional<Instant> double_seen_;  ///< Another laptop with our identity.
  std::optional<Agreement> agreement_;
  RendezvousWord found_word_;  ///< What is in sight,
  Instant found_since_{};      ///< and since when.
  std::string contradiction_;
  Instant contradiction_since_{};
  bool is_contradiction_sure_ = false;

  std::deque<Shown> shown_;  ///< Our latest frames: a mirror shows one of them.
  std::uint16_t sequence_ = 0;
  std::optional<RendezvousWord> shown_word_;
  Instant shown_at_{};
};

}  // namespace wccl::link
