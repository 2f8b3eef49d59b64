#include "x_server.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wccl::device {
namespace {

/// Of this process alone: a server that looks for the first free number takes that of one which
/// has ended, and whoever waits for that one to come back then sees a stranger's display.
int number_of_its_own() {
  constexpr int kBeyondThoseLookedFor = 1000;
  constexpr int kNumbers = 50'000;  // below 59536: the number also gives the port 6000 + number
  return kBeyondThoseLookedFor + getpid() % kNumbers;
}

/// In the child. Never returns.
[[noreturn]] void become_server(int width, int height, int report_fd) {
  const std::string display = fmt::format(":{}", number_of_its_own());
  const std::string screen = fmt::format("{}x{}x24", width, height);
  const std::string report = fmt::format("{}", report_fd);
  const int nowhere = open("/dev/null", O_WRONLY);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  // With -displayfd it says its number once it is ready. Without -noreset it would refuse whoever
  // comes while it cleans up behind its last client.
  execlp("Xvfb", "Xvfb", display.c_str(), "-displayfd", report.c_str(), "-screen", "0",
         screen.c_str(), "-noreset", "-nolisten", "tcp", nullptr);
  _exit(127);
}

std::string read_line(int fd) {
  std::string line;
  char character = 0;
  while (read(fd, &character, 1) == 1 && character != '\n') {
    line += character;
  }
  return line;
}

}  // namespace

std::unique_ptr<XServer> XServer::start(int width, int height) {
  std::array<int, 2> pipe_ends{};
  if (pipe(pipe_ends.data()) != 0) {
    return nullptr;
  }
  const pid_t process = fork();
  if (process == 0) {
    close(pipe_ends[0]);
    become_server(width, height, pipe_ends[1]);
  }
  close(pipe_ends[1]);
  const std::string number = read_line(pipe_ends[0]);
  close(pipe_ends[0]);
  if (number.empty()) {
    waitpid(process, nullptr, 0);
    return nullptr;
  }
  std::unique_ptr<XServer> server(new XServer(process, ":" + number));
  setenv("DISPLAY", server->display_.c_str(), 1);
  return server;
}

XServer::~XServer() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
  unsetenv("DISPLAY");
}

}  // namespace wccl::device
