#include <cstdio>
#include <exception>

#include <fcntl.h>
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

/// A result that nobody got is none.
int check_output(int status) {
  const bool lost = std::fflush(stdout) != 0 || std::ferror(stdout) != 0;
  if (!lost) {
    return status;
  }
  wccl::app::print(stderr, "wccl: cannot write to standard output; is its disk full?\n");
  return kExitError;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  try {
    return check_output(run(argc, argv));
  } catch (const std::exception& error) {
    wccl::app::print(stderr, "wccl: {}\n", error.what());
    return kExitError;
  }
}
