#include "checks/half_line.h"

#include "checks/range.h"
#include "checks/tail_form.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

bool surely_below(const Expr& expression, const Rational& bound, const Rational& from,
                  const theory::Context& context) {
  const long bits = 128;
  const Range range = over_block(expression, block(from, std::nullopt, bits), bits);
  if (range.defined && range.high.is_finite() && range.high.surely_less(Ball(bound, bits).lower(bits)))
    return true;
  // X0 = exp^depth(ell) <= from, ell > 1
  for (int depth = 1; depth <= 4; ++depth) {
    Ball level(from, bits);
    for (int k = 0; k < depth; ++k) level = log(level, bits);
    const auto ends = level.ends();
    if (!ends || ends->low <= Rational(1)) return false;
    // a short rational below log^depth(from)
    const Rational ell = (ends->low * Rational(1024)).floor() / Rational(1024);
    if (ell <= Rational(1)) return false;
    try {
      bool proved = false;
      with_generators(context, depth, ell, [&](const TailDomain& domain) {
        proved = tail_form(Expr(bound) - expression, domain).surely_positive();
      });
      if (proved) return true;
    } catch (const NotProved&) {
    }
  }
  return false;
}

}  // namespace gpe::checks
