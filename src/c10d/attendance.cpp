#include "c10d/attendance.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace wccl::c10d {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr auto kPeriod = std::chrono::milliseconds(500);
// Five calls missed: a busy machine is late by less.
constexpr auto kSilence = 5 * kPeriod;

std::string key_of(int rank) {
  return "attendance/" + std::to_string(rank);
}

}  // namespace

/// What the thread writes down. It outlives the Attendance when a call on the store hangs.
struct Attendance::Book {
  explicit Book(std::size_t n_ranks) : counts(n_ranks), last_heard(n_ranks, SteadyClock::now()) {}

  std::mutex mutex;
  std::condition_variable changed;
  bool closed = false;
  bool ended = false;  ///< The thread has let go of the store.
  bool store_lost = false;
  SteadyClock::time_point last_look = SteadyClock::now();  ///< When the store answered last.
  std::vector<std::int64_t> counts;                        ///< Of each rank; 0 before it came.
  std::vector<SteadyClock::time_point> last_heard;

  void note(const std::vector<std::int64_t>& seen) {
    const std::lock_guard lock(mutex);
    last_look = SteadyClock::now();
    for (std::size_t rank = 0; rank < seen.size(); ++rank) {
      if (seen[rank] != counts[rank]) {
        counts[rank] = seen[rank];
        last_heard[rank] = last_look;
      }
    }
    changed.notify_all();
  }

  /// Ranks that were silent for so long when the store last answered. Called with the lock held.
  [[nodiscard]] std::vector<int> silent_for(SteadyClock::duration silence) const {
    std::vector<int> ranks;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      if (last_look - last_heard[rank] > silence) {
        ranks.push_back(static_cast<int>(rank));
      }
    }
    return ranks;
  }

  /// Called with the lock held. @return nobody while it is too early to say.
  [[nodiscard]] std::vector<int> missing() const {
    const bool server_is_gone = store_lost || SteadyClock::now() - last_look > kSilence;
    // Rank 0 may have left because somebody else was gone, and we look a little later than it did.
    auto ranks = silent_for(server_is_gone ? kSilence - 2 * kPeriod : kSilence);
    if (ranks.empty() && server_is_gone) {
      ranks.push_back(0);
    }
    return ranks;
  }
};

Attendance::Attendance(c10::intrusive_ptr<::c10d::Store> store, int rank, int world_size)
    : book_(std::make_shared<Book>(static_cast<std::size_t>(world_size))) {
  std::thread([book = book_, store = std::move(store), rank, world_size]() mutable {
    std::unique_lock lock(book->mutex);
    while (!book->closed && !book->store_lost) {
      lock.unlock();
      bool answered = true;
      std::vector<std::int64_t> seen;
      try {
        for (int other = 0; other < world_size; ++other) {
          seen.push_back(store->add(key_of(other), other == rank ? 1 : 0));
        }
        book->note(seen);
      } catch (const std::exception&) {
        answered = false;
      }
      lock.lock();
      book->store_lost = !answered;
      book->changed.notify_all();
      book->changed.wait_for(lock, kPeriod, [&] { return book->closed || book->store_lost; });
    }
    store.reset();
    book->ended = true;
    book->changed.notify_all();
  }).detach();
}

Attendance::~Attendance() {
  std::unique_lock lock(book_->mutex);
  book_->closed = true;
  book_->changed.notify_all();
  book_->changed.wait_for(lock, kPeriod, [this] { return book_->ended; });
}

std::vector<int> Attendance::wait_for_all(Duration timeout) const {
  std::vector<int> absent;
  std::unique_lock lock(book_->mutex);
  book_->changed.wait_for(lock, timeout, [&] {
    absent.clear();
    for (std::size_t rank = 0; rank < book_->counts.size(); ++rank) {
      if (book_->counts[rank] == 0) {
        absent.push_back(static_cast<int>(rank));
      }
    }
    return absent.empty() || book_->store_lost;
  });
  return absent;
}

std::vector<int> Attendance::missing() const {
  // Who left just now is heard once more at the next look, and missed at the first one after the
  // silence. Looks may be late, so that it is they which count, not the time here.
  const auto last_look_needed = SteadyClock::now() + kSilence + 2 * kPeriod;
  std::unique_lock lock(book_->mutex);
  std::vector<int> ranks = book_->missing();
  while (ranks.empty() && book_->last_look < last_look_needed) {
    book_->changed.wait_for(lock, kPeriod);
    ranks = book_->missing();
  }
  return ranks;
}

}  // namespace wccl::c10d
