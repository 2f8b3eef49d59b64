#include "eval/stage_clock.h"

#include <algorithm>
#include <ctime>
#include <numeric>

namespace wccl::eval {
namespace {

double thread_cpu_ms() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

}  // namespace

void StageClock::charge() {
  const double now_ms = thread_cpu_ms();
  sums_ms_[stage_] += now_ms - since_ms_;
  since_ms_ = now_ms;
}

void StageClock::start() {
  stage_ = static_cast<std::size_t>(phy::Stage::kLocate);
  since_ms_ = thread_cpu_ms();
}

void StageClock::enter(phy::Stage stage) {
  charge();
  stage_ = static_cast<std::size_t>(stage);
}

void StageClock::stop() {
  charge();
}

CpuFigures StageClock::mean(int n_captures) const {
  const double n = std::max(n_captures, 1);
  return {std::accumulate(sums_ms_.begin(), sums_ms_.end(), 0.0) / n, sums_ms_[0] / n,
          sums_ms_[1] / n, sums_ms_[2] / n, sums_ms_[3] / n};
}

}  // namespace wccl::eval
