#pragma once

#include <string_view>

#include "wccl/result.h"

namespace wccl::app {

/// What the shell learns; docs/cli.md lists them for users.
enum ExitStatus : int {
  kExitOk = 0,             ///< Done; `train` reached its target.
  kExitError = 1,          ///< A file, folder, peer or arrangement kept the work from being done.
  kExitUsage = 2,          ///< The command line asks for something that does not exist.
  kExitIncomplete = 3,     ///< `decode` ended in good order, but there is not all of the file.
  kExitTargetMissed = 4,   ///< `train` ended in good order, but below its target accuracy.
  kExitInterrupted = 130,  ///< Ctrl-C, as shells count it.
};

/// Prints the one line that a failing command ends in, to stderr.
/// @return kExitUsage for kInvalidArgument, kExitInterrupted for kCancelled, else kExitError.
[[nodiscard]] int report(std::string_view command, const Error& error);

}  // namespace wccl::app
