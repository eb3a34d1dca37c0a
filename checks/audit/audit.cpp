#include "checks/audit/audit.h"
// Tests: tests/checks/audit/audit_claims_test.cpp
#include <algorithm>
#include <span>

#include "checks/audit/evaluate.h"
#include "checks/audit/formula_text.h"
#include "theory/exact/attempt.h"
#include "theory/source/nearest_name.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Truth;

std::string_view name_of(AuditVerdict verdict) {
  switch (verdict) {
    case AuditVerdict::confirmed:
      return "confirmed";
    case AuditVerdict::refuted:
      return "refuted";
    case AuditVerdict::depends:
      return "depends";
    case AuditVerdict::undecided:
      return "undecided";
  }
  return "";
}

AuditVerdict ClaimResult::overall() const {
  const auto all = [&](AuditVerdict verdict) {
    return std::ranges::all_of(readings, [&](const ReadingResult& one) { return one.verdict == verdict; });
  };
  for (const AuditVerdict verdict : {AuditVerdict::confirmed, AuditVerdict::refuted}) {
    if (all(verdict)) return verdict;
  }
  const bool open = std::ranges::any_of(
      readings, [](const ReadingResult& one) { return one.verdict == AuditVerdict::undecided; });
  return open ? AuditVerdict::undecided : AuditVerdict::depends;
}

namespace {

// Every encoding that a statement names.
template <class Part, class Visit>
void each_encoding(const Part& part, const Visit& visit) {
  if constexpr (requires { part.encoding; }) {
    if (part.encoding) visit(*part.encoding);
  }
  if constexpr (requires { part.quantity; }) each_encoding(part.quantity, visit);
  if constexpr (requires { part.quantities; }) {
    for (const ClaimQuantity& one : part.quantities) each_encoding(one, visit);
  }
  if constexpr (requires { part.terms; }) {
    for (const ClaimTerm& one : part.terms) each_encoding(one, visit);
  }
  if constexpr (requires { part.parts; }) {
    for (const Formula& one : part.parts) each_encoding(one, visit);
  }
}

bool has_word(const std::string& formula, const std::string& word) {
  const FormulaText text(formula);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text.word_at(i, {0, text.size()}, word)) return true;
  return false;
}

bool mentioned(const std::string& name, const Binding& by) {
  const auto in = [&](const theory::Expr& expression) { return expression.mentions(name); };
  return std::ranges::any_of(by.list, in) ||
         std::ranges::any_of(by.conditions, [&](const auto& one) { return in(one.left) || in(one.right); });
}

// A variable that nothing depends on is most likely mistyped: for all bta > 0: cn(mine), of a parameter beta.
// @param encodings  the variables of encodings further out
void refuse_unused(const Formula& formula, const AuditScope& scope, std::vector<std::string> encodings) {
  for (const Binding& one : formula.bindings) encodings.push_back(one.name);
  for (std::size_t i = 0; i < formula.bindings.size(); ++i) {
    const std::string& name = formula.bindings[i].name;
    const Formula& body = formula.parts[0];
    const std::span<const Binding> later = std::span(formula.bindings).subspan(i + 1);
    if (has_word(body.text, name) ||
        std::ranges::any_of(later, [&](const Binding& one) { return mentioned(name, one); }))
      continue;
    std::vector<std::string> parameters;
    each_encoding(body, [&](const EncodingName& one) {
      if (std::ranges::find(encodings, one.name) != encodings.end()) return;
      for (const theory::Parameter& parameter : scope.library_encoding(one.name).parameters)
        parameters.push_back(parameter.name);
    });
    if (std::ranges::find(parameters, name) != parameters.end()) continue;
    throw theory::SpecError(
        "nothing in '" + body.text + "' depends on '" + name + "'" +
        (name == theory::kContentBound
             ? "; a content bound is an argument: cn(alibi, B)"
             : theory::did_you_mean(name, parameters, "; expected a variable that is used")));
  }
  for (const Formula& part : formula.parts) refuse_unused(part, scope, encodings);
}

Quantified decide_formula(const Formula& formula, const AuditScope& scope) {
  const theory::Context context = scope.context().whole();
  if (formula.kind == Formula::Kind::for_which) return region_of_claim(formula, scope);
  if (formula.kind == Formula::Kind::for_all || formula.kind == Formula::Kind::for_some)
    return quantify(formula, scope, context);
  if (formula.kind == Formula::Kind::negation && formula.parts[0].kind != Formula::Kind::for_which) {
    Quantified result = decide_formula(formula.parts[0], scope);
    if (result.truth != Truth::undecided)
      result.truth = result.truth == Truth::holds ? Truth::fails : Truth::holds;
    return result;
  }
  Quantified result;
  const theory::Decision decision = evaluate_formula(formula, scope, context);
  result.truth = decision.truth;
  result.reason = decision.reason;
  return result;
}

