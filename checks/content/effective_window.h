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
                          const SumOptions& options, const theory::ConstantOracle& oracle);

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
            const std::optional<theory::Rational>& length, const SumOptions& options,
            const theory::ConstantOracle& oracle, ReachWanted wanted = {});

}  // namespace gpe::checks
