#include "app/transfer_options.h"

#include "app/device_options.h"
#include "app/number_range.h"

namespace wccl::app {

void add_transfer_options(CLI::App& command, TransferOptions& options) {
  add_device_options(command, options.devices);
  add_calibration_option(command, options.devices);
  command
      .add_option("--nodes", options.nodes,
                  "Number of laptops, 2 to 8; all but one receive (0: as the others say). All must "
                  "see one another: 2 or 3 do, 4 do not")
      ->check(nodes_or_zero())
      ->capture_default_str();
  command.add_option(
      "--rank", options.rank,
      "Of this laptop among --nodes real ones; without it laptops agree by themselves");
  command.add_option("--timeout", options.timeout_s, "Seconds that a laptop may be silent")
      ->type_name("S")
      ->check(number_in(0.1, 86400.0))
      ->capture_default_str();
  command.add_flag("--json", options.json, "Print one JSON object");
}

}  // namespace wccl::app
