#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/display.h"
#include "app/network_usage.h"
#include "base/clock.h"
#include "train/trainer.h"

namespace wccl::app {

/// Gathers what the threads of a run report, and hands it to the display. Thread-safe.
class RunMonitor {
 public:
  /// @param first       What holds for the whole run: title, target.
  /// @param shown_rank  Of which rank the syncs are shown.
  /// @param display     Borrowed; null shows nothing.
  RunMonitor(RunView first, int shown_rank, Display* display);

  void set_phase(Phase phase, Duration now);
  void set_links(std::vector<LinkSummary> links, Duration now);
  /// From now on the syncs of this rank are shown.
  void show_rank(int rank);
  /// The run goes on from here: its history counts, and its time is added to ours.
  void resume(const train::Resumption& resumption);
  /// Each rank's history is kept. Counts the network, too.
  void add_progress(const train::Progress& progress);
  void finish();
  /// The last look at the sockets: before they are closed.
  void sample_network();

  /// Time of the whole run, as a rank counts it, when this part of it has taken `now`.
  [[nodiscard]] Duration total(int rank, Duration now) const;
  /// Of the rank that is shown.
  [[nodiscard]] std::optional<train::Resumption> resumption() const;
  [[nodiscard]] std::vector<train::Progress> history(int rank) const;
  [[nodiscard]] std::optional<std::uint64_t> network_bytes() const;

 private:
  void say(const std::string& line);
  std::vector<train::Progress>& history_of(int rank);
  /// What the run had taken before it was resumed.
  [[nodiscard]] Duration before(int rank) const;

  mutable std::mutex mutex_;
  RunView view_;
  int shown_rank_;
  Display* display_;
  NetworkUsage network_;
  std::vector<std::vector<train::Progress>> histories_;
  std::map<int, train::Resumption> resumptions_;
  std::set<std::string> said_;
};

}  // namespace wccl::app
