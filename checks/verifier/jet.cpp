#include "checks/verifier/jet.h"
// Tests: tests/certificates/attacks_test.cpp, tests/certificates/forged_numbers.py
namespace gpe::verifier {

using Kind = Atom::Kind;

namespace {

Interval whole(std::size_t k) { return {Q(static_cast<unsigned long>(k))}; }

Jet log(const Jet& a) {
  Jet result = {log(a[0])};
  const Interval over = inverse(a[0]);
  for (std::size_t k = 1; k < a.size(); ++k) {
    Interval sum;
    for (std::size_t j = 1; j < k; ++j) sum += whole(j) * result[j] * a[k - j];
    result.push_back((a[k] - sum * inverse(whole(k))) * over);
  }
  return result;
}

Jet power(const Jet& a, const Q& exponent) {
  const bool zero = a[0].nonnegative() && (-a[0]).nonnegative();
  if (zero && a.size() == 1 && exponent > 0) return {Interval()};
  Jet result = {power(a[0], exponent)};
  for (std::size_t k = 1; k < a.size(); ++k) {
    Interval sum;
    for (std::size_t j = 1; j <= k; ++j)
      sum += (Interval(exponent) * whole(j) - whole(k - j)) * a[j] * result[k - j];
    result.push_back(sum * inverse(whole(k) * a[0]));
  }
  return result;
}

Jet jet(const Atom& atom, const Interval& x, std::size_t size) {
  Jet result(size);
  if (!atom.open) {
    result[0] = enclose(Constant(Powers{{{&atom}, 1}}, 1));
  } else if (atom.kind == Kind::symbol && atom.name == "n") {
    result[0] = x;
    if (size > 1) result[1] = Interval(1);
  } else if (atom.kind == Kind::log || atom.kind == Kind::exp || atom.kind == Kind::sum) {
    result = jet(atom.of, x, size);
    if (atom.kind == Kind::log) result = log(result);
    if (atom.kind == Kind::exp) result = exp(result);
  } else {
    throw NotFollowed("the value of " + atom.name + " is open");
  }
  return result;
}

}  // namespace

Jet operator*(const Jet& a, const Jet& b) {
  Jet result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; i + j < a.size(); ++j) result[i + j] += a[i] * b[j];
  return result;
}

Jet exp(const Jet& a) {
  Jet result = {exp(a[0])};
  for (std::size_t k = 1; k < a.size(); ++k) {
    Interval sum;
    for (std::size_t j = 1; j <= k; ++j) sum += whole(j) * a[j] * result[k - j];
    result.push_back(sum * inverse(whole(k)));
  }
  return result;
}

Jet jet(const Constant& c, const Interval& x, std::size_t size) {
  Jet sum(size);
  for (const auto& [powers, coefficient] : c.terms) {
    Jet product(size);
    product[0] = Interval(coefficient);
    for (const auto& [atom, exponent] : powers) {
      const Jet factor = jet(*atom.atom, x, size);
      product = product * (exponent == 1 ? factor : power(factor, exponent));
    }
    for (std::size_t k = 0; k < size; ++k) sum[k] += product[k];
  }
  return sum;
}

// Sums, nonnegative multiples and compositions of Bernstein functions are such, and so are n^p, 0 < p <= 1,
// and log(1 + n). A logarithm of at least 0 has the derivatives, of at least 1 also the sign.
bool is_bernstein(const Constant& c, const std::optional<Q>& least) {
  if (any_atom(c, is_unknown)) return false;
  Constant number;
  for (const auto& [powers, coefficient] : c.terms) {
    const Powers open = only(powers, is_open);
    const Constant factor(only(powers, is_open, false), coefficient);
    if (open.empty()) number += factor;
    if (open.empty()) continue;
    const auto& [atom, exponent] = *open.begin();
    const bool concave = exponent > 0 && exponent <= 1;
    const bool plain = atom->kind == Kind::symbol && atom->name == "n",
               inner = (atom->kind == Kind::log && exponent == 1) || atom->kind == Kind::sum;
    if (open.size() > 1 || !concave || !enclose(factor).nonnegative() ||
        !(plain || (inner && is_bernstein(atom->of, least && atom->kind == Kind::log ? 1 : 0))))
      return false;
  }
  return !least || (enclose(number) - *least).nonnegative();
}

std::vector<Q> bernoulli_numbers(std::size_t m) {
  std::vector<Q> all = {1}, even;
  for (unsigned long k = 1; k <= 2 * m; ++k) {  // Σ_{j<=k} binomial(k + 1, j) B_j = 0
    Q sum = 0, binomial = 1;
    for (unsigned long j = 0; j < k; ++j) {
      sum += binomial * all[j];
      binomial = binomial * (k + 1 - j) / (j + 1);
    }
    all.push_back(-sum / (k + 1));
    if (k % 2 == 0) even.push_back(all.back());
  }
  return even;
}

}  // namespace gpe::verifier
