#include "checks/frontier/least_entropy.h"

#include <cassert>

namespace gpe::checks {

using theory::Rational;

namespace {

// log z_k + C1 (N - k) e^-C1/z_k
Ball with_window(const Rational& threshold, const Rational& range, const Rational& full, long bits) {
  const Ball c1(threshold, bits);
  const Ball far = mul(Ball(range - full, bits), exp(neg(c1), bits), bits);  // (N - k) e^-C1
  const Ball z = add(Ball(full + Rational(1), bits), far, bits);
  return add(log(z, bits), div(mul(c1, far, bits), z, bits), bits);
}

// u = C1/(e^C1 - 1)
Ball share(const Rational& threshold, long bits) {
  const Ball c1(threshold, bits);
  Ball below;
  arb_expm1(below.raw(), c1.raw(), bits);
  return div(c1, below, bits);
}

}  // namespace

LeastEntropy least_entropy(const Rational& threshold, const Rational& range, long bits) {
  assert(threshold.sign() > 0 && range.sign() >= 0 && range.is_integer());
  bits += static_cast<long>(range.bits());
  // the real minimizer (u (1 + N) - 1 - N e^-C1)/(1 - e^-C1); the whole one is next to it, or at an end
  const Ball x = exp(neg(Ball(threshold, bits)), bits);
  const Ball tokens(range + Rational(1), bits);
  const Ball top = sub(sub(mul(share(threshold, bits), tokens, bits), Ball(1), bits),
                       mul(Ball(range, bits), x, bits), bits);
  const auto ends = div(top, sub(Ball(1), x, bits), bits).ends();
  const auto within = [&](const Rational& k) { return std::clamp(k, Rational(0), range); };
  const Rational from = ends ? within(ends->low.floor()) : Rational(0);
  const Rational to = ends ? within(ends->high.ceil()) : range;
  assert(to - from <= Rational(3));
  LeastEntropy least{with_window(threshold, range, from, bits), from};
  for (Rational k = from + Rational(1); k <= to; k += Rational(1)) {
    const Ball value = with_window(threshold, range, k, bits);
    if (value.surely_less(least.value)) least.full = k;
    least.value = min(least.value, value, bits);
  }
  return least;
}

}  // namespace gpe::checks
