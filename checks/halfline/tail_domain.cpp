#include "checks/halfline/tail_domain.h"
#include "checks/arb/precision.h"

#include <algorithm>
#include <cassert>

#include "checks/arb/expr_ball.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Form;
using theory::Rational;

namespace {

constexpr int kDeepestArgument = 12;  // of Lemma M within itself

}  // namespace

TailMonomial operator*(const TailMonomial& a, const TailMonomial& b) {
  TailMonomial result = a;
  for (std::size_t i = 0; i < result.powers.size(); ++i) result.powers[i] += b.powers[i];
  return result;
}

TailMonomial pow(const TailMonomial& a, const Rational& exponent) {
  TailMonomial result = a;
  for (Rational& power : result.powers) power *= exponent;
  return result;
}

TailSum collected(TailSum terms) {
  std::ranges::stable_sort(terms, [](const auto& a, const auto& b) { return b.first < a.first; });
  TailSum result;
  for (auto& [monomial, coefficient] : terms) {
    if (!result.empty() && result.back().first == monomial) {
      result.back().second = result.back().second + coefficient;
    } else {
      result.emplace_back(std::move(monomial), std::move(coefficient));
    }
  }
  std::erase_if(result, [](const auto& term) { return term.second.is_zero(); });
  return result;
}

std::vector<TailGenerator> TailDomain::chain(int depth) {
  std::vector<TailGenerator> result;
  for (int j = 0; j <= depth; ++j) result.push_back({j, {}});
  return result;
}

std::vector<TailGenerator> TailDomain::with_generator(const std::vector<TailGenerator>& generators,
                                                      const TailSum& exponent) {
  // exp(g) comes before the first generator whose logarithm grows more slowly than g.
  const TailMonomial& size = exponent.front().first;
  std::size_t place = 0;
  for (; place < generators.size(); ++place) {
    const TailGenerator& other = generators[place];
    if (other.chain < 0) {
      if (other.exponent.front().first < size) break;
      continue;
    }
    // log L_j = L_{j+1}: smaller than g unless g is a power of something at or below it
    const auto next = std::ranges::find(generators, other.chain + 1, &TailGenerator::chain);
    if (next == generators.end()) break;
    TailMonomial logarithm{std::vector<Rational>(generators.size())};
    logarithm.powers[static_cast<std::size_t>(next - generators.begin())] = Rational(1);
    if (logarithm < size) break;
  }
  std::vector<TailGenerator> result = generators;
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(place), TailGenerator{-1, exponent});
  for (TailGenerator& generator : result) {
    for (auto& [monomial, coefficient] : generator.exponent) {
      monomial.powers.insert(monomial.powers.begin() + static_cast<std::ptrdiff_t>(place), Rational(0));
    }
  }
  return result;
}

TailDomain::TailDomain(const theory::Context& context, int depth, Rational ell,
                       std::vector<TailGenerator> generators, long bits)
    : context_(context),
      depth_(depth),
      ell_(std::move(ell)),
      generators_(std::move(generators)),
      bits_(bits) {
  assert(depth >= 1 && depth <= 8 && ell_ > Rational(1));
  logs_.resize(static_cast<std::size_t>(depth) + 2);
  const auto m = static_cast<std::size_t>(depth);
  logs_[m] = Ball(ell_, bits_);
  logs_[m + 1] = log(logs_[m], bits_);
  for (std::size_t j = m; j-- > 1;) {
    logs_[j] = exp(logs_[j + 1], bits_);
    if (!logs_[j].is_finite()) throw NotProved("the threshold is too large to compute with");
  }
}

TailMonomial TailDomain::one() const { return {std::vector<Rational>(generators_.size())}; }

TailMonomial TailDomain::generator_power(std::size_t place, const Rational& exponent) const {
  TailMonomial result = one();
  result.powers[place] = exponent;
  return result;
}

TailMonomial TailDomain::log_power(int j, const Rational& exponent) const {
  for (std::size_t i = 0; i < generators_.size(); ++i) {
    if (generators_[i].chain == j) return generator_power(i, exponent);
  }
  throw NotProved("needs deeper logarithms");
}

