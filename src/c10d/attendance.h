#pragma once

#include <memory>
#include <vector>

#include <c10/util/intrusive_ptr.h>

#include "base/clock.h"

namespace c10d {
class Store;
}

namespace wccl::c10d {

/// Who is there: every rank of a job says so in the job's store twice a second, on a thread of its
/// own. When an operation fails, a rank that computes for long is thus told from one that was
/// killed, stopped or cut off, which Gloo does not say.
class Attendance {
 public:
  /// @param store  A connection that nobody else uses; a call may block on it for long.
  Attendance(c10::intrusive_ptr<::c10d::Store> store, int rank, int world_size);
  /// Does not wait long for a call that hangs: the thread ends after it.
  ~Attendance();
  Attendance(const Attendance&) = delete;
  Attendance& operator=(const Attendance&) = delete;

  /// Waits until every rank has been there once. @return those that have not come in time.
  [[nodiscard]] std::vector<int> wait_for_all(Duration timeout) const;

  /// After an operation has failed: the ranks that are gone. Waits for about four seconds until it
  /// is sure. Rank 0, which serves the store, is the one that is gone when the store is.
  [[nodiscard]] std::vector<int> missing() const;

 private:
  struct Book;
  std::shared_ptr<Book> book_;
};

}  // namespace wccl::c10d
