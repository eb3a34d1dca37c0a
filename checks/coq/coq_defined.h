// Where the formulas of a law have values, as a statement of Coq: Coq gives 1/0 and ln (-1) values of its
// own. Tests: tests/proofs/exports.cmake, tests/proofs/laws.py
#pragma once

#include <string>
#include <vector>

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// The conditions for values of the formulas at every distance n that is seen (at every length L where they
/// mention it, in every block j), joined by /\: denominators are not 0, roots and logarithms are of what has
/// them, rows are in their tables. Empty where there are none.
/// @param formulas  H(n) in them is a term of Coq
/// @param keys      of the window, as a term of Coq; empty without one
/// @param context   of the parameters' domains, which have to show the conditions on parameters alone
/// @param by_form   where nothing else has shown the values: each condition has to hold by the form of its
///                  formula
/// @throws NotExported  for values that are not seen; for a table at an index that is not seen to be an
/// integer
std::string coq_defined(const std::vector<theory::Expr>& formulas, const std::string& keys, int blocks,
                        const theory::Context& context, bool by_form);

}  // namespace gpe::checks
