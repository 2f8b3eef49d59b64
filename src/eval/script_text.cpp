#include <cmath>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "eval/script_run.h"
#include "eval/svg.h"

namespace wccl::eval {
namespace {

// For a picture beside text: the report's colours, light and dark.
constexpr const char* kStyle =
    "<style>svg{background:#fff}text{fill:#1b1f24;font:11px system-ui,sans-serif}"
    ".title{font-size:13px;font-weight:600}.axis{stroke:#1b1f24}.grid{stroke:#d5dae0}"
    ".line{fill:none;stroke-width:1.8}.s0{--c:#3b7de0}.s1{--c:#e0662f}"
    ".line{stroke:var(--c)}.dot{fill:var(--c)}</style>";

constexpr const char* kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>WCCL: how the link follows a script</title>
<style>body{font:15px/1.45 system-ui,sans-serif;max-width:900px;margin:0 auto;padding:16px}
table{border-collapse:collapse}th,td{padding:3px 10px;text-align:left;border-bottom:1px solid #d5dae0}
svg{max-width:100%;height:auto}</style></head><body>
)";

std::string mbit(double bps) {
  return fmt::format("{:.2f}", bps / 1e6);
}

LineChart chart_of(const ScriptResult& result) {
  LineChart chart;
  chart.title =
      fmt::format("{}, seed {}: goodput of both senders on average", result.name, result.seed);
  chart.x_label = "s";
  chart.y_label = "Mbit/s";
  chart.is_wide = true;
  std::map<double, double> sums;
  for (const TraceRow& row : result.trace.rows) {
    sums[row.end_s] += row.goodput_bps / 2e6;
  }
  Series chosen{"chosen by the senders", {}};
  for (const auto& [time_s, bps] : sums) {
    chosen.points.push_back({time_s, bps, 0, 0});
  }
  Series best{"best fixed mode and hold", {}};
  for (const SegmentFigures& segment : result.segments) {
    best.points.push_back({segment.from_s, segment.best_bps / 1e6, 0, 0});
    best.points.push_back({segment.to_s, segment.best_bps / 1e6, 0, 0});
  }
  chart.series = {std::move(chosen), std::move(best)};
  return chart;
}

nlohmann::json to_json(const TraceRow& row) {
  return {{"time_s", row.end_s},
          {"sender", row.sender},
          {"mode", phy::find_mode(row.mode)->name},
          {"hold", row.hold},
          {"goodput_bps", row.goodput_bps},
          {"snr_db", row.snr_db},
          {"margin_db", std::isfinite(row.margin_db) ? nlohmann::json(row.margin_db) : nullptr},
          {"success", row.success},
          {"mixed", row.mixed},
          {"limit", row.limit}};
}

nlohmann::json to_json(const SegmentFigures& segment) {
  return {{"label", segment.label},
          {"from_s", segment.from_s},
          {"to_s", segment.to_s},
          {"goodput_bps", segment.goodput_bps},
          {"best_fixed", segment.best ? nlohmann::json(name_of(*segment.best)) : nullptr},
          {"best_fixed_bps", segment.best_bps},
          {"reached_s", segment.reached_s ? nlohmann::json(*segment.reached_s) : nullptr}};
}

}  // namespace

std::string trace_csv(const ScriptResult& result) {
  std::string text =
      "time_s,sender,mode,hold,goodput_bps,snr_r_db,snr_g_db,snr_b_db,margin_db,success,mixed,"
      "limit\n";
  for (const TraceRow& row : result.trace.rows) {
    text += fmt::format("{:.2f},{},{},{},{:.0f},{:.2f},{:.2f},{:.2f},{:.2f},{:.3f},{:.3f},{}\n",
                        row.end_s, row.sender, phy::find_mode(row.mode)->name, row.hold,
                        row.goodput_bps, row.snr_db[0], row.snr_db[1], row.snr_db[2], row.margin_db,
                        row.success, row.mixed, row.limit);
  }
  return text;
}

std::string trace_json(const ScriptResult& result) {
  nlohmann::json json{{"script", result.name},
                      {"seed", result.seed},
                      {"wrong_bytes", result.trace.wrong_bytes},
                      {"segments", nlohmann::json::array()},
                      {"trace", nlohmann::json::array()}};
  for (const SegmentFigures& segment : result.segments) {
    json["segments"].push_back(to_json(segment));
  }
  for (const TraceRow& row : result.trace.rows) {
    json["trace"].push_back(to_json(row));
  }
  return json.dump(1) + "\n";
}

std::string trace_svg(const ScriptResult& result) {
  std::string svg = draw(chart_of(result));
  svg.insert(svg.find("<svg ") + 5, "xmlns=\"http://www.w3.org/2000/svg\" ");
  svg.insert(svg.find('>') + 1, kStyle);
  return svg + "\n";
}

std::string script_report(const ScriptResult& result) {
  std::string html = kHead;
  html +=
      fmt::format("<h1>{}, seed {}</h1>\n{}", escaped(result.name), result.seed, trace_svg(result));
  html +=
      "<table><tr><th>from, s</th><th>scene</th><th>goodput, Mbit/s</th><th>best fixed</th>"
      "<th>its goodput</th><th>within 10% after, s</th></tr>\n";
  for (const SegmentFigures& segment : result.segments) {
    html += fmt::format(
        "<tr><td>{:g}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        segment.from_s, escaped(segment.label), mbit(segment.goodput_bps),
        segment.best ? escaped(name_of(*segment.best)) : "-", mbit(segment.best_bps),
        segment.reached_s ? fmt::format("{:.2f}", *segment.reached_s) : "not");
  }
  html +=
      "</table>\n<details><summary>Trace</summary><table><tr><th>s</th><th>sender</th>"
      "<th>mode</th><th>hold</th><th>Mbit/s</th><th>SNR, dB</th><th>limit</th></tr>\n";
  for (const TraceRow& row : result.trace.rows) {
    html += fmt::format(
        "<tr><td>{:.2f}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1f} / {:.1f} / "
        "{:.1f}</td><td>{}</td></tr>\n",
        row.end_s, row.sender, phy::find_mode(row.mode)->name, row.hold, mbit(row.goodput_bps),
        row.snr_db[0], row.snr_db[1], row.snr_db[2], escaped(row.limit));
  }
  return html + "</table></details></body></html>\n";
}

}  // namespace wccl::eval
