#include "eval/runner.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "eval/room_measurement.h"

namespace wccl::eval {
namespace {

/// Points in, figures out, over threads.
class Workshop {
 public:
  Workshop(const std::vector<Point>& points, const RunOptions& options)
      : points_(points), options_(options), done_(points.size()) {}

  Status run();

 private:
  void work();
  [[nodiscard]] bool is_cancelled();
  [[nodiscard]] Result<Figures> measure(const Point& point);

  const std::vector<Point>& points_;
  const RunOptions& options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0;
  bool stop_ = false;
  std::vector<std::optional<Result<Figures>>> done_;
};

bool Workshop::is_cancelled() {
  {
    const std::lock_guard lock(mutex_);
    if (stop_) {
      return true;
    }
  }
  return options_.is_cancelled && options_.is_cancelled();
}

Result<Figures> Workshop::measure(const Point& point) {
  try {
    return measure_in_room(point, [this] { return is_cancelled(); });
  } catch (const std::exception& error) {
    return fail(ErrorCode::kUnsupported, key_of(point) + ": " + error.what());
  }
}

void Workshop::work() {
  while (true) {
    std::size_t mine = 0;
    {
      const std::lock_guard lock(mutex_);
      if (stop_ || next_ == points_.size()) {
        return;
      }
      mine = next_++;
    }
    auto figures = measure(points_[mine]);
    const std::lock_guard lock(mutex_);
    done_[mine] = std::move(figures);
    changed_.notify_all();
  }
}

Status Workshop::run() {
  std::vector<std::jthread> threads;
  const auto n = std::min(static_cast<std::size_t>(std::max(options_.jobs, 1)), points_.size());
  for (std::size_t i = 0; i < n; ++i) {
    threads.emplace_back([this] { work(); });
  }
  Status status;
  for (std::size_t i = 0; i < points_.size() && status; ++i) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return done_[i].has_value(); });
    Result<Figures> figures = std::move(*done_[i]);
    lock.unlock();
    status = figures ? (options_.on_result ? options_.on_result({points_[i], std::move(*figures)})
                                           : Status())
                     : Status(tl::make_unexpected(figures.error()));
  }
  const std::lock_guard lock(mutex_);
  stop_ = true;
  return status;
}

}  // namespace

Status measure_all(const std::vector<Point>& points, const RunOptions& options) {
  return Workshop(points, options).run();
}

}  // namespace wccl::eval
