// The last distance that counts in a context. Tests: tests/checks/content/effective_window_test.cpp
#pragma once

#include <algorithm>
#include <optional>

#include "theory/score/score_function.h"

namespace gpe::checks {

/// Nothing where there is no last one: no length is given, and the law has no window.
/// @param length  L, the index of the query
inline std::optional<theory::Rational> last_distance(const theory::ScoreFunction& law,
                                                     const std::optional<theory::Rational>& length) {
  using theory::Rational;
  if (!length) return law.last() ? std::optional(Rational(*law.last())) : std::nullopt;
  const Rational in_context = Rational(law.first) + *length;
  return law.last() ? std::min(in_context, Rational(*law.last())) : in_context;
}

/// e of contexts of this length: L is as far beyond the first distance. Without a length, as it is.
inline theory::Expr at_length(const theory::Expr& e, const theory::ScoreFunction& law,
                              const std::optional<theory::Rational>& length) {
  return length ? substitute(e, theory::kLength, theory::Expr(theory::Rational(law.first) + *length)) : e;
}

}  // namespace gpe::checks
