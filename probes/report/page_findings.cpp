#include "probes/report/page_findings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "probes/report/read_report.h"
#include "probes/report/serving_windows.h"
#include "theory/expression/spec_error.h"

namespace gpe::probes {

namespace {

using Weight = PageFinding::Weight;

// The rules, as docs/probes.md has them.
constexpr double kDeparture = 0.5;    // nats from the entropy at the length of training
constexpr double kFewHeads = 0.1;     // of all
constexpr double kOneKey = 0.95;      // mean largest weight
constexpr double kEven = 0.95;        // entropy over that of even weights
constexpr double kLargeContent = 50;  // |c|: e^50 against 1
constexpr double kGrowth = 0.9;       // dH/dlog T
constexpr double kSink = 0.9;         // mean weight of the sink
constexpr double kUnpredicted = 0.5;  // nats
constexpr double kCoverage = 0.999;   // of all rows, at 95 % confidence

std::string fixed(double value, int places) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", places, value);
  return text;
}

std::string name_of(const Json& head) { return head.at("layer").dump() + "." + head.at("head").dump(); }

const Json& rows_of(const Json& head) { return head.at("lengths").back().at("second_half"); }

std::string count_of(std::size_t some, std::size_t all) {
  if (some == all) return all == 1 ? "The head" : "All " + std::to_string(all) + " heads";
  return std::to_string(some) + " of " + std::to_string(all) + " heads";
}

// Heads whose value is at least the limit, with a finding about them.
class Rules {
 public:
  explicit Rules(const Json& report) : report_(report) {}

  template <typename Value>
  void suspect(const std::string& title, const std::string& text, double limit, const Value& value) {
    PageFinding found{Weight::look, title, text, {}};
    for (const Json& head : report_.at("heads")) {
      if (value(head) >= limit) found.heads.push_back(name_of(head));
    }
    if (!found.heads.empty()) findings.push_back(std::move(found));
  }

  std::vector<PageFinding> findings;

 private:
  const Json& report_;
};

void add_contradictions(const Json& report, std::vector<PageFinding>& findings) {
  if (!report.contains("contradictions")) return;
  for (const Json& one : report.at("contradictions")) {
    findings.push_back({Weight::wrong,
                        "A theorem is broken",
                        one.at("text").get<std::string>(),
                        {one.at("layer").dump() + "." + one.at("head").dump()}});
  }
}

// The greatest length read at which few heads have left the entropy that they have at the length of training.
void add_context_limit(const Json& report, std::vector<PageFinding>& findings) {
  const std::int64_t context = report.value("context", std::int64_t{0});
  const Json& lengths = report.at("lengths");
  if (context == 0 || lengths.back().get<std::int64_t>() <= context) return;
  std::size_t at_training = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i].get<std::int64_t>() <= context) at_training = i;
  }
  const auto entropy = [](const Json& head, std::size_t i) {
    return number(head.at("lengths")[i].at("second_half").at("entropy").at("mean"));
  };
  const std::size_t all = report.at("heads").size();
  std::string limit = lengths[at_training].dump();
  for (std::size_t i = at_training + 1; i < lengths.size(); ++i) {
    PageFinding left{Weight::look, "Attention changes beyond " + limit + " tokens", "", {}};
    for (const Json& head : report.at("heads")) {
      if (std::abs(entropy(head, i) - entropy(head, at_training)) > kDeparture)
        left.heads.push_back(name_of(head));
    }
    if (static_cast<double>(left.heads.size()) > kFewHeads * static_cast<double>(all)) {
      left.text = "At T = " + lengths[i].dump() + ", " + count_of(left.heads.size(), all) +
                  " are more than " + fixed(kDeparture, 1) +
                  " nats from the entropy they have at T = " + lengths[at_training].dump() +
                  " (the model was trained at " + std::to_string(context) + "). Serve up to " + limit +
                  " tokens, or measure the task beyond.";
      findings.push_back(std::move(left));
      return;
    }
    limit = lengths[i].dump();
  }
  findings.push_back({Weight::good,
                      "Attention stays as it was trained, up to " + limit + " tokens",
                      "At most " + fixed(100 * kFewHeads, 0) + " % of the heads are more than " +
                          fixed(kDeparture, 1) + " nats from the entropy they have at T = " +
                          lengths[at_training].dump() + "; longer texts were not read.",
                      {}});
}

