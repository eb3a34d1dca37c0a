// What a law spends and what it gets for it: its entropy, beside how far it reads (docs/frontier.md).
#pragma once

#include "checks/arb/big_count.h"
#include "checks/sums/sums.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

struct TradeOffOptions {
  theory::Rational threshold = 1;      ///< C1 of the local range
  theory::Rational epsilon{1, 1000};   ///< of the effective window
  theory::Rational content_bound = 0;  ///< B of the effective window
  theory::Rational distance = 1000;    ///< of the weight beyond
  int digits = 30;
};

struct TradeOff {
  Sums sums;              ///< without content
  BigCount range;         ///< local range at C1, reading `within`
  EnclosedNumber least;   ///< of any encoding with this range and b(first) = 0 >= b (F1)
  EnclosedNumber excess;  ///< H - least, >= 0
  BigCount window;        ///< W(ε) for every content within the bound
  EnclosedNumber beyond;  ///< the weight on all n > distance, without content
};

/// @param law  closed, without free parameters
/// Each number that cannot be had says why; nothing is thrown.
TradeOff trade_off(const theory::ScoreFunction& law, const TradeOffOptions& options,
                   const theory::Context& context);

/// A proof that b(first) = 0 and b(n) <= 0 for all n: what F1 asks for, besides one-sided distances.
bool bias_is_a_penalty(const theory::ScoreFunction& law, const theory::Context& context);

/// 1 - Z_D/Z: the weight on the distances n > D. @param distance  D >= first, a whole number
EnclosedNumber weight_beyond(const theory::ScoreFunction& law, const theory::Rational& distance,
                             const Sums& sums, int digits, const theory::Context& context);

}  // namespace gpe::checks
