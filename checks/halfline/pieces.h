// A score with conditions, minima, absolute values and floors on a range of n where each of them is decided.
// Tests: tests/checks/sums/partial_sum_test.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// Whether there is something to decide.
bool has_choices(const theory::Expr& e);

/// The terms of a sum over k, in their order.
/// @param what  they do if its bounds are not numbers: "depend on n"
/// @throws theory::Undecided  then, and for more than 20000 terms
std::vector<theory::Expr> terms_of(const theory::node::Sum& sum, const std::string& what,
                                   const theory::Context& context);

/// Sums over k written out, closed parts and tables at fixed places evaluated.
/// @throws theory::Undecided  for sums with bounds that depend on n or more than 20000 terms
theory::Expr written_out(const theory::Expr& e, const theory::Context& context);

/// The expression that e is for every n in first … last, without choices; nothing when one of them is not the
/// same, or not proved to be the same, on the whole range.
std::optional<theory::Expr> decided_on(const theory::Expr& e, const theory::Rational& first,
                                       const theory::Rational& last);

/// The largest `end` found, first <= end <= last, for which decided_on(e, first, end) gives something;
/// nothing when it does not even for first + least.
std::optional<theory::Rational> decided_until(const theory::Expr& e, const theory::Rational& first,
                                              const theory::Rational& last, const theory::Rational& least);

}  // namespace gpe::checks
