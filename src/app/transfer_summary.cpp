#include "app/transfer_summary.h"

#include <algorithm>
#include <span>

#include <nlohmann/json.hpp>

#include "app/stages_json.h"
#include "phy/mode.h"

namespace wccl::app {

void note_link(TransferSummary& summary, const link::Node& node, Instant now) {
  const auto rate = node.rate(now);
  summary.mode = phy::find_mode(rate.mode)->name;
  summary.hold = rate.hold;
  const link::SentBytes sent = node.sent_bytes();
  const auto all =
      static_cast<double>(std::max<std::uint64_t>(sent.fresh + sent.again + sent.repeated, 1));
  summary.resent_share = static_cast<double>(sent.again) / all;
  summary.repeated_share = static_cast<double>(sent.repeated) / all;
}

nlohmann::ordered_json to_json(const TransferSummary& summary) {
  auto json = to_json(static_cast<const TransferFigures&>(summary));
  json["calibrated_s"] = to_seconds(summary.calibrated);
  json["hold"] = summary.hold;
  json["resent_share"] = summary.resent_share;
  json["repeated_share"] = summary.repeated_share;
  json["stages"] = to_json(std::span(summary.stages));
  json["captures_dropped"] = summary.captures_dropped;
  return json;
}

void print_summary(const TransferSummary& summary, bool json) {
  const auto object = to_json(summary);
  print_figures(summary, json ? &object : nullptr);
}

}  // namespace wccl::app
