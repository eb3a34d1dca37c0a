// The limit of an expression at infinity, and its dominant terms.
// Tests: tests/theory/asymptotics/limits_test.cpp, tests/theory/asymptotics/expansion_test.cpp
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

class Multiseries;
struct Series;

struct Limit {
  enum class Kind { finite, plus_infinity, minus_infinity };
  Kind kind;
  Form value;  ///< finite
};

/// Limits of a lower and an upper enclosure; equal when the limit exists and was found.
struct LimitBounds {
  Limit low;   ///< <= liminf
  Limit high;  ///< >= limsup
  bool settled() const;
};

/// The limit of a series. @throws as `limit`
Limit limit_of(Multiseries& series, const std::shared_ptr<const Series>& f);

/// lim expression(n), n → ∞ over the integers.
/// @throws SplitRequest (the answer depends on parameters), Undecided, Undefined.
LimitBounds limit(const Expr& expression, const Context& context);

/// The same for each residue class of n, where the expression is periodic in part; one entry otherwise.
std::vector<LimitBounds> class_limits(const Expr& expression, const Context& context);

/// Whether each of `parts` has an expansion, or bounds that stay within a bounded distance of each other:
/// then it differs from an exp-log function by O(1), and what is known of those carries over.
/// @throws as `limit`.
bool near_exp_log(const std::vector<Expr>& parts, const Context& context);

/// What is proved about limsup expression(n): it lies in [low, high].
struct SupremumBounds {
  Limit low;
  Limit high;
};
SupremumBounds limsup(const Expr& expression, const Context& context);

/// Orders two limits: -1, 0, 1.
int compare(const Limit& a, const Limit& b, const Context& context);
/// The sign of a limit, infinities included.
int sign(const Limit& limit, const Context& context);

/// The first `count` terms of the expansion, largest first, each an expression; fewer when it ends. Exact
/// enclosures only.
/// @throws as `limit`; Undecided also for expressions with bounds only.
std::vector<Expr> dominant_terms(const Expr& expression, int count, const Context& context);

/// Whether `expression` has an expansion: no bounds from two sides, no residue classes. @throws as `limit`.
bool has_expansion(const Expr& expression, const Context& context);

/// The eventual sign of an expression. @throws as `limit`; Undecided when it keeps changing.
int eventual_sign(const Expr& expression, const Context& context);

std::string to_text(const Limit& limit);

}  // namespace gpe::theory
