#include "tests/checks/abel_plana.h"

namespace gpe::testing {

namespace {

struct Three {  // e^A, A e^A, z e^A
  Complex z;
  Complex s;
  Complex d;
};

Three functions(const ComplexScore& score, const Complex& at) {
  const Complex a = score(at);
  const Complex f = exp(a);
  return {f, a * f, at * f};
}

MpfrMoments real_part(const Three& f) { return {f.z.re, f.s.re, f.d.re}; }
MpfrMoments imaginary_part(const Three& f) { return {f.z.im, f.s.im, f.d.im}; }

bool close(const Real& a, const Real& b) { return abs(a - b) <= abs(b) * Real("1e-64"); }

// ∫ over t in [-from, to] of `integrand`, which falls doubly exponentially at both ends, by the trapezoidal
// rule.
MpfrMoments trapezoidal(const std::function<MpfrMoments(const Real&)>& integrand, const Real& from,
                        const Real& to) {
  MpfrMoments total;
  Real step = Real(1) / 4;
  MpfrMoments before;
  for (int level = 0; level < 9; ++level) {
    // all points at first, then those in between
    const Real stride = level == 0 ? step : 2 * step;
    for (Real t = level == 0 ? Real(-from) : Real(step - from); t <= to; t += stride)
      total.add(integrand(t), 1);
    MpfrMoments value;
    value.add(total, step);
    if (level > 2 && close(value.z, before.z) && close(value.s, before.s) && close(value.d, before.d))
      return value;
    before = value;
    step /= 2;
  }
  return before;
}

// ∫_M^∞ f dx, x = M·exp(exp(t - exp(-t))): u = log x grows from log M.
MpfrMoments to_infinity(const ComplexScore& score, const Real& from) {
  const auto integrand = [&](const Real& t) {
    const Real inner = exp(-t);
    const Real u = exp(t - inner);
    const Real x = from * exp(u);
    MpfrMoments result;
    result.add(real_part(functions(score, {x})), x * u * (1 + inner));
    return result;
  };
  return trapezoidal(integrand, 6, Real("7.5"));
}

// ∫_M^L f dx, x = e^u, u = middle + half·tanh(sinh(t)·π/2).
MpfrMoments between(const ComplexScore& score, const Real& from, const Real& to) {
  const Real half_pi = acos(Real(0));
  const Real half = log(to / from) / 2;
  const Real middle = log(to * from) / 2;
  const auto integrand = [&](const Real& t) {
    const Real angle = half_pi * sinh(t);
    const Real x = exp(middle + half * tanh(angle));
    MpfrMoments result;
    result.add(real_part(functions(score, {x})), x * half * half_pi * cosh(t) / (cosh(angle) * cosh(angle)));
    return result;
  };
  return trapezoidal(integrand, Real("5.5"), Real("5.5"));
}

// ∫_0^∞ Im f(x + iy)/(e^{2πy} - 1) dy, y = exp(t - exp(-t)).
MpfrMoments across(const ComplexScore& score, const Real& x) {
  const Real two_pi = 4 * acos(Real(0));
  const auto integrand = [&](const Real& t) {
    const Real inner = exp(-t);
    const Real y = exp(t - inner);
    MpfrMoments result;
    result.add(imaginary_part(functions(score, {x, y})), y * (1 + inner) / expm1(two_pi * y));
    return result;
  };
  return trapezoidal(integrand, Real("5.5"), Real("4.5"));
}

}  // namespace

MpfrMoments abel_plana(const ComplexScore& score, long first, long middle, const std::optional<Real>& last) {
  MpfrMoments result;
  for (long n = first; n < middle; ++n) result.add(real_part(functions(score, {Real(n)})), 1);
  const Real from(middle);
  result.add(real_part(functions(score, {from})), Real(1) / 2);
  result.add(across(score, from), -2);
  if (!last) {
    result.add(to_infinity(score, from), 1);
    return result;
  }
  result.add(between(score, from, *last), 1);
  result.add(real_part(functions(score, {*last})), Real(1) / 2);
  result.add(across(score, *last), 2);
  return result;
}

}  // namespace gpe::testing
