#include "theory/score/sphere_law.h"

#include <cassert>

namespace gpe::theory {

Rational sphere_moment(std::int64_t d, std::int64_t k) {
  assert(d >= 1 && k >= 0);
  Rational result(1);
  for (std::int64_t i = 0; i < k; ++i) result *= Rational(2 * i + 1, d + 2 * i);
  return result;
}

Rational sphere_mgf_coefficient(std::int64_t d, std::int64_t k) {
  Rational factorial(1);
  for (std::int64_t i = 2; i <= 2 * k; ++i) factorial *= Rational(i);
  return sphere_moment(d, k) / factorial;
}

Expr sphere_variance(const ScoreFunction& law, const Expr& scale) {
  if (!law.has_content) return Expr(0);
  if (law.softcap) throw Undecided("the variance under a soft cap");
  const Expr n = Expr::symbol(kIndex);
  Expr frobenius(law.head_dim);  // ‖W‖_F²
  if (law.transform == Transform::scaled_rotation || law.transform == Transform::hyperbolic) {
    frobenius = Expr(0);
    for (std::int64_t j = 0; j < law.head_dim / 2; ++j) {
      const auto at = [&](const Expr& e) { return substitute(e, "j", Expr(j)); };
      if (law.transform == Transform::scaled_rotation) {
        frobenius = frobenius + Expr(2) * pow(at(law.rotation.scale), Expr(2));
      } else {  // e^{-2 decay n} (2 cosh² + 2 sinh²) = e^{-2 decay n} (e^{2 rate n} + e^{-2 rate n})
        const Expr rate = Expr(2) * at(law.hyperbolic.rate) * n;
        frobenius = frobenius + exp(Expr(-2) * at(law.hyperbolic.decay) * n) * (exp(rate) + exp(-rate));
      }
    }
  }
  return pow(law.gain * scale, Expr(2)) * frobenius / Expr(Rational(law.head_dim).pow(2));
}

}  // namespace gpe::theory
