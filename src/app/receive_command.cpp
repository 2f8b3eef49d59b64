#include "app/receive_command.h"

#include <csignal>

#include "app/device_transfer.h"
#include "app/exit_status.h"
#include "app/interrupt.h"
#include "app/print.h"
#include "app/transfer_resume_hint.h"
#include "transfer/destination.h"

namespace wccl::app {
namespace {

constexpr const char* kFooter = R"(Examples:
  wccl receive                                   into the current folder, full screen 0, camera 0
  wccl receive inbox --screen window --camera 1
  wccl receive --camera http://192.168.1.7:8080/video

On the other laptop: wccl send PATH... A transfer that was interrupted goes on where it was when the
same command is given again.)";

Result<TransferSummary> receive(const ReceiveCommand& command) {
  const auto destination = transfer::Destination::open(command.folder, command.force);
  if (!destination) {
    return tl::make_unexpected(destination.error());
  }
  auto summary = receive_on_devices(command.options, *destination);
  if (!summary) {
    return tl::make_unexpected(with_resume_hint(summary.error()));
  }
  return summary;
}

}  // namespace

CLI::App* add_receive(CLI::App& program, ReceiveCommand& command) {
  auto* receive = program.add_subcommand("receive", "Receive files and folders by light");
  receive->add_option("DIR", command.folder, "Folder for what comes")->capture_default_str();
  add_transfer_options(*receive, command.options);
  receive->add_flag("--force", command.force, "Replace files that have another content");
  receive->footer(kFooter);
  return receive;
}

int receive_command(const ReceiveCommand& command) {
  const InterruptGuard guard;
  // A file that grows beyond its limit is an error like a full disk, and no reason to die.
  std::signal(SIGXFSZ, SIG_IGN);
  const auto summary = receive(command);
  if (!summary) {
    return report("receive", summary.error());
  }
  print_summary(*summary, command.options.json);
  return kExitOk;
}

}  // namespace wccl::app