// The opposite: of a region, its complement.
Formula negation_of(const Formula& formula) {
  Formula result;
  if (formula.kind == Formula::Kind::for_which) {
    result = formula;
    result.parts[0] = negation_of(formula.parts[0]);
    return result;
  }
  result.kind = Formula::Kind::negation;
  result.text = "not (" + formula.text + ")";
  result.parts = {formula};
  return result;
}

void add_remarks(ReadingResult& result, const Evidence& evidence) {
  if (result.verdict == AuditVerdict::undecided) return;
  const bool holds_somehow = (result.verdict == AuditVerdict::confirmed) != result.negated;
  if (!evidence.ill_posed.empty() && !holds_somehow) result.reason = "ill-posed: " + evidence.ill_posed;
  if (evidence.vacuous() && holds_somehow) {
    result.reason = "vacuous: " +
                    std::string(evidence.absent_compared ? "the numbers compared do not exist"
                                                         : "the hypothesis never holds") +
                    (result.reason.empty() ? "" : "; " + result.reason);
  }
}

}  // namespace

ReadingResult audit_reading(const ClaimReading& reading, const ClaimFile& file, const AuditOptions& options,
                            const theory::Context& context) {
  ReadingResult result;
  result.name = reading.name;
  result.says = reading.says;
  result.negated = reading.negated;
  const Formula formula = reading.negated ? negation_of(reading.formula) : reading.formula;
  result.formula =
      formula.kind == Formula::Kind::for_which && reading.negated ? "not: " + formula.text : formula.text;
  result.tree = formula;
  const AuditScope scope(file, options, context);
  const auto decide = [&] {
    Quantified found = decide_formula(formula, scope);
    result.reason = found.reason;
    result.region = found.region;
    if (found.truth != Truth::undecided) {
      result.verdict = found.truth == Truth::holds ? AuditVerdict::confirmed : AuditVerdict::refuted;
      if (formula.kind == Formula::Kind::for_which && !found.always && !found.never)
        result.verdict = AuditVerdict::depends;
    }
    result.witness = std::move(found.witness);
    if (!result.witness && !scope.evidence->values.empty() && result.verdict != AuditVerdict::undecided)
      result.witness = ClaimWitness{{}, scope.evidence->values};
  };
  try {
    refuse_unused(formula, scope, {});
    const auto done = theory::attempt<theory::Undecided, theory::Undefined, theory::SplitRequest>(decide);
    if (!done)
      result.reason = done.why().end == theory::NotKnown::End::split
                          ? "the answer depends on a sign that nothing settles"
                          : done.reason();
  } catch (const theory::SpecError& error) {
    throw theory::SpecError(file.name + ": reading '" + reading.name + "': " + error.what());
  }
  if (result.verdict != AuditVerdict::undecided) result.dependencies = scope.evidence->dependencies;
  add_remarks(result, *scope.evidence);
  return result;
}

AuditResult audit(const ClaimFile& file, const std::vector<std::string>& only, const AuditOptions& options,
                  const theory::Context& context) {
  AuditResult result{file.name, file.title, file.reference, {}};
  std::vector<std::string> known;
  for (const Claim& claim : file.claims) known.push_back(claim.id);
  for (const std::string& id : only) {
    if (std::ranges::find(known, id) != known.end()) continue;
    throw theory::SpecError(file.name + " has no claim '" + id + "'" + theory::did_you_mean(id, known));
  }
  std::size_t started = 0;
  for (const Claim& claim : file.claims) {
    options.progress(static_cast<double>(started++) / static_cast<double>(file.claims.size()));
    if (!only.empty() && std::ranges::find(only, claim.id) == only.end()) continue;
    ClaimResult one{claim.id, claim.where, claim.source, claim.statement, {}, claim.repair, {}};
    for (const ClaimReading& reading : claim.readings)
      one.readings.push_back(audit_reading(reading, file, options, context));
    for (const ClaimReading& reading : claim.repairs)
      one.repairs.push_back(audit_reading(reading, file, options, context));
    result.claims.push_back(std::move(one));
  }
  return result;
}

}  // namespace gpe::checks