void add_windows(const Json& report, std::vector<PageFinding>& findings) {
  if (!report.at("heads").front().contains("statistical_window")) return;
  const Json windows = serving_windows(report);
  const Json& total = windows.at("total");
  const double all = total.at("MiB").get<double>() + total.at("MiB_saved").get<double>();
  std::string text;
  for (const auto& [kind, count] : total.at("heads").items()) {
    if (count.get<int>() == 0) continue;
    const bool whole = kind == "full";
    text += (text.empty() ? "" : ", ") + count.dump() + (whole ? " keep every key" : " " + kind);
  }
  const bool saves = total.at("MiB_saved").get<double>() > 0;
  // what was seen in a few rows, or is proved of them alone, says little about others
  const Json& seen = windows.at("heads").front().at("statistical");
  const int rest_on_rows = total.at("heads").at("statistical").get<int>() +
                           total.at("heads").at("a-posteriori").get<int>() +
                           total.at("heads").at("assumed").get<int>();
  const bool enough = rest_on_rows == 0 || seen.at("coverage").get<double>() >= kCoverage;
  const std::string share = fixed(100 * total.at("MiB").get<double>() / all, 1) + " % of the cache at " +
                            windows.at("length").dump() + " tokens";
  const std::string rows = seen.at("rows").dump() + (seen.at("rows") == 1 ? " row" : " rows");
  std::int64_t exceeded = 0;
  for (const Json& head : windows.at("heads")) {
    if (!head.at("proved").is_null() && !head.at("proved").at("bounds_content_seen").get<bool>()) ++exceeded;
  }
  findings.push_back(
      {saves && enough ? Weight::good : Weight::look,
       !saves   ? "No head can drop keys at " + windows.at("length").dump() + " tokens"
       : enough ? "Keep " + share
                : "The " + rows + " tested would do with " + share,
       "Windows that leave out at most " + windows.at("epsilon").get<std::string>() +
           " of the weight, by head: " + text + "; " + fixed(total.at("MiB_saved").get<double>(), 2) +
           " of " + fixed(all, 2) + " MiB saved in " + report.at("dtype").get<std::string>() +
           ". Proved ones hold for " + windows.at("proved_windows_hold_for").get<std::string>() +
           (exceeded == 0
                ? ""
                : "; those of " + count_of(static_cast<std::size_t>(exceeded), windows.at("heads").size()) +
                      " are not used: contents beyond their B were seen") +
           (enough
                ? ""
                : "; those seen hold for " + fixed(100 * seen.at("coverage").get<double>(), 1) +
                      " % of all rows at 95 % confidence, were rows independent: read more windows first") +
           "; --serving-windows writes them as a file.",
       {}});
}

void add_divergent(const Json& report, std::vector<PageFinding>& findings) {
  PageFinding found{Weight::look,
                    "No window holds at every length",
                    "The weights of these heads do not sum up (convergent normalization fails): with enough "
                    "tokens any window loses any share of the weight, whatever was measured here.",
                    {}};
  for (const Json& head : report.at("heads")) {
    for (const Json& verdict : head.value("verdicts", Json::array())) {
      if (verdict.at("property") == "convergent-normalization" && verdict.at("verdict") == "fails")
        found.heads.push_back(name_of(head));
    }
  }
  if (!found.heads.empty()) findings.push_back(std::move(found));
}

