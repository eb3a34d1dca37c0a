#include "probes/report/report_page.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <map>

#include "checks/report/svg_text.h"
#include "probes/report/check_report.h"
#include "probes/report/page_findings.h"
#include "probes/report/page_style.h"
#include "probes/report/read_report.h"
#include "probes/report/report_panels.h"
#include "probes/report/serving_windows.h"
#include "theory/expression/spec_error.h"

namespace gpe::probes {

namespace {

const PanelColors kColors{"var(--measured)", "var(--predicted)", "var(--row)", "var(--ranges)",
                          "var(--bound)"};

std::string escaped(const std::string& text) { return checks::svg_text(text); }

// A value of the report between tags: whatever it is, it begins none.
std::string shown(const Json& value) {
  return escaped(value.is_string() ? value.get<std::string>() : value.dump());
}

std::string fixed(const Json& value, int places) {
  if (!value.is_number()) return "";
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", places, value.get<double>());
  return text;
}

std::string general(const Json& value) {
  if (!value.is_number()) return "";
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", value.get<double>());
  return text;
}

std::string count(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object())
    return value.contains("log10") ? "10^" + value.at("log10").get<std::string>() : "undecided";
  return value.dump();
}

std::string tag(const std::string& name, const std::string& content, const std::string& attributes = "") {
  return "<" + name + (attributes.empty() ? "" : " " + attributes) + ">" + content + "</" + name + ">";
}

std::string head_name(const Json& head) { return shown(head.at("layer")) + "." + shown(head.at("head")); }

std::string text_of(const Json& report, const char* key) {
  const Json value = report.value(key, Json());
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

std::string facts(const Json& report) {
  std::string text;
  const auto fact = [&](const std::string& what, const std::string& value) {
    if (!value.empty()) text += "<li>" + tag("span", what) + tag("b", escaped(value)) + "</li>\n";
  };
  std::size_t most = 0;
  for (const Json& head : report.at("heads")) most = std::max(most, head.at("head").get<std::size_t>());
  fact("model",
       report.at("heads").back().at("layer").dump() + " layers of " + std::to_string(most) + " heads");
  fact("head dimension", text_of(report, "head_dim"));
  if (report.value("context", std::int64_t{0}) > 0)
    fact("trained at", report.at("context").dump() + " tokens");
  fact("read", report.at("lengths").back().dump() + " tokens" +
                   (report.contains("windows") ? ", " + report.at("windows").dump() + " windows" : ""));
  if (report.at("tokens").is_object()) fact("text", text_of(report.at("tokens"), "file"));
  fact("content bound B", text_of(report, "content_bound"));
  fact("computed in", text_of(report, "dtype"));
  return "<ul class=\"facts\">\n" + text + "</ul>\n";
}

std::string findings(const Json& report) {
  std::string text;
  for (const PageFinding& one : page_findings(report)) {
    const bool wrong = one.weight == PageFinding::Weight::wrong;
    const bool good = one.weight == PageFinding::Weight::good;
    std::string heads;
    for (const std::string& head : one.heads) heads += tag("span", escaped(head));
    text += "<div class=\"finding" +
            std::string(wrong  ? " wrong"
                        : good ? " good"
                               : "") +
            "\">" +
            tag("div",
                wrong  ? "wrong"
                : good ? "use"
                       : "look",
                "class=\"kind\"") +
            tag("h3", escaped(one.title)) + tag("p", escaped(one.text)) +
            (heads.empty() ? "" : tag("div", heads, "class=\"heads\"")) + "</div>\n";
  }
  if (text.empty()) text = tag("p", "Nothing stands out.");
  return tag("h2", "What to do") + "\n" + text;
}

std::string entropy_map(const Json& report) {
  const std::string longest = shown(report.at("lengths").back());
  const double most = even_entropy(report.at("lengths").back().get<std::int64_t>());
  std::string rows;
  std::string row;
  Json layer;
  std::size_t columns = 0;
  for (const Json& head : report.at("heads")) {
    if (head.at("layer") != layer) {
      if (!row.empty()) rows += tag("tr", row) + "\n";
      layer = head.at("layer");
      row = tag("th", "layer " + shown(layer));
    }
    columns = std::max(columns, head.at("head").get<std::size_t>());
    const Json& entropy = head.at("lengths").back().at("second_half").at("entropy").at("mean");
    const double share = entropy.is_number() ? std::clamp(number(entropy) / most, 0.0, 1.0) : 0.0;
    row += tag("td", fixed(entropy, 2),
               "style=\"--share:" + fixed(share, 3) + "\"" + (share > 0.55 ? " class=\"dark\"" : ""));
  }
  rows += tag("tr", row) + "\n";
  std::string names = "<th></th>";
  for (std::size_t i = 1; i <= columns; ++i) names += tag("th", std::to_string(i));
  return tag("h2", "Entropy at T = " + longest) +
         tag("p", "Nats, mean over rows T/2 to T - 1; full color is that of even weights.",
             "class=\"faint\"") +
         "<div class=\"scroll\"><table class=\"map\">" + tag("thead", tag("tr", names)) + tag("tbody", rows) +
         "</table></div>\n";
}

std::string panels(const Json& report, const PanelGrid& grid, const std::string& id) {
  std::string legend;
  for (const auto& [color, what] : grid.legend)
    legend += tag("span", "<i style=\"background:" + color + "\"></i>" + escaped(what));
  std::string title = grid.title;
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  std::string text = tag("h2", escaped(title)) + tag("div", legend, "class=\"legend\"") + "\n";
  std::size_t at = 0;
  for (std::size_t layer = 0; layer < grid.panels.size(); ++layer) {
    std::string figures;
    for (const Panel& panel : grid.panels[layer]) {
      const std::string name = head_name(report.at("heads")[at++]);
      figures +=
          tag("figure", tag("figcaption", "head " + name) + svg_panel(grid, panel, id + "-" + name)) + "\n";
    }
    const std::string number = shown(report.at("heads")[at - 1].at("layer"));
    constexpr std::size_t open_layers = 4;
    text += std::string(layer < open_layers ? "<details open>" : "<details>") +
            tag("summary", "layer " + number) + tag("div", figures, "class=\"panels\"") + "</details>\n";
  }
  return text;
}

// Rows of texts; the first one is the head.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::string body;
  std::string head;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string cells;
    for (const std::string& cell : rows[i]) cells += tag(i == 0 ? "th" : "td", cell);
    (i == 0 ? head : body) += tag("tr", cells) + "\n";
  }
  return "<div class=\"scroll\"><table>" + tag("thead", head) + tag("tbody", body) + "</table></div>\n";
}

