// Numbers under `sphere`: q and the keys independent and uniform on spheres, |q||k|/√d = s
// (docs/readings.md).
#pragma once

#include "checks/sums/sums.h"

namespace gpe::checks {

/// M(u) = E e^{ux} = 0F1(; d/2; u²/4) and M'(u) = E x e^{ux} = (u/d) 0F1(; d/2 + 1; u²/4).
Ball sphere_mgf(const Ball& u, std::int64_t d, long bits);
Ball sphere_mgf_slope(const Ball& u, std::int64_t d, long bits);
/// P(|x| >= t): I_{1-t²}((d-1)/2, 1/2) for 0 <= t <= 1, 1 below and 0 above. @pre d >= 2.
Ball sphere_tail(const Ball& t, std::int64_t d, long bits);

/// P(A(n) >= c1), exactly: the content reaches (c1 - b(n))/(f(n) w(n) s). For W = σ(n)·orthogonal.
/// @throws theory::Undecided  for other W, soft caps, scores that depend on L, and where no key is seen
Ball probability_at_least(const theory::ScoreFunction& law, const theory::Rational& scale,
                          const theory::Rational& n, const theory::Rational& c1, long bits,
                          const theory::Context& context);

/// The standard deviation of A(n), for all W.
/// @throws theory::Undecided  for soft caps, scores that depend on L, and where no key is seen
Ball deviation_at(const theory::ScoreFunction& law, const theory::Rational& scale, const theory::Rational& n,
                  long bits);

/// E Z = Σ e^b M(|f| w s), the annealed entropy log E Z - E[Σ A e^A]/E Z, and E[Σ n e^A]/E Z.
/// With a gain that falls, the terms beyond some N are summed as Σ_k m_k s^{2k} Σ_{n>=N} e^{b + 2k
/// log(|f|w)}, cut at K with the rest at most m_K u_N^{2K}/(1 - q), q = u_N²/(4(K+1)(d/2+K)) < 1/4 (bound W2,
/// docs/readings.md).
/// @param length  none: all n
Sums sphere_sums(const theory::ScoreFunction& law, const theory::Rational& scale,
                 const std::optional<theory::Rational>& length, int digits, const theory::Context& context);

}  // namespace gpe::checks