void add_suspects(const Json& report, std::vector<PageFinding>& findings) {
  Rules rules(report);
  rules.suspect("One key has it all",
                "Mean largest weight of " + fixed(kOneKey, 2) +
                    " or more: the entropy has collapsed, and little gradient flows.",
                kOneKey,
                [](const Json& head) { return number(rows_of(head).at("largest_weight").at("mean")); });
  rules.suspect("Nearly even weights",
                "Entropy of " + fixed(kEven, 2) +
                    " times that of even weights or more: these heads average over everything they see.",
                kEven * even_entropy(report.at("lengths").back().get<std::int64_t>()),
                [](const Json& head) { return number(rows_of(head).at("entropy").at("mean")); });
  rules.suspect(
      "Large contents",
      "|q'k|/sqrt(d) of " + fixed(kLargeContent, 0) +
          " or more in some row: position hardly matters there, and 16-bit formats round such logits.",
      kLargeContent, [](const Json& head) { return number(rows_of(head).at("largest_content").at("max")); });
  rules.suspect("Entropy grows like log T",
                "dH/dlog T of " + fixed(kGrowth, 1) +
                    " or more between the last two lengths: attention spreads over "
                    "everything that is added.",
                kGrowth,
                [](const Json& head) { return number(head.at("lengths").back().value("slope", Json())); });
  rules.suspect("The sink has the weight", "Mean weight of the sink of " + fixed(kSink, 1) + " or more.",
                kSink, [](const Json& head) { return number(rows_of(head).at("sink_weight").at("mean")); });
  rules.suspect(
      "Not as short windows say",
      "The entropy at the greatest length is " + fixed(kUnpredicted, 1) +
          " nats or more from what windows of the fit predict: the model's states drift with position.",
      kUnpredicted, [](const Json& head) {
        const Json further = head.value("extrapolation", Json::array());
        if (further.empty()) return std::numeric_limits<double>::quiet_NaN();
        return std::abs(number(further.back().at("predictors").at("continued").at("from_fit").at("error")));
      });
  std::ranges::move(rules.findings, std::back_inserter(findings));
}

constexpr std::int64_t kMostTokens = std::int64_t{1} << 26;
constexpr std::int64_t kMostHeads = 100000;
constexpr std::int64_t kMostWindow = std::int64_t{1} << 53;

bool is_count(const Json& value, std::int64_t most) {
  if (!value.is_number_integer()) return false;
  const auto count = value.get<std::int64_t>();
  return count >= 1 && count <= most;
}

}  // namespace

std::vector<PageFinding> page_findings(const Json& report) {
  std::vector<PageFinding> findings;
  add_contradictions(report, findings);
  add_context_limit(report, findings);
  add_windows(report, findings);
  add_divergent(report, findings);
  add_suspects(report, findings);
  return findings;
}

Json complete_report(Json report, const std::string& source) {
  const auto wrong = [&](const std::string& what) {
    throw theory::SpecError(source + ": " + what + "; expected a report of probe-attention or gpe.probe");
  };
  if (!report.is_object() || !report.contains("heads") || !report.at("heads").is_array() ||
      report.at("heads").empty())
    wrong("no object with heads");
  if (report.value("schema", 0) != 1) wrong("schema is not 1");
  for (const Json& head : report.at("heads")) {
    for (const char* key : {"layer", "head"}) {
      if (!is_count(head.is_object() ? head.value(key, Json()) : Json(), kMostHeads))
        wrong(std::string("a head whose ") + key + " is no count");
    }
    for (const char* key : {"window", "statistical_window"}) {
      const Json window = head.value(key, Json());
      const Json width = window.is_object() ? window.value("W", Json()) : Json();
      if (width.is_number() && width != 0 && !is_count(width, kMostWindow))
        wrong(std::string("a ") + key + " whose W is no count");
    }
  }
  if (report.contains("lengths")) {
    const Json& lengths = report.at("lengths");
    const bool counts = lengths.is_array() && std::ranges::all_of(lengths, [](const Json& length) {
                          return is_count(length, kMostTokens);
                        });
    if (!counts || lengths.empty()) wrong("lengths is no list of counts");
    for (const Json& head : report.at("heads")) {
      if (!head.is_object() || !head.contains("lengths") || head.at("lengths").size() != lengths.size())
        wrong("a head without all lengths");
    }
    return report;
  }
  if (!report.contains("tokens") || !is_count(report.at("tokens"), kMostTokens))
    wrong("neither lengths nor tokens");
  report["lengths"] = Json::array({report.at("tokens")});
  for (Json& head : report.at("heads")) {
    if (!head.contains("second_half") || !head.contains("last_row")) wrong("a head without second_half");
    head["lengths"] = Json::array({{{"length", report.at("tokens")},
                                    {"last_row", head.at("last_row")},
                                    {"second_half", head.at("second_half")},
                                    {"content_bound", head.value("content_bound", Json())}}});
  }
  return report;
}

}  // namespace gpe::probes