std::string head_table(const Json& report) {
  const bool predicted = report.at("heads").front().at("lengths").back().contains("predictions");
  std::vector<std::string> names = {"head",           "entropy", "mean<br>distance", "largest<br>weight",
                                    "largest<br>|c|", "B"};
  if (predicted) {
    for (const char* name : {"dH/dlog T", "bias<br>alone", "band of ranges", "reach"})
      names.emplace_back(name);
  }
  std::vector<std::vector<std::string>> rows = {names};
  for (const Json& head : report.at("heads")) {
    const Json& at = head.at("lengths").back();
    const Json& seen = at.at("second_half");
    std::vector<std::string> row = {head_name(head),
                                    fixed(seen.at("entropy").at("mean"), 3),
                                    fixed(seen.at("mean_distance").at("mean"), 1),
                                    fixed(seen.at("largest_weight").at("mean"), 3),
                                    general(seen.at("largest_content").at("max")),
                                    general(at.at("content_bound"))};
    if (predicted) {
      const Json& says = at.at("predictions");
      row.push_back(fixed(at.at("slope"), 2));
      row.push_back(fixed(says.at("zero").at("entropy"), 3));
      row.push_back(fixed(says.at("ranges_band").at("lower"), 2) + " – " +
                    fixed(says.at("ranges_band").at("upper"), 2));
      row.push_back(escaped(count(at.at("tested").at("reach"))));
    }
    rows.push_back(std::move(row));
  }
  return tag("h2", "Heads at T = " + shown(report.at("lengths").back())) +
         tag("p",
             "Means over rows T/2 to T - 1" +
                 std::string(
                     predicted ? "; B, the bias alone and the band are of row T - 1. Reach: the farthest key "
                                 "that can have weight " +
                                     escaped(text_of(report, "weight")) + " there with contents within B."
                               : "."),
             "class=\"faint\"") +
         table(rows);
}

std::string windows_table(const Json& report) {
  if (!report.at("heads").front().contains("statistical_window")) return "";
  const Json windows = serving_windows(report);
  std::vector<std::vector<std::string>> rows = {{"head", "keep", "because", "proved for<br>every length", "B",
                                                 "largest |c|<br>seen", "enough in<br>rows tested",
                                                 "MiB saved"}};
  for (const Json& head : windows.at("heads")) {
    const Json& proved = head.at("proved");
    const bool none = proved.is_null();
    const bool exceeded = !none && !proved.at("bounds_content_seen").get<bool>();
    rows.push_back({head_name(head), shown(head.at("keys")) + " keys", shown(head.at("kind")),
                    none       ? "none"
                    : exceeded ? "no: |c| beyond B"
                               : shown(proved.at("keys")) + " keys",
                    none ? "" : general(proved.at("content_bound")),
                    none ? "" : general(proved.at("content_seen")),
                    shown(head.at("statistical").at("keys")) + " keys", fixed(head.at("MiB_saved"), 3)});
  }
  const Json& seen = windows.at("heads").front().at("statistical");
  const double all =
      windows.at("total").at("MiB").get<double>() + windows.at("total").at("MiB_saved").get<double>();
  const double share = 100 * windows.at("total").at("MiB").get<double>() / all;
  return tag("h2", "Windows at " + shown(windows.at("length")) + " tokens") +
         tag("p", "What a head may leave out with at most " + shown(windows.at("epsilon")) +
                      " of its weight: " + fixed(share, 1) + " % of the cache is kept.") +
         "<div class=\"bar\"><i style=\"width:" + fixed(share, 1) + "%\"></i></div>" +
         tag("p",
             "Proved windows hold for " + windows.at("proved_windows_hold_for").get<std::string>() +
                 " (B: " + escaped(text_of(report, "content_bound")) + "). Seen: " + shown(seen.at("rows")) +
                 " rows; were they independent, " + fixed(100 * seen.at("coverage").get<double>(), 1) +
                 " % of all rows would have it at 95 % confidence.",
             "class=\"faint\"") +
         table(rows);
}

