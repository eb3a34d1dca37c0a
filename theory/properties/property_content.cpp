// Contents without a bound: what is decided given a law of the content (theorem X2, docs/theorems.md).
#include "theory/asymptotics/limit.h"
#include "theory/properties/property.h"

namespace gpe::theory {

namespace {

// E Z < ∞, under the Gaussian law, or for every law with its tails, or for some.
Decision decide_mean(Quantifier quantifier, const ScoreFunction& law, const Expr& bound,
                     const Context& context) {
  const bool smallest = quantifier == Quantifier::some;
  const ScoreFunction mean = smallest ? without_content(law) : with_mean_content(law);
  const Decision decision = decide_normalization(NormalizationReading::every_content, mean, bound, context);
  return {decision.truth,
          (smallest ? "decided by the law of content 0: "
                    : "for log E e^A = b + s^2 f^2/2, s = " + law.content_law->deviation.str() + ": ") +
              decision.reason};
}

// c(n) has the same law, with no mass at 0, at every n: P(|f c| >= eps) stays positive iff |f| stays away
// from 0.
Decision decide_chance(CorrelationReading which, const ScoreFunction& law, const Context& context) {
  with_mean_content(law);  // its hypotheses
  ScoreFunction still = law;
  still.content_law.reset();
  const Decision content = decide_ldcp(CorrelationReading::content, still, context);
  if (which == CorrelationReading::content) return content;
  if (content.truth == Truth::holds)
    return holds(content.reason + "; P(|A| >= eps) >= P(|f c| >= eps)/2, as c is symmetric about 0");
  const Decision literal = decide_ldcp(CorrelationReading::literal, still, context);
  return {literal.truth, "the content tends to 0: " + literal.reason};
}

}  // namespace

Decision decide_under_law(const Reading& reading, Quantifier quantifier, const ScoreFunction& law,
                          const Expr& bound, const Context& context) {
  if (reading.which == ReadingOf(NormalizationReading::expected))
    return decide_mean(quantifier, law, bound, context);
  if (reading.uses_content_bound)
    throw Undecided("does not apply: the statement is about contents within a bound, and " +
                    law.content_law->name() + " has none");
  const bool gaussian = law.content_law->kind == ContentLaw::Kind::gaussian;
  for (const CorrelationReading which : {CorrelationReading::probability, CorrelationReading::content}) {
    if (reading.which != ReadingOf(which)) continue;
    if (gaussian) return decide_chance(which, law, context);
    throw Undecided("does not apply: " + law.content_law->name() + " has many laws, content 0 among them");
  }
  ScoreFunction still = law;
  still.content_law.reset();
  return decide(reading, still, bound, context);
}

}  // namespace gpe::theory
