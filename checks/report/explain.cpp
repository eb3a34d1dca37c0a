#include "checks/report/explain.h"

#include <map>

#include "checks/halfline/tail_claims.h"
#include "checks/report/report_cells.h"
#include "checks/report/theorems_used.h"
#include "theory/asymptotics/convergence.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/expression/expr_print.h"
#include "theory/source/spec_error.h"
#include "theory/source/text_list.h"

namespace gpe::checks {

using theory::Expr;
using theory::Property;
using theory::Rational;

namespace {

constexpr std::size_t kExplainWidth = 110;

std::string case_text(const theory::CaseTree& tree, const std::vector<std::string>& symbols,
                      std::size_t depth) {
  const std::string indent(2 * depth + 4, ' ');
  if (tree.is_leaf()) {
    std::string truth = "undecided";
    if (tree.decision.truth == theory::Truth::holds) truth = "holds";
    if (tree.decision.truth == theory::Truth::fails) truth = "fails";
    return indent +
           wrapped(truth + ": " + tree.decision.reason, kExplainWidth - indent.size(), indent.size() + 2) +
           "\n";
  }
  std::string text;
  for (const theory::CaseTree::Branch& branch : tree.branches) {
    const theory::Constraint condition{tree.splitter, theory::relation_of(branch.sign)};
    text += indent + "when " + theory::to_text(condition, symbols) + "\n";
    text += case_text(branch.tree.front(), symbols, depth + 1);
  }
  return text;
}

std::string sum_of_logs(int level, const std::string& eta) {
  std::string text;
  std::string name = "n";
  for (int k = 1; k <= level + 1; ++k) {
    name = "log(" + name + ")";
    text += k <= level ? " - " + name : " - " + eta + name;
  }
  return text;
}

// The inequality that proves convergence or divergence, with its threshold.
std::string threshold_text(const Expr& score, const std::string& which, const theory::Context& context) {
  const auto text = [&]() -> std::string {
    const theory::SumDecision decision = theory::decide_sum(score, context);
    const auto claim = prove_on_scale(score, decision, context);
    if (!claim) return "    no explicit threshold among those tried\n";
    const std::string constant = claim->constant.str();
    if (claim->converges) {
      const std::string eta = claim->eta.is_one() ? "2 " : "(1 + " + claim->eta.str() + ") ";
      return "    proved: for " + to_text(claim->threshold) + ", " + which + " <= " + constant +
             sum_of_logs(claim->level, eta) + "\n";
    }
    return "    proved: for " + to_text(claim->threshold) + ", " + which + " >= -" + constant +
           sum_of_logs(claim->level, "") + "\n";
  };
  return theory::attempt<theory::Undecided, theory::SplitRequest>(text).value_or("");
}

// Where the verdict is that of a sum over e^A: whether A is the smallest score, and not the largest.
std::optional<bool> sum_below(theory::ReadingOf reading) {
  if (reading == theory::ReadingOf(theory::NormalizationReading::some_content)) return true;
  const bool above = reading == theory::ReadingOf(theory::NormalizationReading::every_content) ||
                     reading == theory::ReadingOf(theory::EntropyReading::limit);
  return above ? std::optional<bool>(false) : std::nullopt;
}

// What is said of one verdict below its heading.
std::string finding_text(const theory::Finding& finding, const EncodingReport& report,
                         const theory::Context& context) {
  const theory::ScoreFunction& law = report.closed_law;
  std::string statement(finding.reading->statement);
  if (law.content_law && finding.reading->which == theory::ReadingOf(theory::NormalizationReading::expected))
    statement = "E Z < inf given q, for " + law.content_law->name();
  if (finding.quantifier == theory::Quantifier::random) {
    const bool mean = finding.reading->which == theory::ReadingOf(theory::EntropyReading::uniform);
    const bool expected = finding.reading->which == theory::ReadingOf(theory::NormalizationReading::expected);
    if (mean)
      statement = "sup_L E H_L < inf for every content";
    else
      statement = expected ? statement + ", and gates" : "almost surely, " + statement;
  }
  std::string text = "    statement: " + wrapped(statement, kExplainWidth - 15, 15) + "\n";
  if (const std::string meaning = meaning_of(law.normalizer); !meaning.empty())
    text += "    where " + wrapped(meaning, kExplainWidth - 10, 10) + "\n";
  text += "    because " + wrapped(finding.reason, kExplainWidth - 12, 12) + "\n";
  const std::optional<bool> below = sum_below(finding.reading->which);
  const bool plain =
      finding.quantifier == theory::Quantifier::none && law.normalizer == theory::Normalizer::softmax;
  std::string inequality;
  if (below && plain && finding.content_bound && !law.window && !law.depends_on_length()) {
    const Expr bound(*finding.content_bound);
    const Expr score = *below ? theory::score_below(law, bound) : theory::score_above(law, bound);
    inequality = threshold_text(score, *below ? "b - |f| w B" : "b + |f| w B", context);
  }
  text += inequality;
  if (const std::string used = theorems_used(finding, report, inequality.starts_with("    proved:"), context);
      !used.empty())
    text += "    by " + wrapped(used, kExplainWidth - 7, 7) + "\n";
  return text + "    " + wrapped(theory::holds_text(finding.region), kExplainWidth - 4, 15) + "\n";
}

std::string cases_of(const theory::Finding& finding, const std::vector<std::string>& symbols) {
  if (finding.region == "always" || finding.region == "never") return "";
  return case_text(finding.cases, symbols, 1);
}

}  // namespace

std::string explain(const EncodingReport& report, const std::string& property,
                    const theory::Context& context) {
  const Selected selected = select_property(property, "--explain");
  std::vector<std::string> symbols = theory::names_of(report.law.parameters);
  symbols.emplace_back(theory::kContentBound);
  std::string text = "\n  " + name_with_head(report) + ": " + title_of(selected.property) + "\n";
  std::vector<std::string> bounds;
  std::string body;
  std::map<std::string, std::string> written;  // cases, and the reading below which they stand
  const auto write_finding = [&](const theory::Finding& finding) {
    const std::string name = row_of(report, finding).name();
    text += "\n  " + name;
    for (std::size_t i = 0; i < bounds.size(); ++i) text += (i == 0 ? " (B = " : ", ") + bounds[i];
    text += (bounds.empty() ? ": " : "): ") + std::string(theory::name_of(finding.verdict)) + "\n" + body;
    const std::string cases = cases_of(finding, symbols);
    if (cases.empty()) return;
    const auto [first, is_new] = written.emplace(cases, name);
    text += is_new ? "    cases:\n" + cases : "    cases: those of " + first->second + "\n";
  };
  const theory::Finding* open = nullptr;  // findings that differ only in B are written once
  for (const theory::Finding& finding : report.findings) {
    if (finding.reading->property != selected.property) continue;
    if (!selected.reading.empty() && finding.reading->name != selected.reading) continue;
    std::string next = finding_text(finding, report, context.question());
    if (open != nullptr && (open->reading != finding.reading || open->quantifier != finding.quantifier ||
                            open->verdict != finding.verdict || body != next ||
                            cases_of(*open, symbols) != cases_of(finding, symbols))) {
      write_finding(*open);
      bounds.clear();
    }
    open = &finding;
    body = std::move(next);
    if (finding.content_bound) bounds.push_back(finding.content_bound->str());
  }
  if (open != nullptr) write_finding(*open);
  return text;
}

}  // namespace gpe::checks
