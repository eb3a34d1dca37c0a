// The single score that decides a statement about every gate or query, or about some (theorems P1 and Q1,
// docs/theorems.md).
// Tests: tests/theory/properties/path_test.cpp, tests/theory/properties/property_query_test.cpp
#pragma once

#include "theory/properties/reading.h"
#include "theory/score/score_function.h"

namespace gpe::theory {

/// The end of the interval at which the statement without a path has the same answer; nothing where no finite
/// end does, several matter, or gates are random. @pre gates is not `none`
std::optional<Expr> deciding_gate(const Reading& reading, Quantifier quantifier, const Path& path);

/// Whether |f| w is bounded, and b has increments that stay above a positive number, up to bounded changes.
/// False: not proved.
bool climbs(const ScoreFunction& law, const Expr& bound, const Context& context);

/// Of a bias linear in the query: which with_extreme_query has the same answer, 1 (always) or -1 (where the
/// shape has one eventual sign; else the answer that is not a witness carries over); 0 where none does.
int deciding_query(const Reading& reading, Quantifier quantifier);

}  // namespace gpe::theory
