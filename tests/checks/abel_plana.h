// Sums by the formula of Abel and Plana, in Boost.Multiprecision: a computation that shares nothing with the
// engine. For f analytic to the right of M, real on the real axis, growing less than e^{2π|Im z|}:
//   Σ_{n=M}^{L} f = ∫_M^L f + (f(M) + f(L))/2 - 2 ∫_0^∞ (Im f(M + iy) - Im f(L + iy))/(e^{2πy} - 1) dy,
// and without the terms at L for L = ∞ (NIST DLMF 2.10.2). Integrals by double exponential quadrature, its
// step halved until two values agree: right to about 60 digits, but nothing is proved.
#pragma once

#include <boost/multiprecision/mpfr.hpp>
#include <functional>
#include <optional>

namespace gpe::testing {

using Real = boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<90>,
                                           boost::multiprecision::et_off>;

/// A complex number with the operations that scores need; log and sqrt by their principal values.
struct Complex {
  Real re;
  Real im = 0;

  friend Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
  friend Complex operator*(const Complex& a, const Complex& b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  friend Complex operator*(const Real& a, const Complex& b) { return {a * b.re, a * b.im}; }
};
inline Complex exp(const Complex& z) {
  const Real size = exp(z.re);
  return {size * cos(z.im), size * sin(z.im)};
}
inline Complex log(const Complex& z) { return {log(z.re * z.re + z.im * z.im) / 2, atan2(z.im, z.re)}; }
inline Complex sqrt(const Complex& z) {  // @pre Re z > 0
  const Real size = sqrt(z.re * z.re + z.im * z.im);
  const Real root = sqrt((size + z.re) / 2);
  return {root, z.im / (2 * root)};
}
inline Complex inverse(const Complex& z) {
  const Real size = z.re * z.re + z.im * z.im;
  return {z.re / size, -z.im / size};
}
inline Complex cos(const Complex& z) { return {cos(z.re) * cosh(z.im), -sin(z.re) * sinh(z.im)}; }

using ComplexScore = std::function<Complex(const Complex&)>;

/// Z, S and D of a score.
struct MpfrMoments {
  Real z = 0;
  Real s = 0;
  Real d = 0;

  void add(const MpfrMoments& other, const Real& factor) {
    z += factor * other.z;
    s += factor * other.s;
    d += factor * other.d;
  }
};

/// Σ over first … last, or over all n >= first. @param middle  M >= first: below it, terms are added one by
/// one
MpfrMoments abel_plana(const ComplexScore& score, long first, long middle, const std::optional<Real>& last);

}  // namespace gpe::testing