std::string verdict_cell(const Json& verdict) {
  const std::string word = verdict.at("verdict").get<std::string>();
  const char* kind = word == "holds" ? "yes" : word == "fails" ? "no" : "open";
  return tag("span", escaped(word), "class=\"" + std::string(kind) + "\"");
}

// Heads with the same verdicts are one row.
std::string encodings(const Json& report) {
  std::string text;
  if (report.at("heads").front().contains("verdicts")) {
    std::vector<std::pair<std::vector<std::string>, std::string>> groups;
    std::vector<std::string> names = {"heads"};
    for (const Json& verdict : report.at("heads").front().at("verdicts")) {
      names.push_back(shown(verdict.at("property")) + "<br>" + shown(verdict.at("reading")));
    }
    std::map<std::string, std::string> reasons;
    for (const Json& head : report.at("heads")) {
      std::vector<std::string> cells;
      for (const Json& verdict : head.at("verdicts")) {
        cells.push_back(verdict_cell(verdict));
        reasons.emplace(
            verdict.at("property").get<std::string>() + " " + verdict.at("verdict").get<std::string>(),
            verdict.at("reason").get<std::string>());
      }
      const auto same = std::ranges::find(groups, cells, [](const auto& group) { return group.first; });
      if (same == groups.end()) {
        groups.emplace_back(cells, head_name(head));
      } else {
        same->second += " " + head_name(head);
      }
    }
    std::vector<std::vector<std::string>> rows = {names};
    for (const auto& [cells, heads] : groups) {
      rows.push_back({groups.size() == 1 ? "all" : heads});
      rows.back().insert(rows.back().end(), cells.begin(), cells.end());
    }
    text += table(rows);
    std::string why;
    for (const auto& [what, reason] : reasons)
      why += tag("p", tag("b", escaped(what)) + ": " + escaped(reason));
    text += "<details>" + tag("summary", "Why") +
            tag("pre", why, "style=\"white-space:pre-wrap;font-family:inherit\"") + "</details>\n";
  }
  if (report.contains("encoding_toml")) {
    text += "<details>" + tag("summary", "The encoding as a file") +
            tag("pre", escaped(text_of(report, "encoding_toml"))) + "</details>\n";
  }
  if (text.empty()) return "";
  return tag("h2", "The encoding: " + escaped(text_of(report, "encoding"))) +
         tag("p", "Decided at the values of each head and its B, for every length.", "class=\"faint\"") +
         text;
}

std::string title_of(const Json& report) {
  for (const char* key : {"checkpoint", "model"}) {
    std::string name = text_of(report, key);
    while (name.size() > 1 && name.back() == '/') name.pop_back();
    if (!name.empty()) return name.substr(name.rfind('/') + 1);  // the folder of a run
  }
  return "Attention";
}

std::string page(const Json& report) {
  const std::string title = title_of(report);
  const bool of_tsm = report.contains("encoding");
  const std::string what = text_of(report, of_tsm ? "encoding" : "model_type");
  const std::string kind = of_tsm ? "; encoding: " : "; model: ";
  std::string body =
      "<header>" + tag("h1", escaped(title)) +
      tag("p", "What its heads attend to" + (what.empty() ? "" : kind + escaped(what)), "class=\"faint\"") +
      facts(report) + "</header>\n";
  body += findings(report) + entropy_map(report);
  if (report.at("lengths").size() > 1) body += panels(report, entropy_panels(report, kColors), "entropy");
  body += panels(report, score_panels(report, kColors), "score");
  body += head_table(report) + windows_table(report) + encodings(report);
  body += tag("p",
              "Made by " + escaped(text_of(report.at("generator"), "program")) + " " +
                  escaped(text_of(report.at("generator"), "version")) +
                  ". Entropies in nats, distances in tokens, scores in logits.",
              "class=\"faint\" style=\"margin-top:36px\"");
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         // Nothing is loaded and no script runs, even if a value should ever slip through.
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n" +
         tag("title", escaped(title) + ": attention") + "\n<style>" + kPageStyle +
         "</style>\n</head>\n<body>\n<main>\n" + body + "\n</main>\n</body>\n</html>\n";
}

}  // namespace

std::string report_page(const Json& report, const std::string& source) {
  try {
    const Json complete = complete_report(report, source);
    check_report(complete, source);
    return page(complete);
  } catch (const Json::exception& error) {
    throw theory::SpecError(source + ": not a report of probe-attention or gpe.probe: " + error.what());
  }
}

}  // namespace gpe::probes
