#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "device/file_descriptor.h"

namespace wccl::device {

/// Fills some of the bytes, one at least. @return how many; 0 at the end.
using ReadBytes = std::function<std::size_t(std::span<std::byte>)>;

/// Reads what somebody writes into a pipe, and waits for it.
/// @param is_cancelled  Asked all the while; true ends the pipe. May be empty.
[[nodiscard]] ReadBytes read_pipe(FileDescriptor pipe, std::function<bool()> is_cancelled);

/// The first bytes of a pipe. @return fewer than `n` when it ends before.
[[nodiscard]] std::vector<std::byte> read_start(const ReadBytes& read, std::size_t n);

}  // namespace wccl::device
