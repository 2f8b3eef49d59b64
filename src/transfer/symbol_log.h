#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "wccl/result.h"
#include "wccl/transport.h"

#include "link/file_stream.h"
#include "transfer/destination.h"

namespace wccl::transfer {

/// The symbols of an object on one-way air that is not whole yet: a file in .wccl-partial of the
/// receiver's folder that only grows (docs/file_format.md). All of an object becomes known at about
/// the same time, so symbols are kept, and not pieces of files. Twin of PartialStore.
class SymbolLog {
 public:
  /// Opens what an earlier receiver left, or begins.
  /// @param destination  Borrowed; outlives the log.
  /// @return kIo when it cannot be written, or another program receives the same object here.
  [[nodiscard]] static Result<SymbolLog> open(const Destination& destination,
                                              const link::FileObjectId& id);
  SymbolLog(SymbolLog&&) = default;
  SymbolLog& operator=(SymbolLog&&) = default;

  using Sink = std::function<void(link::SymbolId, std::span<const std::byte>)>;
  /// Those that are there. What comes after a torn one is cut off. Once, before append().
  Status read(const Sink& sink);
  /// @param symbol  [phy::kBlockPayloadBytes]
  Status append(link::SymbolId id, std::span<const std::byte> symbol);
  /// Hands what was appended to the system, so that it outlives this program.
  Status flush();
  /// The object is whole: nothing is kept.
  void remove();

 private:
  SymbolLog(const Destination& destination, std::string name)
      : destination_(&destination), name_(std::move(name)) {}
  [[nodiscard]] tl::unexpected<Error> io_failed() const;

  const Destination* destination_;
  std::string name_;
  FileHandle parent_;  ///< kPartialFolder
  FileHandle file_;
  std::uint64_t end_ = 0;  ///< Of what is on disk.
  Bytes unwritten_;
};

}  // namespace wccl::transfer
