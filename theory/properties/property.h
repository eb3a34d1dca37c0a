// Decides each reading of the four properties (docs/readings.md).
// Tests: tests/theory/score/encodings_verdicts_test.cpp
#pragma once

#include <string>

#include "theory/asymptotics/limit.h"
#include "theory/exact/region.h"
#include "theory/properties/reading.h"
#include "theory/score/score_function.h"

namespace gpe::theory {

/// Decides one reading for a law whose parameters are closed or assumed about in `context`.
/// @param bound  the content bound B, a positive number or the symbol B
/// @throws SplitRequest, Undecided, Undefined (see explore)
Decision decide(const Reading& reading, const ScoreFunction& law, const Expr& bound, const Context& context);

/// The same for every gate or query, or some, or for gates at random; for laws without, or readings that do
/// not ask for them, `none`.
Decision decide(const Reading& reading, Quantifier quantifier, const ScoreFunction& law, const Expr& bound,
                const Context& context);

// The parts, one file each.
Decision decide_under_law(const Reading& reading, Quantifier quantifier, const ScoreFunction& law,
                          const Expr& bound, const Context& context);
Decision decide_for_queries(const Reading& reading, Quantifier quantifier, const ScoreFunction& law,
                            const Expr& bound, const Context& context);
/// @pre the law has gates at random, and the reading is one of `cn` and `eb`
Decision decide_for_random_gates(const Reading& reading, const ScoreFunction& law, const Expr& bound,
                                 const Context& context);
Decision decide_normalization(NormalizationReading reading, const ScoreFunction& law, const Expr& bound,
                              const Context& context);
Decision decide_entropy(EntropyReading reading, const ScoreFunction& law, const Expr& bound,
                        const Context& context);
Decision decide_ldcp(CorrelationReading reading, const ScoreFunction& law, const Context& context);
Decision decide_gps(GradientReading reading, const ScoreFunction& law, const Context& context);
/// For weights that are not a softmax.
Decision decide_normalizer(const Reading& reading, const ScoreFunction& law, const Expr& bound,
                           const Context& context);
/// With entmax; the law as if its weights were a softmax.
Decision decide_entmax(EntropyReading reading, const ScoreFunction& law, const Expr& alpha, const Expr& bound,
                       const Context& context);
Decision decide_entmax_weight(const ScoreFunction& law, const Context& context);
/// For a law that mentions L, by bounds that hold for every n <= L.
Decision decide_with_length(NormalizationReading reading, const ScoreFunction& law, const Expr& bound,
                            const Context& context);
Decision decide_with_length(EntropyReading reading, const ScoreFunction& law, const Expr& bound,
                            const Context& context);

/// Bounds of an expression of n and L over first <= n <= L, or over the window, as L tends to infinity: `low`
/// bounds its infimum from below, `high` its supremum from above.
LimitBounds length_bounds(const Expr& expression, const ScoreFunction& law, const Context& context);

inline Decision holds(std::string reason) { return {Truth::holds, std::move(reason)}; }
inline Decision fails(std::string reason) { return {Truth::fails, std::move(reason)}; }
inline Decision decided(bool yes, std::string reason) {
  return {yes ? Truth::holds : Truth::fails, std::move(reason)};
}

/// Whether H_L stays bounded for the score A(n) alone.
struct EntropyGrowth {
  bool bounded;
  std::string reason;
};
EntropyGrowth decide_entropy_growth(const Expr& score, const Context& context);

/// The order of |gain(n)|·norm(n), with |shape(n)| of a query added, the size of the gradient at distance n:
/// its first term, as an expression.
Expr gradient_rate(const ScoreFunction& law, const Context& context);

}  // namespace gpe::theory
