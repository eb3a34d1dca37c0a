// Expressions as terms of Coq, for check-properties --coq: n is a natural number, everything else is real.
// Tests: tests/proofs/formulas.py
#pragma once

#include <stdexcept>
#include <string>

#include "theory/expression/expr_parse.h"

namespace gpe::checks {

/// What has no export; the message says what is missing.
struct NotExported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A term of Coq in R_scope. Distances, lengths and blocks (n, L, j) are natural numbers.
/// @throws NotExported  for what Definitions.v has no name for
std::string coq_term(const theory::Expr& expression);
/// The same, in parentheses where it is not a single word.
std::string coq_argument(const theory::Expr& expression);
std::string coq_condition(const theory::Condition& condition);
/// Whether a power is one of Coq's x ^ k, or the inverse of one, which have values for every sign of x.
bool is_product(const theory::node::Pow& power);
/// A parameter's name as a variable, which hides no name that statements use.
std::string coq_name(const std::string& parameter);
/// Letters and digits as they are, and _ for all else.
std::string word_of(const std::string& name);
/// Checks that Coq's tactics compare the values of a gain: no sine or cosine but of multiples of pi, no
/// choice in an exponent, no power of n beside other terms.
/// @throws NotExported
void require_plain_size(const theory::Expr& gain);
/// @throws NotExported  where sines of n in it have to cancel
void require_still_size(const theory::Expr& gain);
/// Checks that a bias is that of APE, -delta n - beta log(1 + n) - gamma sqrt(n), whose entropy turns angles.
/// @throws NotExported
void require_plain_fall(const theory::Expr& bias);

/// -x, -1/2, -a*b: what is subtracted when it stands in a sum, and that without its sign.
bool is_negated(const theory::Expr& expression);
theory::Expr without_sign(const theory::Expr& expression);

}  // namespace gpe::checks
