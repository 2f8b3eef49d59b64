#include "eval/report.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "eval/report_plots.h"
#include "eval/result_groups.h"
#include "eval/svg.h"

namespace wccl::eval {
namespace {

constexpr const char* kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>WCCL: what the optical link carries</title>
<style>
:root{--ground:#fff;--ink:#1b1f24;--faint:#d5dae0;--soft:#eef1f4;--back:#c9d3de}
@media (prefers-color-scheme:dark){:root{--ground:#14171a;--ink:#e4e7ea;--faint:#343a41;--soft:#1e2328;--back:#46525e}}
body{background:var(--ground);color:var(--ink);font:15px/1.45 system-ui,sans-serif;max-width:1180px;margin:0 auto;padding:16px}
h1{font-size:24px}h2{font-size:19px;margin-top:32px;border-bottom:1px solid var(--faint)}h3{font-size:15px;margin-bottom:4px}
.plots{display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:3px 10px;text-align:right;border-bottom:1px solid var(--faint);white-space:nowrap}
th:first-child,td:first-child,td.text,th:last-child{text-align:left}
td.text{white-space:normal;min-width:180px}
thead th{background:var(--soft)}
svg{max-width:100%;height:auto}
svg text{fill:var(--ink);font:11px system-ui,sans-serif}svg .title{font-size:13px;font-weight:600}
.axis{stroke:var(--ink)}.grid{stroke:var(--faint)}.back{fill:var(--back)}
.line{fill:none;stroke-width:1.8}.cloud{fill-opacity:.55}
.s0{--c:#3b7de0}.s1{--c:#e0662f}.s2{--c:#2fa567}.s3{--c:#a75ad6}.s4{--c:#c79a1a}.s5{--c:#1aa3b4}.s6{--c:#d94a83}.s7{--c:#808890}
.line{stroke:var(--c)}.line line{stroke:var(--c)}.dot,.cloud{fill:var(--c)}
summary{cursor:pointer}
</style></head><body>
)";

constexpr const char* kLegend =
    R"(<p>Goodput is payload bits of decoded blocks over time on air, everything paid for. What the
channel could carry is the mutual information of the soft bits, times cells, times frames a second:
an estimate for a perfect code on the same cells, not a bound for other cells. Figures are defined
in docs/measurement.md.</p>
)";

std::string mbit(double bps) {
  return fmt::format("{:.2f}", bps / 1e6);
}

std::string cell(const std::string& text) {
  return "<td>" + escaped(text) + "</td>";
}

std::string table(const std::vector<std::string>& heads, const std::string& rows) {
  std::string html = "<div class=\"wide\"><table><thead><tr>";
  for (const std::string& head : heads) {
    html += "<th>" + escaped(head) + "</th>";
  }
  return html + "</tr></thead><tbody>" + rows + "</tbody></table></div>\n";
}

std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : "<h2>" + title + "</h2>\n" + body + "\n";
}

std::string plots(const std::string& svgs) {
  return svgs.empty() ? "" : "<div class=\"plots\">" + svgs + "</div>";
}

std::string swept_text(const Point& point) {
  std::string text;
  for (const auto& [name, value] : point.swept) {
    if (name != "hold" && name != "mode" && name != "seed" && name != "phase") {
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    }
  }
  return text;
}

std::string hold_text(const Point& point) {
  return point.hold > 0 ? fmt::format("{}", point.hold) : "-";
}

constexpr const char* kDeskLegend =
    R"(<p>Between laptops on a desk: a scene is a link, from a screen to a camera. Goodput is payload
bits of decoded blocks over the time counted, everything paid for. What was shown is not known here,
so that there are no symbol errors; `wccl eval` in the room has them. Figures are defined in
docs/measurement.md.</p>
)";

/// Whether any of the results knows more than which blocks decoded.
bool any_soft_bits(const std::vector<PointResult>& results) {
  return results.empty() || std::ranges::any_of(results, [](const PointResult& result) {
           return result.figures.has_soft_bits;
         });
}

/// A figure that takes soft bits.
std::string soft_cell(const Figures& figures, const std::string& text) {
  return cell(figures.has_soft_bits ? text : "-");
}

std::string best_table(const std::vector<ResultGroup>& groups) {
  std::string rows;
  for (const std::string& scene : scenes_of(groups)) {
    const ResultGroup& best = *best_of(groups, scene);
    const Figures& figures = best.slowest->figures;
    std::string range = mbit(best.goodput_bps);
    if (best.results.size() > 1) {
      range += fmt::format(" ({} to {})", mbit(best.least_bps), mbit(best.most_bps));
    }
    rows += "<tr>" + cell(scene) + cell(std::string(phy::find_mode(best.point().mode)->name)) +
            cell(hold_text(best.point())) + cell(swept_text(best.point())) + cell(range) +
            soft_cell(figures, mbit(best.could_carry_bps)) +
            cell(fmt::format("{:.1f}%", 100 * best.block_error_rate)) +
            cell(fmt::format("{:.2f}", figures.cell_px)) + "<td class=\"text\">" +
            escaped(figures.limit) + "</td></tr>\n";
  }
  return table({"scene", "best mode", "hold", "at", "goodput, Mbit/s", "could carry", "blocks lost",
                "cell, camera px", "what limits"},
               rows);
}

std::string cpu_table(const std::vector<PointResult>& results) {
  std::map<phy::ModeId, std::pair<CpuFigures, int>> modes;
  for (const PointResult& result : results) {
    auto& [sum, n] = modes[result.point.mode];
    const CpuFigures& cpu = result.figures.cpu_ms;
    sum.total += cpu.total;
    sum.locate += cpu.locate;
    sum.sample += cpu.sample;
    sum.equalize += cpu.equalize;
    sum.decode += cpu.decode;
    ++n;
  }
  std::string rows;
  for (const auto& [mode, entry] : modes) {
    const auto& [sum, n] = entry;
    rows += "<tr>" + cell(std::string(phy::find_mode(mode)->name));
    for (const double ms : {sum.locate, sum.sample, sum.equalize, sum.decode, sum.total}) {
      rows += cell(fmt::format("{:.1f}", ms / n));
    }
    rows += "</tr>\n";
  }
  return table({"mode", "locate", "sample", "equalise", "decode", "all"}, rows);
}

std::string point_rows(const PointResult& result) {
  const Point& point = result.point;
  const Figures& figures = result.figures;
  std::string errors;
  std::string snr;
  std::string information;
  for (const ChannelFigures& channel : figures.channels) {
    const char* gap = errors.empty() ? "" : " / ";
    errors += fmt::format("{}{:.2f}%", gap, 100 * channel.symbol_error_rate);
    snr += fmt::format("{}{:.1f}", gap, channel.snr_db);
    information += fmt::format("{}{:.2f}", gap, channel.mutual_information);
  }
  const std::string wrong =
      figures.wrong_bytes ? fmt::format("{}", *figures.wrong_bytes) : "unknown";
  const std::string seed = point.hold > 0 ? fmt::format("{}", point.seed) : "-";
  return "<tr>" + cell(point.scene) + cell(std::string(phy::find_mode(point.mode)->name)) +
         cell(hold_text(point)) + cell(seed) + cell(swept_text(point)) +
         cell(mbit(figures.goodput_bps)) + soft_cell(figures, mbit(figures.could_carry_bps)) +
         cell(fmt::format("{:.2f}%", 100 * figures.block_error_rate())) + cell(wrong) +
         soft_cell(figures, errors) + cell(snr) + soft_cell(figures, information) +
         soft_cell(figures, fmt::format("{:.3f}", figures.mi_per_camera_px)) +
         cell(fmt::format("{:.2f}", figures.cell_px)) +
         cell(fmt::format("{:.0f}%", 100 * figures.width_share)) +
         cell(fmt::format("{:.0f}%", 100 * figures.mixed_share)) +
         cell(fmt::format("{:.1f}", figures.cpu_ms.total)) + "<td class=\"text\">" +
         escaped(figures.limit) + "</td></tr>\n";
}

std::string point_table(const std::vector<PointResult>& results) {
  std::string rows;
  for (const PointResult& result : results) {
    rows += point_rows(result);
  }
  return "<details><summary>" + fmt::format("{} points", results.size()) + "</summary>" +
         table({"scene", "mode", "hold", "seed", "swept", "goodput, Mbit/s", "could carry",
                "blocks lost", "wrong bytes", "symbol errors", "SNR, dB", "bits a cell",
                "bits a camera px", "cell, camera px", "width", "mixed", "CPU ms", "what limits"},
               rows) +
         "</details>";
}

}  // namespace

std::string make_report(const std::vector<PointResult>& results) {
  const auto groups = group_results(results);
  std::string html = kHead;
  html += "<h1>What the optical link carries</h1>\n";
  const bool soft = any_soft_bits(results);
  html += soft ? kLegend : kDeskLegend;
  html += section("Best mode and hold of each scene", best_table(groups));
  html += section("Delivered, and what the channel could carry",
                  soft ? plots(plot_delivered(groups)) : "");
  html += section("Goodput", plots(plot_goodput(results, groups)));
  html += section("Heat maps", plots(plot_heat(results, groups)));
  html += section("Waterfalls: blocks lost over SNR, frames not mixed",
                  plots(plot_waterfalls(results)));
  html += section("Errors over the screen (violet 0.1% of the cells, yellow 50%)",
                  soft ? plot_tiles(groups) : "");
  html += section("Constellations: equalised cells by what was shown",
                  soft ? plot_constellations(groups) : "");
  html += section("CPU time of a capture, ms", soft ? cpu_table(results) : "");
  html += section("All points", point_table(results));
  return html + "</body></html>\n";
}

}  // namespace wccl::eval
