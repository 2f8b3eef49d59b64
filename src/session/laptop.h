#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/image.h"
#include "base/occupant.h"
#include "link/node.h"
#include "link/rendezvous.h"
#include "phy/receiver.h"

namespace wccl::session {

/// What a laptop's camera saw last, and what the receiver made of it.
struct Sighting {
  Capture capture;  ///< Without an owner before the first one.
  phy::CaptureReception reception;
};

/// Who looks on as a laptop reads its captures.
struct LaptopWatch {
  std::function<void(const Sighting&)> on_decoded;  ///< Worker thread; each before it is taken in.
  std::function<void(Instant)> on_arrival;          ///< Event loop; after each was taken in.
};

/// A laptop, in the room or on a desk: its screen shows what its link::Node says, and what its
/// camera sees goes through its phy::Receiver into that node.
class Laptop final : public Occupant {
 public:
  Laptop(link::NodeOptions options, LaptopWatch watch);
  /// One that has no rank yet: its screen shows that it looks for the others.
  Laptop(link::Rendezvous::Options options, LaptopWatch watch);
  /// Event loop: the laptop has its rank, and is a node from now on.
  void start(link::NodeOptions options);
  /// Event loop: it has none any more, and looks for others. Nobody may hold its node.
  void look_again(link::Rendezvous::Options options);

  Painting next_frame(Instant now) override;
  std::function<void(Instant)> decode(const Capture& capture) override;

  /// Once it is one.
  [[nodiscard]] link::Node& node() { return *node_; }
  /// Before; null afterwards.
  [[nodiscard]] const link::Rendezvous* rendezvous() const { return rendezvous_.get(); }

  // From any thread, as of the last capture that arrived:
  [[nodiscard]] std::vector<link::LinkStats> stats() const;
  [[nodiscard]] Sighting last_sighting() const;
  /// Frames of a one-way sender have come, which takes no part in any of this.
  [[nodiscard]] bool has_seen_one_way() const;

 private:
  void arrive(Sighting sighting, Instant now);

  std::unique_ptr<link::Rendezvous> rendezvous_;  ///< This,
  std::unique_ptr<link::Node> node_;              ///< or that.
  phy::Receiver receiver_;  ///< Lives on the worker threads; nothing else touches it.
  LaptopWatch watch_;

  mutable std::mutex mutex_;  ///< Guards what other threads may ask for.
  std::vector<link::LinkStats> stats_;
  Sighting last_sighting_;
  bool has_seen_one_way_ = false;
};

}  // namespace wccl::session
