#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"

namespace wccl::room {

/// Where blocking programs and the event loop hand over to one another: the loop moves only while
/// every program is blocked or has returned, so either side may touch what they share without a
/// lock of its own.
class ProgramGate {
 public:
  explicit ProgramGate(int n_nodes);
  ~ProgramGate();
  ProgramGate(const ProgramGate&) = delete;
  ProgramGate& operator=(const ProgramGate&) = delete;

  // Event loop

  void start(std::vector<std::function<void()>> programs);
  /// Blocks until no program runs. @return whether one is left that has not returned.
  bool settle();
  struct Deadline {
    Instant at;
    int node = 0;
  };
  /// The earliest deadline of the blocked programs, the lowest node first.
  [[nodiscard]] std::optional<Deadline> next_deadline();
  /// Wakes the program of `node` if it is blocked and its condition holds or its deadline has come.
  void poll(int node, Instant now);
  /// From now on every wait fails, those under way included.
  void cancel();
  /// Joins the threads; all programs have returned. @return what the first one to fail threw.
  std::exception_ptr finish();

  // Programs

  /// @param ready  Null: only the deadline counts.
  Result<bool> wait(int node, const std::function<bool()>& ready, Instant deadline);

 private:
  enum class Phase { kDone, kRunning, kBlocked };
  struct Program {
    Phase phase = Phase::kDone;
    const std::function<bool()>* ready = nullptr;
    Instant deadline;
    bool held = false;  ///< What wait() returns.
    std::condition_variable woken;
    std::thread thread;
  };

  void run_program(Program& program, const std::function<void()>& body);
  void wake(Program& program, bool held);
  [[nodiscard]] bool any(Phase phase) const;

  std::mutex mutex_;
  std::condition_variable settled_;
  std::vector<std::unique_ptr<Program>> programs_;
  bool cancelled_ = false;
  std::exception_ptr first_error_;
};

}  // namespace wccl::room
