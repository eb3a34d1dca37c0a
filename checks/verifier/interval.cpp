#include "checks/verifier/interval.h"

#include <map>
// Tests: tests/certificates/attacks_test.cpp
namespace gpe::verifier {

namespace {

// Both ends of a result; `step(z, way)` rounds the end that `way` points to.
template <class Step>
Interval outward(const Step& step, std::size_t steps = 2) {
  spend(steps);
  Interval result;
  step(result.lo.value, MPFR_RNDD);
  step(result.hi.value, MPFR_RNDU);
  if (!mpfr_number_p(result.lo.value) || !mpfr_number_p(result.hi.value))
    throw NotFollowed("a number is too large");
  return result;
}

mpfr_srcptr end(const Interval& a, mpfr_rnd_t way) { return (way == MPFR_RNDD ? a.lo : a.hi).value; }
mpfr_srcptr other_end(const Interval& a, mpfr_rnd_t way) { return (way == MPFR_RNDD ? a.hi : a.lo).value; }

}  // namespace

std::size_t cost(const Q& q) {
  const std::size_t limbs = mpz_size(q.get_num_mpz_t()) + mpz_size(q.get_den_mpz_t());
  return limbs / 4 + limbs * limbs / 64;
}

Interval::Interval(const Q& low, const Q& high) {
  spend(cost(low) + cost(high));
  mpfr_set_q(lo.value, low.get_mpq_t(), MPFR_RNDD);
  mpfr_set_q(hi.value, high.get_mpq_t(), MPFR_RNDU);
}

Interval operator+(const Interval& a, const Interval& b) {
  return outward([&](mpfr_ptr z, mpfr_rnd_t way) { mpfr_add(z, end(a, way), end(b, way), way); });
}

Interval operator-(const Interval& a) {
  return outward([&](mpfr_ptr z, mpfr_rnd_t way) { mpfr_neg(z, other_end(a, way), way); });
}

Interval operator*(const Interval& a, const Interval& b) {
  return outward(
      [&](mpfr_ptr z, mpfr_rnd_t way) {
        Real product;
        mpfr_mul(z, a.lo.value, b.lo.value, way);
        for (const auto& [x, y] :
             {std::pair(&a.lo, &b.hi), std::pair(&a.hi, &b.lo), std::pair(&a.hi, &b.hi)}) {
          mpfr_mul(product.value, x->value, y->value, way);
          (way == MPFR_RNDD ? mpfr_min : mpfr_max)(z, z, product.value, way);
        }
      },
      4);
}

Interval inverse(const Interval& a) {
  if (!a.positive() && !(-a).positive()) throw NotFollowed("a divisor may be zero");
  return outward([&](mpfr_ptr z, mpfr_rnd_t way) { mpfr_ui_div(z, 1, other_end(a, way), way); });
}

Interval exp(const Interval& a) {
  return outward([&](mpfr_ptr z, mpfr_rnd_t way) { mpfr_exp(z, end(a, way), way); }, 24);
}

Interval log(const Interval& a) {
  if (!a.positive()) throw NotFollowed("a logarithm of what may not be positive");
  const bool distance = mpfr_equal_p(a.lo.value, a.hi.value) != 0 && mpfr_integer_p(a.lo.value) != 0 &&
                        mpfr_cmp_si(a.lo.value, 1 << 17) < 0;
  const auto computed = [&] {
    return outward([&](mpfr_ptr z, mpfr_rnd_t way) { mpfr_log(z, end(a, way), way); }, distance ? 2 : 24);
  };
  if (!distance) return computed();
  thread_local std::map<long, Interval> known;  // asked for at each corner of a design
  const long n = mpfr_get_si(a.lo.value, MPFR_RNDN);
  const auto at = known.find(n);
  if (at == known.end()) return known.emplace(n, computed()).first->second;
  spend(2);
  return at->second;
}

Interval pi() {
  return outward([](mpfr_ptr z, mpfr_rnd_t way) { mpfr_const_pi(z, way); });
}

Interval power(const Interval& a, const Q& exponent) {
  if (exponent.get_den() != 1 || abs(exponent) > 64) return exp(Interval(exponent) * log(a));
  const bool even = exponent.get_num() % 2 == 0;
  Interval base = a;
  if (even && !a.nonnegative()) base = (-a).nonnegative() ? -a : magnitude(a) * Interval(0, 1);
  Interval result(1);
  for (long k = std::abs(exponent.get_num().get_si()); k > 0; --k) result = result * base;
  return exponent < 0 ? inverse(result) : result;
}

Interval magnitude(const Interval& a) {
  return outward([&](mpfr_ptr z, mpfr_rnd_t way) { mpfr_max(z, a.hi.value, (-a).hi.value, way); });
}

Q upper(const Interval& a) {
  if (!mpfr_zero_p(a.hi.value) && std::abs(mpfr_get_exp(a.hi.value)) > 10000)
    throw NotFollowed("a number is too large");
  Q result;
  mpfr_get_q(result.get_mpq_t(), a.hi.value);
  return result;
}

}  // namespace gpe::verifier
