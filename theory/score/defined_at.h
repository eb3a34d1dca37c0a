// Whether the functions of a score have a value at a point, and which part is at fault where they have none.
// Tests: tests/checks/halfline/definedness_test.cpp, tests/theory/properties/region_points_test.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theory/exact/attempt.h"
#include "theory/exact/context.h"
#include "theory/score/score_function.h"

namespace gpe::theory {

/// Why the function has no value at n (and L): "1/(n - 3) divides by zero"; nothing when it has one. Not
/// known where a constant resists.
/// @throws SplitRequest  when that depends on free parameters; TimeUp
Attempt<std::optional<std::string>> why_undefined_at(const Expr& function, const Rational& n,
                                                     const std::optional<Rational>& length,
                                                     const Context& context);
/// The same of a closed expression. @throws Undecided  where a constant resists
std::optional<std::string> why_undefined(const Expr& closed, const Context& context);

struct NamedFunction {
  Expr function;
  std::string name;  ///< "bias", "angle (block j = 3)"
};
/// All functions that a score needs to have values, at every n.
std::vector<NamedFunction> functions_of(const ScoreFunction& law);

}  // namespace gpe::theory
