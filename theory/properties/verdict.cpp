#include "theory/properties/verdict.h"

#include <algorithm>

#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/score/defined_at.h"

namespace gpe::theory {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return "holds";
    case Verdict::fails:
      return "fails";
    case Verdict::depends:
      return "depends";
    case Verdict::undecided:
      return "undecided";
  }
  return "";
}

namespace {

void leaves(const CaseTree& tree, std::vector<Decision>& out) {
  if (tree.is_leaf()) out.push_back(tree.decision);
  for (const CaseTree::Branch& branch : tree.branches) leaves(branch.tree.front(), out);
}

// A divisor with one sign at the first distance and another at all large ones, which may be 0 between.
std::optional<std::string> divisor_that_crosses(const Expr& e, const Rational& first,
                                                const Context& context) {
  if (e.as<node::If>() != nullptr) return std::nullopt;
  const auto* power = e.as<node::Pow>();
  const Rational* exponent = power != nullptr ? power->exponent.number() : nullptr;
  if (exponent != nullptr && exponent->sign() < 0 && varies(e) && !e.mentions(kLength) &&
      free_symbols(power->base).size() > 1) {
    const bool crosses = attempt_in_time<Undefined, Undecided>([&] {
                           const Form near = to_form(substitute(power->base, kIndex, Expr(first)), context);
                           return context.sign(near) * eventual_sign(power->base, context) < 0;
                         }).value_or(false);
    if (crosses) return to_text(power->base);
  }
  for (const Expr& part : children(e)) {
    if (auto found = divisor_that_crosses(part, first, context)) return found;
  }
  return std::nullopt;
}

// Why the score may lack a value, in a case of the parameters: looked for at the first distance, where powers
// and logarithms of n vanish, and in the signs of divisors. Angles would take cases beyond number: each block
// has its own conditions.
std::optional<std::string> without_score(const ScoreFunction& law, const Context& context) {
  const Rational first(law.first);
  for (const auto& [function, name] : functions_of(law)) {
    if (name.starts_with("angle")) continue;
    const auto why = why_undefined_at(function, first, first, context);
    if (why && *why) return name + " is undefined at n = " + first.str() + ": " + **why;
    const auto divisor = law.window ? std::nullopt : divisor_that_crosses(function, first, context);
    if (divisor) return name + " may be undefined: " + *divisor + " changes its sign with n";
  }
  return std::nullopt;
}

struct Decided {
  CaseTree cases;
  Verdict verdict;
  std::string reason;
  std::string region;
};

Decided decide_over(const Reading& reading, Quantifier quantifier, const ScoreFunction& law,
                    const Expr& bound, const std::vector<std::string>& free, const Context& whole) {
  ScoreFunction asked = law;  // what is said of every gate, or some, does not assume a distribution
  if (asked.path && quantifier != Quantifier::random) asked.path->random.reset();
  const ScoreFunction open = at_values(asked, free);
  const Context context = context_for(asked, free, whole.question());
  const auto in_case = [&](const Context& c) {
    const auto why =
        free.empty() ? std::nullopt : without_score(open, c);  // one that is given has its values
    return why ? Decision{Truth::undecided, *why} : decide(reading, quantifier, open, bound, c);
  };
  Decided result{explore(context, in_case), Verdict::undecided, "", ""};
  // for the shorter region, not the verdict
  const Context unhurried = context.within(Budget(std::chrono::seconds(2)).question());
  const Region holds = region_of(result.cases, Truth::holds, unhurried, free);
  const Region fails = region_of(result.cases, Truth::fails, unhurried, free);
  const Region undecided = region_of(result.cases, Truth::undecided, unhurried, free);
  // a case that is everywhere leaves no point for the others
  result.region = fails.always() ? "never" : to_text(holds, free);
  if (!undecided.never() && !holds.always() && !fails.always())
    result.region += "; undecided: " + to_text(undecided, free);
  std::vector<Decision> all;
  leaves(result.cases, all);
  const auto every = [&](Truth truth) {
    return std::ranges::all_of(all, [&](const Decision& decision) { return decision.truth == truth; });
  };
  if (every(Truth::holds) || holds.always()) {
    result.verdict = Verdict::holds;
  } else if (every(Truth::fails) || fails.always()) {
    result.verdict = Verdict::fails;
  } else if (std::ranges::none_of(all, [](const Decision& d) { return d.truth == Truth::undecided; })) {
    result.verdict = Verdict::depends;
  }
  Truth truth = Truth::undecided;
  if (result.verdict == Verdict::holds) truth = Truth::holds;
  if (result.verdict == Verdict::fails) truth = Truth::fails;
  const auto telling =
      std::ranges::find_if(all, [&](const Decision& decision) { return decision.truth == truth; });
  result.reason = result.verdict == Verdict::depends ? holds_text(result.region) : telling->reason;
  return result;
}

}  // namespace

