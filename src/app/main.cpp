#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "app/exit_status.h"
#include "app/print.h"
#include "app/run.h"

namespace {

using namespace wccl::app;

/// A program started without stdin, stdout or stderr (`>&-`) would get their numbers for its own
/// files, and print into them.
void occupy_standard_descriptors() {
  int descriptor = 0;
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) {
    descriptor = open("/dev/null", O_RDWR);
  }
  if (descriptor > STDERR_FILENO) {
    close(descriptor);
  }
}

/// What cannot be written, because a file is as large as it may be or a reader has left, is an
/// error of that write and no reason to die: what the program has made meanwhile would be left
/// behind.
void survive_writing() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
}

bool reader_has_left(int descriptor) {
  pollfd out{descriptor, POLLOUT, 0};
  return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

/// A result that nobody got is none, unless nobody wanted it (`wccl modes | head`).
int check_output(int status) {
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!lost || reader_has_left(STDOUT_FILENO)) {
    return status;
  }
  wccl::app::print(stderr, "wccl: cannot write to standard output; is its disk full?\n");
  return kExitError;
}

/// Says what nothing could deal with, in one line and without memory: there may be none.
int report_uncaught() {
  const auto say = [](const char* what) {
    std::fputs("wccl: ", stderr);
    std::fputs(what, stderr);
    std::fputs("\n", stderr);
    return kExitError;
  };
  constexpr const char* kShort = "out of memory or threads; end other programs and try again";
  try {
    const auto thrown = std::current_exception();
    if (thrown) {
      std::rethrow_exception(thrown);
    }
    return say(kShort);
  } catch (const std::bad_alloc&) {
    return say(kShort);
  } catch (const std::system_error& error) {
    return say(error.code() == std::errc::resource_unavailable_try_again ? kShort : error.what());
  } catch (const std::exception& error) {
    return say(error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  survive_writing();
  // On threads other than this one.
  std::set_terminate([] { _exit(report_uncaught()); });
  try {
    return check_output(run(argc, argv));
  } catch (const std::exception&) {
    return report_uncaught();
  }
}
