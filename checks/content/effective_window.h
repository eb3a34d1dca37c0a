// Effective windows, reach and self-reach: what a bound on the content buys (theory.md section 7).
#pragma once

#include "checks/arb/big_count.h"
#include "checks/content/score_intervals.h"
#include "checks/sums/sums.h"

namespace gpe::checks {

/// W(ε): the least W such that the weight on the distances beyond W is at most ε whatever the content:
///   t = U/(U + l) <= ε,  U = Σ_{n>W} e^{A+},  l = Σ_{n<=W} e^{A-}.
/// W + 1 keys. None: Σ e^{A+} diverges, so no window does it. The sink is left out of l, which is safe.
/// @param length  none: infinitely many tokens
BigCount effective_window(const theory::ScoreFunction& law, const theory::Rational& epsilon,
                          const theory::Rational& bound, const std::optional<theory::Rational>& length,
                          const theory::Context& context);

struct Reach {
  BigCount n;           ///< in the whole context
  BigCount self_reach;  ///< in the context of exactly the keys 0 … n
};
struct ReachWanted {
  bool n = true;
  bool self_reach = true;
};
/// The largest n that some content with the bound gives weight >= p, everything else at its lowest:
///   e^{A+(n)}/(e^{A+(n)} + Σ_{m≠n} e^{A-(m)} [+ e^sink]) >= p.
Reach reach(const theory::ScoreFunction& law, const theory::Rational& weight, const theory::Rational& bound,
            const std::optional<theory::Rational>& length, const theory::Context& context,
            ReachWanted wanted = {});

/// The largest n that some gates and some content with the bound give weight >= p: the gates up to n are at
/// their upper end then, and those beyond n at their lower one, or tend to it where it does not belong to the
/// interval (theorem P3, docs/theorems.md). Self-reach over all gates is that of the constant gate at the
/// upper end.
/// @param law  closed, with a path
BigCount reach_over_gates(const theory::ScoreFunction& law, const theory::Rational& weight,
                          const theory::Rational& bound, const std::optional<theory::Rational>& length,
                          const theory::Context& context);

}  // namespace gpe::checks