Ball TailDomain::ball(const Form& closed) const {
  if (const Rational* number = closed.rational()) return {*number, bits_};
  const Ball value = evaluate(theory::to_expr(closed), {}, bits_);
  if (!value.is_finite()) throw NotProved("a constant is not enclosed");
  return value;
}

TailSum TailDomain::log_derivative(const TailMonomial& monomial) const {
  TailSum result;
  for (std::size_t i = 0; i < generators_.size(); ++i) {
    const Rational& exponent = monomial.powers[i];
    if (exponent.is_zero()) continue;
    const TailGenerator& generator = generators_[i];
    if (generator.chain >= 0) {  // x·(log L_j)' = 1/(L_1⋯L_j)
      TailMonomial product = one();
      for (int k = 1; k <= generator.chain; ++k) product = product * log_power(k, Rational(-1));
      result.emplace_back(product, Form(exponent));
      continue;
    }
    for (const auto& [inner, coefficient] : generator.exponent) {  // x·g' = Σ c·mon·x·(log mon)'
      for (const auto& [factor, slope] : log_derivative(inner)) {
        result.emplace_back(inner * factor, Form(exponent) * coefficient * slope);
      }
    }
  }
  return collected(std::move(result));
}

bool TailDomain::nonpositive(const TailSum& sum, int guard) const {
  if (sum.empty()) return true;
  if (guard > kDeepestArgument) return false;
  const auto& [lead, lead_coefficient] = sum.front();
  const Ball lead_ball = ball(lead_coefficient);
  if (!lead_ball.surely_negative()) return false;
  Ball positive_part(0);
  for (std::size_t i = 1; i < sum.size(); ++i) {
    const Ball coefficient = ball(sum[i].second);
    if (coefficient.surely_negative()) continue;
    positive_part =
        add(positive_part, mul(abs(coefficient), bounded_ratio(sum[i].first, lead, guard + 1), bits_), bits_);
  }
  return positive_part.surely_at_most(neg(lead_ball));
}

bool TailDomain::nonincreasing(const TailMonomial& ratio, int guard) const {
  return nonpositive(log_derivative(ratio), guard);
}

Ball TailDomain::log_at_start(const TailMonomial& a) const {
  Ball sum(0);
  for (std::size_t i = 0; i < generators_.size(); ++i) {
    if (a.powers[i].is_zero()) continue;
    const TailGenerator& generator = generators_[i];
    Ball logarithm(0);
    if (generator.chain >= 0) {
      logarithm = logs_[static_cast<std::size_t>(generator.chain) + 1];
    } else {
      for (const auto& [monomial, coefficient] : generator.exponent) {
        logarithm = add(logarithm, mul(ball(coefficient), at_start(monomial), bits_), bits_);
      }
    }
    sum = add(sum, mul(Ball(a.powers[i], bits_), logarithm, bits_), bits_);
  }
  return sum;
}

Ball TailDomain::at_start(const TailMonomial& a) const {
  const Ball value = exp(log_at_start(a), bits_);
  if (!value.is_finite()) throw NotProved("a monomial overflows at the threshold");
  return value;
}

Ball TailDomain::bounded_ratio(const TailMonomial& a, const TailMonomial& b, int guard) const {
  if (a == b) return Ball(1);
  const TailMonomial ratio = a * inverse(b);
  if (!nonincreasing(ratio, guard)) throw NotProved("a ratio of monomials is not seen to decrease");
  return at_start(ratio).upper(bits_);
}

Ball TailDomain::ratio_bound(const TailMonomial& a, const TailMonomial& b) const {
  return bounded_ratio(a, b, 0);
}

std::optional<Rational> TailDomain::first_integer(int most_digits) const {
  // X0 = exp(L_1(X0)); keep away from towers
  const Ball limit = mul(Ball(most_digits), log(Ball(10), bits_), bits_);
  if (!logs_[1].surely_less(limit)) return std::nullopt;
  const long bits = bits_ + ample_bits(most_digits);
  Ball x(ell_, bits);
  for (int j = 0; j < depth_; ++j) x = exp(x, bits);
  const auto ends = x.ends();
  if (!ends) return std::nullopt;
  return ends->high.ceil();
}

}  // namespace gpe::checks
