#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "wccl/result.h"

#include "base/clock.h"
#include "link/file_receiver.h"
#include "phy/mode.h"
#include "phy/receiver.h"
#include "transfer/destination.h"
#include "transfer/incoming_files.h"
#include "transfer/symbol_log.h"

namespace wccl::transfer {

/// What a camera sees of a one-way sender -> files in a folder, verified, never over others unless
/// told. One that is killed goes on from the symbols that it had.
class OneWayReceiver {
 public:
  /// @param destination  Borrowed.
  explicit OneWayReceiver(const Destination& destination);
  /// What has come is kept.
  ~OneWayReceiver();
  OneWayReceiver(const OneWayReceiver&) = delete;
  OneWayReceiver& operator=(const OneWayReceiver&) = delete;

  /// When the last symbol is there this takes as long as the disk needs.
  /// @return whether all is verified and in place; kIo when a file is in the way, the disk is full
  /// or cannot be written.
  [[nodiscard]] Result<bool> take(const phy::CaptureReception& reception, Instant now);

  struct Progress {
    std::uint64_t bytes_had = 0;  ///< Of the object that is nearest to its end.
    std::uint64_t n_bytes = 0;    ///< Of it; 0: nothing was seen.
    std::optional<phy::ModeId> mode;
    std::optional<Instant> first_symbol;  ///< Of any object.
    Instant last_symbol{};
    std::uint64_t n_symbols = 0;  ///< That came, and not from an earlier receiver.
    std::size_t n_corrupt = 0;    ///< Objects that were not what they said and were thrown away.
    bool sees_two_way = false;    ///< A laptop is in sight that does not send one way.
  };
  [[nodiscard]] Progress progress() const;

  /// What is in place, after take() has said so.
  [[nodiscard]] const Manifest& manifest() const { return *manifest_; }
  /// Content of it that came by light: what was in place is left out, and the share of the symbols
  /// that an earlier receiver had kept.
  [[nodiscard]] std::uint64_t bytes_came() const;

 private:
  void recall(const link::FileObjectId& id, const link::FileReceiver::SymbolSink& sink);
  void keep(const link::FileObjectId& id, link::SymbolId symbol, std::span<const std::byte> bytes);
  void note(Status status);
  Status save(Instant now);
  [[nodiscard]] Result<bool> finish(const link::FileReceiver::Object& object, Instant now);
  [[nodiscard]] Result<bool> store(const link::FileReceiver::Object& object, Instant now);
  [[nodiscard]] Result<bool> look_ahead(Instant now);
  [[nodiscard]] std::optional<Result<Manifest>> early_manifest(const link::FileObjectId& id) const;
  void end(const link::FileObjectId& id);
  void forget(const link::FileObjectId& id);

  const Destination& destination_;
  link::FileReceiver symbols_;
  struct KeptObject {
    link::FileObjectId id;
    SymbolLog log;
  };
  std::vector<KeptObject> logs_;
  Status disk_;  ///< Its first error, as symbols_ cannot return it.
  Instant now_{};
  Instant saved_at_{};
  Progress progress_;
  /// Files of which the manifest came before the rest.
  struct Target {
    link::FileObjectId id;
    std::unique_ptr<IncomingFiles> files;
  };
  std::optional<Target> target_;
  std::optional<Manifest> manifest_;
  std::uint64_t bytes_before_ = 0;
  std::uint64_t n_recalled_ = 0;  ///< Symbols.
};

}  // namespace wccl::transfer
