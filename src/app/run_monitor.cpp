#include "app/run_monitor.h"

#include <utility>

namespace wccl::app {

RunMonitor::RunMonitor(RunView first, int shown_rank, Display* display)
    : view_(std::move(first)), shown_rank_(shown_rank), display_(display) {}

void RunMonitor::set_phase(Phase phase, Duration now) {
  const std::lock_guard lock(mutex_);
  view_.phase = phase;
  view_.air_time_s = to_seconds(now);
  if (display_ != nullptr) {
    display_->event(view_);
  }
}

void RunMonitor::set_links(std::vector<LinkSummary> links, Duration now) {
  const std::lock_guard lock(mutex_);
  view_.links = std::move(links);
  view_.air_time_s = to_seconds(now);
  if (display_ != nullptr) {
    display_->tick(view_);
  }
}

void RunMonitor::show_rank(int rank) {
  const std::lock_guard lock(mutex_);
  shown_rank_ = rank;
}

void RunMonitor::add_progress(const train::Progress& progress) {
  const std::lock_guard lock(mutex_);
  const auto rank = static_cast<std::size_t>(progress.rank);
  if (histories_.size() <= rank) {
    histories_.resize(rank + 1);
  }
  histories_[rank].push_back(progress);
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
