#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace wccl {

enum class ErrorCode {
  kInvalidArgument,  ///< The caller or user gave something that cannot work.
  kNotFound,         ///< A file, scene, device or peer that was named does not exist.
  kIo,               ///< Reading or writing failed.
  kCorrupt,          ///< Bytes from outside do not hold what they claim.
  kTimeout,          ///< Nothing came within the deadline.
  kPeerLost,         ///< A peer left or cannot be seen any more.
  kCancelled,        ///< The user or a failing rank stopped the work.
  kUnsupported,      ///< This build or peer version cannot do it.
};

/// What went wrong, for a program (`code`) and for a person (`message`: one line that says what to
/// do).
struct Error {
  ErrorCode code = ErrorCode::kInvalidArgument;
  std::string message;
};

/// A value, or the reason why a peer, device, file or user kept us from having one.
template <class T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

/// Makes the error side of any Result: `return fail(ErrorCode::kIo, "...")`.
inline tl::unexpected<Error> fail(ErrorCode code, std::string message) {
  return tl::make_unexpected(Error{code, std::move(message)});
}

}  // namespace wccl
