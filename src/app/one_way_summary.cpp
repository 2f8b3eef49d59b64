#include "app/one_way_summary.h"

#include "phy/mode.h"
#include "transfer/manifest.h"

namespace wccl::app {

TransferFigures summarize(const transfer::OneWayReceiver& receiver, Instant now) {
  const transfer::Manifest& manifest = receiver.manifest();
  const auto progress = receiver.progress();
  TransferFigures summary;
  summary.what = transfer::describe(manifest);
  summary.files = manifest.n_files();
  summary.bytes = manifest.n_bytes();
  summary.bytes_came = receiver.bytes_came();
  summary.first_byte = progress.first_symbol.value_or(progress.last_symbol).time_since_epoch();
  summary.last_byte = progress.last_symbol.time_since_epoch();
  summary.end = now.time_since_epoch();
  summary.renamed = transfer::describe_renamed(manifest);
  summary.mode = progress.mode ? phy::find_mode(*progress.mode)->name : "";
  return summary;
}

}  // namespace wccl::app
