#include "room/program_gate.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace wccl::room {

ProgramGate::ProgramGate(int n_nodes) {
  for (int i = 0; i < n_nodes; ++i) {
    programs_.push_back(std::make_unique<Program>());
  }
}

ProgramGate::~ProgramGate() {
  assert(std::none_of(programs_.begin(), programs_.end(),
                      [](const auto& program) { return program->thread.joinable(); }));
}

void ProgramGate::start(std::vector<std::function<void()>> programs) {
  assert(programs.size() == programs_.size());
  cancelled_ = false;
  first_error_ = nullptr;
  for (const auto& program : programs_) {
    program->phase = Phase::kRunning;
  }
  for (std::size_t i = 0; i < programs.size(); ++i) {
    Program& program = *programs_[i];
    program.thread = std::thread(
        [this, &program, body = std::move(programs[i])] { run_program(program, body); });
  }
}

void ProgramGate::run_program(Program& program, const std::function<void()>& body) {
  std::exception_ptr error;
  try {
    body();
  } catch (...) {
    error = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    program.phase = Phase::kDone;
    if (error && !first_error_) {
      first_error_ = error;
    }
  }
  if (error) {
    cancel();
  }
  settled_.notify_one();
}

bool ProgramGate::any(Phase phase) const {
  return std::any_of(programs_.begin(), programs_.end(),
                     [phase](const auto& program) { return program->phase == phase; });
}

bool ProgramGate::settle() {
  std::unique_lock lock(mutex_);
  settled_.wait(lock, [this] { return !any(Phase::kRunning); });
  return any(Phase::kBlocked);
}

std::optional<ProgramGate::Deadline> ProgramGate::next_deadline() {
  const std::lock_guard lock(mutex_);
  std::optional<Deadline> next;
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    const Program& program = *programs_[i];
    if (program.phase != Phase::kBlocked || program.deadline == Instant::max()) {
      continue;
    }
    if (!next || program.deadline < next->at) {
      next = {program.deadline, static_cast<int>(i)};
    }
  }
  return next;
}

void ProgramGate::wake(Program& program, bool held) {
  program.held = held;
  program.phase = Phase::kRunning;
  program.woken.notify_one();
}

void ProgramGate::poll(int node, Instant now) {
  const std::lock_guard lock(mutex_);
  Program& program = *programs_[static_cast<std::size_t>(node)];
  if (program.phase != Phase::kBlocked) {
    return;
  }
  if (*program.ready && (*program.ready)()) {
    wake(program, true);
  } else if (program.deadline <= now) {
    wake(program, false);
  }
}

void ProgramGate::cancel() {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  for (const auto& program : programs_) {
    if (program->phase == Phase::kBlocked) {
      wake(*program, false);
    }
  }
}

std::exception_ptr ProgramGate::finish() {
  for (const auto& program : programs_) {
    program->thread.join();
  }
  return first_error_;
}

Result<bool> ProgramGate::wait(int node, const std::function<bool()>& ready, Instant deadline) {
  Program& program = *programs_[static_cast<std::size_t>(node)];
  std::unique_lock lock(mutex_);
  assert(program.phase == Phase::kRunning);
  if (!cancelled_) {
    program.ready = &ready;
    program.deadline = deadline;
    program.phase = Phase::kBlocked;
    settled_.notify_one();
    program.woken.wait(lock, [&] { return program.phase == Phase::kRunning; });
  }
  if (cancelled_) {
    return fail(ErrorCode::kCancelled, "the room has closed");
  }
  return program.held;
}

}  // namespace wccl::room
