// What RapidCheck and GoogleTest print of a counterexample.
#pragma once

#include <ostream>

#include "theory/expression/expr_print.h"

namespace gpe::theory {

inline void showValue(const Expr& expression, std::ostream& out) { out << to_text(expression); }
inline void showValue(const Rational& number, std::ostream& out) { out << number.str(); }
inline void PrintTo(const Expr& expression, std::ostream* out) { *out << to_text(expression); }
inline void PrintTo(const Rational& number, std::ostream* out) { *out << number.str(); }

}  // namespace gpe::theory
