#include "app/run_monitor.h"

#include <utility>

#include <fmt/core.h>

namespace wccl::app {

RunMonitor::RunMonitor(RunView first, int shown_rank, Display* display)
    : view_(std::move(first)), shown_rank_(shown_rank), display_(display) {}

void RunMonitor::set_phase(Phase phase, Duration now) {
  const std::lock_guard lock(mutex_);
  view_.phase = phase;
  view_.air_time_s = to_seconds(before(shown_rank_) + now);
  if (display_ != nullptr) {
    display_->event(view_);
  }
}

void RunMonitor::set_links(std::vector<LinkSummary> links, Duration now) {
  const std::lock_guard lock(mutex_);
  view_.links = std::move(links);
  view_.air_time_s = to_seconds(before(shown_rank_) + now);
  if (display_ != nullptr) {
    display_->tick(view_);
  }
}

void RunMonitor::show_rank(int rank) {
  const std::lock_guard lock(mutex_);
  shown_rank_ = rank;
}

void RunMonitor::resume(const train::Resumption& resumption) {
  const std::lock_guard lock(mutex_);
  history_of(resumption.rank) = resumption.history;
  resumptions_[resumption.rank] = resumption;
  if (resumption.rank == shown_rank_) {
    say(resumption.syncs == 0 ? "nothing was kept yet: the run begins anew"
                              : fmt::format("goes on after sync {}", resumption.syncs));
  }
  for (const auto& note : resumption.notes) {
    say(note);
  }
}

void RunMonitor::add_progress(const train::Progress& progress) {
  const std::lock_guard lock(mutex_);
  history_of(progress.rank).push_back(progress);
  network_.sample();
  if (progress.rank != shown_rank_) {
    return;
  }
  view_.progress = progress;
  view_.air_time_s = to_seconds(progress.elapsed);
  if (display_ != nullptr) {
    display_->event(view_);
  }
}

void RunMonitor::finish() {
  const std::lock_guard lock(mutex_);
  view_.phase = Phase::kDone;
  if (display_ != nullptr) {
    display_->finish(view_);
  }
}

void RunMonitor::sample_network() {
  const std::lock_guard lock(mutex_);
  network_.sample();
}

Duration RunMonitor::total(int rank, Duration now) const {
  const std::lock_guard lock(mutex_);
  return before(rank) + now;
}

std::optional<train::Resumption> RunMonitor::resumption() const {
  const std::lock_guard lock(mutex_);
  const auto found = resumptions_.find(shown_rank_);
  return found == resumptions_.end() ? std::nullopt : std::optional(found->second);
}

Duration RunMonitor::before(int rank) const {
  const auto found = resumptions_.find(rank);
  return found == resumptions_.end() ? Duration::zero() : found->second.elapsed;
}

void RunMonitor::say(const std::string& line) {
  // Ranks of one process know the same things.
  if (said_.insert(line).second && display_ != nullptr) {
    display_->say(line);
  }
}

std::vector<train::Progress>& RunMonitor::history_of(int rank) {
  const auto index = static_cast<std::size_t>(rank);
  if (histories_.size() <= index) {
    histories_.resize(index + 1);
  }
  return histories_[index];
}

std::vector<train::Progress> RunMonitor::history(int rank) const {
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<std::size_t>(rank);
  return index < histories_.size() ? histories_[index] : std::vector<train::Progress>();
}

std::optional<std::uint64_t> RunMonitor::network_bytes() const {
  const std::lock_guard lock(mutex_);
  return network_.bytes();
}

}  // namespace wccl::app
