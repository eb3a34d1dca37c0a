#include "checks/audit/audit.h"
// Tests: tests/checks/audit/audit_claims_test.cpp
#include <algorithm>
#include <span>

#include "checks/audit/evaluate.h"
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

bool mentioned(const std::string& name, const Binding& by) {
  const auto in = [&](const theory::Expr& expression) { return expression.mentions(name); };
  return std::ranges::any_of(by.list, in) ||
         std::ranges::any_of(by.conditions, [&](const auto& one) { return in(one.left) || in(one.right); });
}

// Whether a part of a statement depends on the variable of this name.
// @param free  what an encoding stands for: its variable, or its parameters that are not set where it is
// named
template <class Part, class Free>
bool depends(const Part& part, const std::string& name, const Free& free) {
  const auto in_any = [&](const auto& all) {
    return std::ranges::any_of(all, [&](const auto& one) { return depends(one, name, free); });
  };
  if constexpr (std::is_same_v<Part, EncodingName>) {
    const auto mentions = [&](const auto& setting) { return setting.second.mentions(name); };
    return std::ranges::any_of(part.settings, mentions) || std::ranges::count(free(part), name) != 0;
  } else if constexpr (std::is_same_v<Part, Binding>) {
    return mentioned(name, part);
  } else if constexpr (std::is_same_v<Part, ClaimTerm>) {
    return part.skeleton.mentions(name) || in_any(part.quantities);
  } else if constexpr (std::is_same_v<Part, ClaimQuantity>) {
    return (part.encoding && depends(*part.encoding, name, free)) || in_any(part.terms) ||
           (quantity_kind(part.name) != nullptr && std::ranges::count(part.words, name) != 0);
  } else {
    return depends(part.quantity, name, free) || in_any(part.terms) || in_any(part.parts) ||
           in_any(part.bindings);
  }
}

// A variable that nothing depends on is most likely mistyped: for all bta > 0: cn(mine), of a parameter beta.
// @param encodings  the variables of encodings further out
void refuse_unused(const Formula& formula, const AuditScope& scope, std::vector<std::string> encodings) {
  for (const Binding& one : formula.bindings)
    if (one.range == Binding::Range::encodings) encodings.push_back(one.name);
  for (std::size_t i = 0; i < formula.bindings.size(); ++i) {
    const std::string& name = formula.bindings[i].name;
    const Binding::Range range = formula.bindings[i].range;
    const Formula& body = formula.parts[0];
    std::vector<std::string> known;
    const auto free = [&](const EncodingName& one) {
      std::vector<std::string> result;
      if (one.name == name && range == Binding::Range::encodings) result.push_back(name);
      if (std::ranges::find(encodings, one.name) != encodings.end()) return result;
      for (const theory::Parameter& parameter : scope.library_encoding(one.name).parameters)
        if (std::ranges::count(one.settings, parameter.name, [](const auto& set) { return set.first; }) == 0)
          result.push_back(parameter.name);
      known.insert(known.end(), result.begin(), result.end());
      return result;
    };
    const auto later = std::span(formula.bindings).subspan(i + 1);
    if (depends(body, name, free) ||
        std::ranges::any_of(later, [&](const Binding& one) { return mentioned(name, one); }))
      continue;
    throw theory::SpecError("nothing in '" + body.text + "' depends on '" + name + "'" +
                            (name == theory::kContentBound
                                 ? "; a content bound is an argument: cn(alibi, B)"
                                 : theory::did_you_mean(name, known, "; expected a variable that is used")));
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
