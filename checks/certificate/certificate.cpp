#include "checks/certificate/certificate.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checks/certificate/law_json.h"
#include "checks/certificate/path_reduction.h"
#include "checks/certificate/proof_json.h"
#include "checks/certificate/proof_search.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/source/table.h"

namespace gpe::checks {

using theory::Expr;
using theory::Truth;

namespace {

struct NoProof {};

// The cases as a certificate has them; `proofs` begins with those of the tree's leaves, in order, and is left
// behind them. @pre every leaf is decided
Json tree_json(const theory::CaseTree& tree, std::vector<ProofTerm>::const_iterator& proofs) {
  if (tree.is_leaf())
    return {{"verdict", tree.decision.truth == Truth::holds ? "holds" : "fails"},
            {"proof", proof_json(*proofs++)}};
  Json json = {{"split", theory::to_text(tree.splitter)}};
  constexpr std::array kSides = {"below", "at", "above"};
  for (const theory::CaseTree::Branch& branch : tree.branches)
    json[kSides.at(static_cast<std::size_t>(branch.sign + 1))] = tree_json(branch.tree.front(), proofs);
  return json;
}

bool in_domains(const theory::ScoreFunction& law, const theory::Context& context) {
  for (const theory::ParameterValue& parameter : law.parameters) {
    for (const theory::Condition& condition : parameter.domain) {
      Expr difference = condition.left - condition.right;
      for (const theory::ParameterValue& other : law.parameters)
        difference = theory::substitute(difference, other.name, other.value);
      const int sign = context.sign(theory::to_form(difference, context));
      if (!theory::satisfies(condition.relation, sign)) return false;
    }
  }
  return true;
}

// A point of the domains at which the reading holds, and one at which it fails, among a few simple ones.
Json witnesses(const EncodingReport& report, const theory::Reading& reading, const Expr& bound,
               const std::vector<std::string>& free, const theory::Context& question) {
  const std::vector<theory::Rational> simple = {0,  1,        2,   {1, 2}, 3,  {1, 10},
                                                10, {1, 100}, 100, -1,     -2, {-1, 2}};
  Json found = Json::object();
  std::vector<std::size_t> at(free.size(), 0);  // 0: the value in use
  for (int tried = 0; tried < 4000 && found.size() < 2 && !question.budget().is_over(); ++tried) {
    theory::ScoreFunction law = report.law;
    Json point = Json::object();
    Expr content = bound;
    for (std::size_t i = 0; i < free.size(); ++i) {
      const auto parameter = std::ranges::find(law.parameters, free[i], &theory::ParameterValue::name);
      const bool is_bound = parameter == law.parameters.end();
      if (at[i] > 0 || is_bound)
        (is_bound ? content : parameter->value) = Expr(at[i] > 0 ? simple[at[i] - 1] : 1);
      point[free[i]] = theory::to_text(is_bound ? content : parameter->value);
    }
    for (std::size_t i = 0; i < at.size() && ++at[i] > simple.size(); ++i) at[i] = 0;
    const auto decided = [&] {
      const theory::ScoreFunction closed = theory::at_values(law);
      const theory::Context context = theory::context_for(closed, {}, question);
      const bool positive = content.as<theory::node::Symbol>() != nullptr || content.number()->sign() > 0;
      if (!positive || !in_domains(law, context)) return Truth::undecided;
      return theory::decide(reading, closed, content, context).truth;
    };
    const Truth truth =
        theory::attempt<theory::Undecided, theory::Undefined, theory::SplitRequest>(decided).value_or(
            Truth::undecided);
    const char* side = truth == Truth::holds ? "holds" : "fails";
    if (truth != Truth::undecided && !found.contains(side)) found[side] = point;
  }
  return found;
}

bool has_undecided(const theory::CaseTree& tree) {
  if (tree.is_leaf()) return tree.decision.truth == Truth::undecided;
  return std::ranges::any_of(tree.branches, [](const auto& b) { return has_undecided(b.tree.front()); });
}

// Splits as this tree does, before anything is decided, so that each case lies on one side of its region.
void split_as(const theory::CaseTree& cases, const theory::Context& context) {
  for (const theory::CaseTree* at = &cases; !at->is_leaf();) {
    const auto sign = context.constraints().signs(at->splitter).single();
    if (!sign) throw theory::SplitRequest{at->splitter};
    const auto branch = std::ranges::find(at->branches, *sign, &theory::CaseTree::Branch::sign);
    if (branch == at->branches.end()) return;
    at = &branch->tree.front();
  }
}

bool is_decided(const theory::ScoreFunction& closed, const theory::Reading& reading, theory::Verdict verdict,
                const Expr& bound, const theory::Context& question) {
  const auto truth = theory::attempt<theory::Undecided, theory::Undefined, theory::SplitRequest>([&] {
    return theory::decide(reading, closed, bound, theory::context_for(closed, {}, question)).truth;
  });
  return truth && *truth == (verdict == theory::Verdict::holds ? Truth::holds : Truth::fails);
}

// Whether every case has this verdict.
bool all_say(const Json& cases, std::string_view verdict) {
  if (cases.is_null()) return true;
  if (!cases.contains("split")) return cases["verdict"] == verdict;
  return std::ranges::all_of(std::vector{"below", "at", "above"}, [&](const char* branch) {
    return !cases.contains(branch) || all_say(cases[branch], verdict);
  });
}

// The certificate of the claim that a reduction names, under the words of the claim that follows from it;
// null without a proof.
Json reduced_certificate(EncodingReport& report, const theory::Finding& finding, const Reduction& reduction,
                         const Expr& bound, const std::vector<std::string>& free, bool at_point,
                         const theory::Context& context) {
  report.law = reduction.law;
  report.closed_law = theory::at_values(report.law);
  theory::Finding other = finding;
  other.reading = reduction.reading;
  if (!other.reading->uses_content_bound) other.content_bound.reset();
  if (reduction.contrary) {
    other.verdict =
        finding.verdict == theory::Verdict::holds ? theory::Verdict::fails : theory::Verdict::holds;
    other.region = finding.region == "always" ? "never" : "always";
  }
  if (reduction.one_way &&
      !is_decided(report.closed_law, *other.reading, other.verdict, bound, context.question()))
    return nullptr;
  Json json = verdict_certificate(report, other, bound, free, at_point, context);
  if (json.is_null() || (reduction.one_way && !all_say(json["cases"], theory::name_of(other.verdict))))
    return nullptr;
  json["claim"].update(
      {{"property", theory::name_of(finding.reading->property)},
       {"reading", finding.reading->name},
       {"content_bound", finding.content_bound ? Json(finding.content_bound->str()) : Json(nullptr)},
       {"verdict", theory::name_of(finding.verdict)},
       {"region", finding.region}});
  return json;
}

// Theorems P1 and P2: the certificate of the law with a constant gate. That there is a gate is part of the
// domains.
Json path_certificate(EncodingReport report, const theory::Finding& finding, const Expr& bound,
                      const std::vector<std::string>& free, bool at_point, const theory::Context& context) {
  const theory::Path path = *report.law.path;
  const bool asked = finding.quantifier != theory::Quantifier::none;
  const bool at_random = finding.quantifier == theory::Quantifier::random;
  if (!at_point && finding.verdict == theory::Verdict::depends) return nullptr;
  for (Reduction& reduction : gate_reductions(report.law, finding)) {
    if (path.low && (path.low->number() == nullptr || path.high.number() == nullptr)) {
      const bool open = path.low_open || path.high_open;
      for (theory::ParameterValue& parameter : reduction.law.parameters)
        parameter.domain.push_back(
            {open ? theory::Relation::less : theory::Relation::less_equal, *path.low, path.high});
    }
    Json json = reduced_certificate(report, finding, reduction, bound, free, at_point, context);
    if (json.is_null()) continue;
    const auto& formulas = report.encoding.formulas;
    json["claim"]["gates"] = asked ? Json(theory::name_of(finding.quantifier)) : Json(nullptr);
    json["law"]["path"] = {{"low", formulas.at("low")},
                           {"high", formulas.at("high")},
                           {"open", formulas.contains("open") ? Json(formulas.at("open")) : Json(nullptr)}};
    if (at_random) {
      const std::string key =
          finding.reading->which == theory::ReadingOf(theory::NormalizationReading::expected) ? "mean_exp"
                                                                                              : "mean";
      json["law"]["path"][key] = formulas.at(key);
    }
    if (reduction.level) json["gate"] = *reduction.level;
    return json;
  }
  return nullptr;
}

// Theorems N1 to N5: the certificate of a claim about a law with softmax from which the claim follows.
Json normalizer_certificate(EncodingReport report, const theory::Finding& finding, const Expr& bound,
                            const std::vector<std::string>& free, bool at_point,
                            const theory::Context& context) {
  const theory::ScoreFunction law = report.law;
  const Json as_written = law_json(report);
  const auto& formulas = report.encoding.formulas;
  const auto parameter = formulas.find("normalizer_parameter");
  for (const Reduction& reduction : reductions_of(law, finding, bound)) {
    Json json = reduced_certificate(report, finding, reduction, bound, free, at_point, context);
    if (json.is_null()) continue;
    json["law"] = as_written;
    json["law"]["normalizer"] = {
        {"kind", theory::name_of(law.normalizer)},
        {"parameter", parameter == formulas.end() ? Json(nullptr) : Json(parameter->second)}};
    json["level"] = reduction.level ? Json(*reduction.level) : Json(nullptr);
    return json;
  }
  return nullptr;
}

// Theorem Q1: likewise, of a law with one query. A gradient has none.
Json query_certificate(EncodingReport report, const theory::Finding& finding, const Expr& bound,
                       const std::vector<std::string>& free, bool at_point, const theory::Context& context) {
  const theory::QueryBias query = *report.law.query;
  if (finding.reading->property == theory::Property::gps ||
      (!at_point && finding.verdict == theory::Verdict::depends))
    return nullptr;
  for (Reduction& reduction : query_reductions(report.law, finding)) {
    if (query.radius.number() == nullptr) {
      for (theory::ParameterValue& parameter : reduction.law.parameters)
        parameter.domain.push_back({theory::Relation::less, Expr(0), query.radius});
    }
    Json json = reduced_certificate(report, finding, reduction, bound, free, at_point, context);
    if (json.is_null()) continue;
    const auto& formulas = report.encoding.formulas;
    json["claim"]["query"] = finding.quantifier == theory::Quantifier::none
                                 ? Json(nullptr)
                                 : Json(theory::name_of(finding.quantifier));
    json["law"]["query"] = {{"radius", formulas.at("radius")}, {"shape", formulas.at("shape")}};
    if (reduction.level) json["at"] = *reduction.level;
    return json;
  }
  return nullptr;
}

// Theorem X2: the certificate of the law without content whose scores are log E e^A; of some law, of content
// 0.
Json content_certificate(EncodingReport report, const theory::Finding& finding, std::vector<std::string> free,
                         bool at_point, const theory::Context& context) {
  const theory::ContentLaw content = *report.law.content_law;
  std::erase(free, theory::kContentBound);  // there is no bound
  at_point = at_point || free.empty();
  const bool expected = finding.reading->which == theory::ReadingOf(theory::NormalizationReading::expected);
  if (!expected || (!at_point && finding.verdict == theory::Verdict::depends)) return nullptr;
  const auto mean = theory::attempt<theory::Undecided>([&] {
    const theory::ScoreFunction most =
        theory::with_mean_content(report.law);  // its hypotheses, for some law too
    return finding.quantifier == theory::Quantifier::some ? theory::without_content(report.law) : most;
  });
  if (!mean) return nullptr;
  const Json as_written = law_json(report);
  report.law = *mean;
  report.closed_law = theory::at_values(report.law);
  Json json = verdict_certificate(report, finding, Expr(1), free, at_point, context);
  if (json.is_null()) return json;
  json["claim"]["law"] = finding.quantifier == theory::Quantifier::none
                             ? Json(nullptr)
                             : Json(theory::name_of(finding.quantifier));
  json["law"] = as_written;
  json["law"]["content"] = content.name();
  return json;
}

}  // namespace

Json certificate(const EncodingReport& report, const theory::Finding& finding, const ReportOptions& options,
                 const theory::Context& context) {
  const bool symbolic_bound =
      std::ranges::find(options.symbolic, theory::kContentBound) != options.symbolic.end();
  Expr bound(1);
  if (finding.content_bound) bound = Expr(*finding.content_bound);
  if (symbolic_bound) bound = Expr::symbol(theory::kContentBound);
  std::vector<std::string> free;
  for (const theory::ParameterValue& parameter : report.law.parameters) {
    if (options.symbolic.empty() ||
        std::ranges::find(options.symbolic, parameter.name) != options.symbolic.end())
      free.push_back(parameter.name);
  }
  if (symbolic_bound) free.emplace_back(theory::kContentBound);
  return verdict_certificate(report, finding, bound, free, options.symbolic.empty(), context);
}

Json certificate_at_values(const EncodingReport& report, theory::Finding finding,
                           const theory::Context& context) {
  const bool holds = finding.verdict == theory::Verdict::holds;
  finding.region = holds ? "always" : "never";
  finding.cases = {};
  finding.cases.decision.truth = holds ? Truth::holds : Truth::fails;
  return verdict_certificate(report, finding, Expr(finding.content_bound.value_or(theory::Rational(1))), {},
                             true, context);
}

Json verdict_certificate(const EncodingReport& report, const theory::Finding& finding, const Expr& bound,
                         const std::vector<std::string>& free, bool at_point,
                         const theory::Context& context) {
  const theory::Reading& reading = *finding.reading;
  if (report.law.path) return path_certificate(report, finding, bound, free, at_point, context);
  if (report.law.normalizer != theory::Normalizer::softmax)
    return normalizer_certificate(report, finding, bound, free, at_point, context);
  if (report.law.content_law && finding.reading->uses_content_bound)
    return content_certificate(report, finding, free, at_point, context);
  const theory::ReadingOf which = reading.which;
  if (report.law.content_law && (which == theory::ReadingOf(theory::CorrelationReading::content) ||
                                 which == theory::ReadingOf(theory::CorrelationReading::probability)))
    return nullptr;  // their rules are about spheres
  if (report.law.query) return query_certificate(report, finding, bound, free, at_point, context);
  if (has_undecided(finding.cases)) return nullptr;  // its region leaves out what may be decided below
  std::vector<ProofTerm> proofs;
  // The decision once more, and the proofs of its leaves, in order.
  const auto explore = [&](const theory::ScoreFunction& law, const std::vector<std::string>& open,
                           bool explicit_n, const theory::CaseTree& cases = {}) {
    // The verifier's rules go by the law as it is written.
    if (law.depends_on_length() != report.law.depends_on_length()) throw NoProof();
    proofs.clear();
    return theory::explore(
        theory::context_for(report.law, open, context.question()), [&](const theory::Context& c) {
          split_as(cases, c);
          theory::Decision decision = theory::decide(reading, law, bound, c);
          if (decision.truth == Truth::undecided) return decision;
          const auto proof =
              ProofSearch(law, bound, c, explicit_n).prove(reading, decision.truth == Truth::holds);
          if (!proof) throw NoProof();
          proofs.push_back(*proof);
          return decision;
        });
  };
  Json json = {
      {"schema", 1},
      {"kind", "verdict"},
      {"claim",
       {{"property", theory::name_of(reading.property)},
        {"reading", reading.name},
        {"content_bound", finding.content_bound ? Json(finding.content_bound->str()) : Json(nullptr)},
        {"verdict", theory::name_of(finding.verdict)},
        {"region", finding.region}}},
      {"law", law_json(report)},
      {"free", free},
      {"proof", nullptr},
      {"cases", nullptr},
      {"witnesses", nullptr}};
  try {
    if (at_point) {
      const theory::CaseTree here = explore(report.closed_law, {}, true);
      if (!here.is_leaf() || here.decision.truth == Truth::undecided) return nullptr;
      json["proof"] = proof_json(proofs.front());
    }
    if (!free.empty()) {
      const theory::ScoreFunction open = theory::at_values(report.law, free);
      theory::CaseTree tree = explore(open, free, false);
      const auto region = theory::region_of(tree, Truth::holds,
                                            theory::context_for(report.law, free, context.question()), free);
      if (theory::to_text(region, free) != finding.region) tree = explore(open, free, false, finding.cases);
      if (has_undecided(tree)) return nullptr;
      auto leaf = proofs.cbegin();
      json["cases"] = tree_json(tree, leaf);
      if (!at_point && finding.verdict == theory::Verdict::depends)
        json["witnesses"] = witnesses(report, reading, bound, free, context.question());
      if (json["witnesses"].is_object() && json["witnesses"].size() < 2) return nullptr;
    }
  } catch (const NoProof&) {
    return nullptr;
  }
  return json;
}

}  // namespace gpe::checks