std::vector<Quantifier> quantifiers(const Reading& reading, const ScoreFunction& law) {
  using enum Quantifier;
  const bool several = law.content_law ? law.content_law->kind == ContentLaw::Kind::sub_gaussian &&
                                             reading.which == ReadingOf(NormalizationReading::expected)
                                       : (law.path || law.query) && asks_for_bias(reading);
  if (!several) return {none};
  const bool of_sums = reading.property == Property::convergent_normalization ||
                       reading.property == Property::entropy_boundedness;
  return law.path && law.path->random && of_sums ? std::vector{every, some, random}
                                                 : std::vector{every, some};
}

std::string_view quantified(const ScoreFunction& law) {
  if (law.content_law) return "law";
  return law.query ? "query" : "gate";
}

Finding find(const Reading& reading, const ScoreFunction& law, const Rational& bound, const Context& context,
             const std::vector<std::string>& symbolic, Quantifier quantifier) {
  const bool symbolic_bound = std::ranges::find(symbolic, kContentBound) != symbolic.end();
  const Expr content = symbolic_bound ? Expr::symbol(kContentBound) : Expr(bound);
  Finding finding;
  finding.reading = &reading;
  finding.quantifier = quantifier;
  if (reading.uses_content_bound && !symbolic_bound && !law.content_law) finding.content_bound = bound;
  // Free symbols in file order, the bound last.
  std::vector<std::string> free;
  for (const ParameterValue& parameter : law.parameters) {
    if (symbolic.empty() || std::ranges::find(symbolic, parameter.name) != symbolic.end())
      free.push_back(parameter.name);
  }
  if (symbolic_bound) free.emplace_back(kContentBound);
  Decided over_region = decide_over(reading, quantifier, law, content, free, context);
  finding.region = over_region.region;
  finding.cases = std::move(over_region.cases);
  if (symbolic.empty() && !law.parameters.empty()) {
    const Decided here = decide_over(reading, quantifier, law, content, {}, context);
    finding.verdict = here.verdict;
    finding.reason = here.reason;
  } else {
    finding.verdict = over_region.verdict;
    finding.reason = over_region.reason;
  }
  return finding;
}

std::vector<Finding> find_all(const ScoreFunction& law, const std::vector<Rational>& bounds,
                              const Context& context, const std::vector<std::string>& symbolic) {
  std::vector<Finding> result;
  const bool symbolic_bound = std::ranges::find(symbolic, kContentBound) != symbolic.end();
  for (const Reading& reading : readings()) {
    const std::size_t count =
        reading.uses_content_bound && !symbolic_bound && !law.content_law ? bounds.size() : 1;
    for (const Quantifier quantifier : quantifiers(reading, law)) {
      for (std::size_t i = 0; i < count; ++i)
        result.push_back(
            find(reading, law, bounds.empty() ? Rational(1) : bounds[i], context, symbolic, quantifier));
    }
  }
  return result;
}

}  // namespace gpe::theory
