#include "app/launch.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/exit_status.h"

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

extern char** environ;

namespace wccl::app {
namespace {

// For the others to notice that one is gone, to find out which, and to say so.
constexpr unsigned kGraceSeconds = 8;

/// Keeps signals for sigwait() while it lives: none is lost between two looks at the children.
class HeldSignals {
 public:
  HeldSignals() {
    sigemptyset(&held_);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGALRM}) {
      sigaddset(&held_, signal);
    }
    pthread_sigmask(SIG_BLOCK, &held_, &before_);
    // BSDs drop a SIGCHLD that nobody handles, blocked or not.
    child_handler_before_ = std::signal(SIGCHLD, [](int) {});
  }
  ~HeldSignals() {
    std::signal(SIGCHLD, child_handler_before_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  [[nodiscard]] int wait() const {
    int signal = 0;
    sigwait(&held_, &signal);
    return signal;
  }

 private:
  sigset_t held_{};
  sigset_t before_{};
  void (*child_handler_before_)(int) = SIG_DFL;
};

/// How children start. Each in a process group of its own: a Ctrl-C reaches us alone, and we pass
/// it on.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  void silence_stdout() {
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  }
  Result<pid_t> spawn(const std::string& program, std::vector<std::string> arguments) const {
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (auto& argument : arguments) {
      argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    pid_t child = 0;
    const int error =
        posix_spawn(&child, program.c_str(), &actions_, &attributes_, argv.data(), environ);
    if (error != 0) {
      return fail(ErrorCode::kIo,
                  fmt::format("cannot start {}: {}", program, std::strerror(error)));
    }
    return child;
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

class Children {
 public:
  void add(pid_t child) {
    running_.push_back(child);
    codes_.push_back(kExitOk);
  }
  void pass_on(int signal) const {
    for (const pid_t child : running_) {
      if (child > 0) {
        kill(child, signal);
      }
    }
  }
  /// Takes note of all that have ended.
  void reap() {
    int status = 0;
    for (pid_t ended = 0; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
      note_end(ended, status);
    }
  }
  [[nodiscard]] bool any_running() const {
    return std::any_of(running_.begin(), running_.end(), [](pid_t child) { return child > 0; });
  }
  [[nodiscard]] const std::vector<int>& codes() const { return codes_; }
  /// The first that broke, in time. One that broke would leave the others waiting for it; one that
  /// stopped in good order does not.
  [[nodiscard]] std::optional<std::size_t> first_broken() const { return first_broken_; }

 private:
  void note_end(pid_t ended, int status) {
    const auto found = std::find(running_.begin(), running_.end(), ended);
    if (found == running_.end()) {
      return;
    }
    *found = 0;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    const auto index = static_cast<std::size_t>(found - running_.begin());
    codes_[index] = code;
    const bool broke = WIFSIGNALED(status) || code == kExitError || code == kExitUsage;
    if (broke && !first_broken_) {
      first_broken_ = index;
    }
  }

  std::vector<pid_t> running_;  ///< 0 for one that has ended.
  std::vector<int> codes_;
  std::optional<std::size_t> first_broken_;
};

/// Waits for all, passing on what we are asked. When one breaks, the others are stopped: asked
/// after one grace, forced after two.
/// @return whether somebody asked us to stop.
bool wait_for(Children& children, const HeldSignals& signals) {
  bool asked_to_stop = false;
  int n_alarms = 0;
  bool alarm_set = false;
  while (children.any_running()) {
    const int signal = signals.wait();
    if (signal == SIGCHLD) {
      children.reap();
    } else if (signal == SIGALRM) {
      children.pass_on(++n_alarms == 1 ? SIGTERM : SIGKILL);
      alarm(kGraceSeconds);
    } else {
      asked_to_stop = true;
      children.pass_on(signal == SIGHUP ? SIGTERM : signal);
    }
    if (children.first_broken() && !alarm_set) {
      alarm(kGraceSeconds);
      alarm_set = true;
    }
  }
  alarm(0);
  return asked_to_stop;
}

struct Socket {
  int descriptor = -1;
  ~Socket() {
    if (descriptor >= 0) {
      close(descriptor);
    }
  }
};

}  // namespace

Result<std::string> own_path() {
#ifdef __APPLE__
  std::string path(4096, '\0');
  auto size = static_cast<std::uint32_t>(path.size());
  if (_NSGetExecutablePath(path.data(), &size) != 0) {
    return fail(ErrorCode::kIo, "cannot find this program's own file");
  }
  return std::string(path.c_str());
#else
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return fail(ErrorCode::kIo,
                fmt::format("cannot find this program's own file: {}", error.message()));
  }
  return path.string();
#endif
}

Result<std::vector<int>> run_self(const std::vector<std::vector<std::string>>& arguments) {
  const auto program = own_path();
  if (!program) {
    return tl::make_unexpected(program.error());
  }
  const HeldSignals signals;
  SpawnPlan plan;
  Children children;
  std::optional<Error> start_error;
  for (const auto& list : arguments) {
    const auto child = plan.spawn(*program, list);
    if (!child) {
      start_error = child.error();
      children.pass_on(SIGTERM);
      break;
    }
    children.add(*child);
    plan.silence_stdout();
  }
  const bool asked_to_stop = wait_for(children, signals);
  if (start_error) {
    return tl::make_unexpected(*start_error);
  }
  const auto broken = children.first_broken();
  const int code = broken ? children.codes()[*broken] : kExitOk;
  if (code > 128 && !asked_to_stop) {
    return fail(ErrorCode::kPeerLost, fmt::format("process {} of {} was killed by signal {}",
                                                  *broken, arguments.size(), code - 128));
  }
  return children.codes();
}

Result<std::uint16_t> free_port() {
  const Socket socket{::socket(AF_INET, SOCK_STREAM, 0)};
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (socket.descriptor < 0 || bind(socket.descriptor, generic, size) != 0 ||
      getsockname(socket.descriptor, generic, &size) != 0) {
    return fail(ErrorCode::kIo, fmt::format("no free port on 127.0.0.1: {}", std::strerror(errno)));
  }
  return ntohs(address.sin_port);
}

}  // namespace wccl::app
