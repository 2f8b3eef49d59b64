#include "app/receive_command.h"

#include "app/device_transfer.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "app/one_way_receive.h"
#include "app/transfer_resume_hint.h"
#include "transfer/destination.h"

namespace wccl::app {
namespace {

constexpr const char* kFooter = R"(Examples:
  wccl receive                                   into the current folder, full screen 0, camera 0
  wccl receive inbox --screen window --camera 1
  wccl receive --camera http://192.168.1.7:8080/video
  wccl receive --one-way inbox                   from `wccl send --one-way`, which sees nobody: no screen here
  wccl receive --one-way --camera film.mp4       from a film of its screen, or a folder of pictures

On the other laptop: wccl send PATH... A transfer that was interrupted goes on where it was when the
same command is given again.)";

Result<TransferSummary> receive(const ReceiveCommand& command) {
  const auto destination = transfer::Destination::open(command.folder, command.force);
  if (!destination) {
    return tl::make_unexpected(destination.error());
  }
  auto summary = receive_on_devices(command.options, *destination);
  if (!summary) {
    return tl::make_unexpected(keeps_partial_transfer(command.folder)
                                   ? with_resume_hint(summary.error())
                                   : summary.error());
  }
  summary->folder = command.folder;
  return summary;
}

Result<TransferFigures> watch(const ReceiveCommand& command) {
  const auto destination = transfer::Destination::open(command.folder, command.force);
  if (!destination) {
    return tl::make_unexpected(destination.error());
  }
  auto figures = receive_one_way({command.options.devices, from_seconds(command.options.timeout_s)},
                                 *destination);
  if (figures) {
    figures->folder = command.folder;
  }
  return figures;
}

template <class Summary>
int finish(const Result<Summary>& summary, bool json) {
  if (!summary) {
    return report("receive", summary.error());
  }
  print_summary(*summary, json);
  return kExitOk;
}

}  // namespace

CLI::App* add_receive(CLI::App& program, ReceiveCommand& command) {
  auto* receive = program.add_subcommand("receive", "Receive files and folders by light");
  receive->add_option("DIR", command.folder, "Folder for what comes")->capture_default_str();
  add_transfer_options(*receive, command.options);
  receive->add_flag("--force", command.force, "Replace files that have another content");
  receive
      ->add_flag("--one-way", command.one_way,
                 "From a sender that cannot see this laptop's screen; --camera may also be a film "
                 "or a folder of pictures")
      ->excludes("--screen")
      ->excludes("--nodes")
      ->excludes("--rank");
  receive->footer(kFooter);
  return receive;
}

int receive_command(const ReceiveCommand& command) {
  const InterruptGuard guard(command.one_way ? nullptr
                                             : "wccl receive: stopping; Ctrl-C again: at once");
  return command.one_way ? finish(watch(command), command.options.json)
                         : finish(receive(command), command.options.json);
}

}  // namespace wccl::app
