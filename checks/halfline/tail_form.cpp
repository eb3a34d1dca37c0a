#include "checks/halfline/tail_form.h"

#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "theory/exact/attempt.h"
#include "theory/exact/decision.h"
#include "theory/exact/form_expr.h"

namespace gpe::checks {

using theory::Form;
using theory::Rational;

namespace {

constexpr std::size_t kMaxProducts = 20000;

constexpr std::size_t kOrder = 6;          // terms kept of a power series
constexpr std::size_t kMaxFormTerms = 10;  // of a form

Ball ball_of(std::int64_t p, std::int64_t q, long bits) { return {Rational(p, q), bits}; }

}  // namespace

TailForm TailForm::constant(const TailDomain& domain, const Form& value) {
  return monomial(domain, domain.one(), value);
}

TailForm TailForm::monomial(const TailDomain& domain, const TailMonomial& monomial, const Form& coefficient) {
  TailForm result(domain);
  if (!coefficient.is_zero()) result.terms_.emplace_back(monomial, coefficient);
  return result;
}

TailForm TailForm::unknown(const TailDomain& domain, const TailMonomial& monomial, const Ball& bound) {
  TailForm result(domain);
  result.rest_.emplace_back(monomial, abs(bound).upper(domain.bits()));
  return result;
}

void TailForm::trim() {
  const long bits = domain_->bits();
  if (terms_.size() > kMaxFormTerms) {
    for (std::size_t i = kMaxFormTerms; i < terms_.size(); ++i) {
      rest_.emplace_back(terms_[i].first, abs(domain_->ball(terms_[i].second)).upper(bits));
    }
    terms_.resize(kMaxFormTerms);
  }
  if (rest_.size() < 2) return;
  // R2: every remainder against the largest of them
  const auto top =
      std::ranges::max_element(rest_, [](const auto& a, const auto& b) { return a.first < b.first; })->first;
  Ball total(0);
  for (const auto& [monomial, size] : rest_) {
    total = add(total, mul(size, domain_->ratio_bound(monomial, top), bits), bits);
  }
  rest_ = {{top, total.upper(bits)}};
}

TailForm operator+(const TailForm& a, const TailForm& b) {
  TailForm result(*a.domain_);
  TailSum terms = a.terms_;
  terms.insert(terms.end(), b.terms_.begin(), b.terms_.end());
  result.terms_ = collected(std::move(terms));
  // A coefficient that is zero without showing it would be a false leading term.
  std::erase_if(result.terms_, [&](const auto& term) {
    return term.second.rational() == nullptr && result.domain_->context().is_zero(term.second);
  });
  result.rest_ = a.rest_;
  result.rest_.insert(result.rest_.end(), b.rest_.begin(), b.rest_.end());
  result.trim();
  return result;
}

TailForm operator*(const TailForm& a, const TailForm& b) {
  const TailDomain& domain = *a.domain_;
  const long bits = domain.bits();
  TailForm result(domain);
  TailSum terms;
  if (a.terms_.size() * b.terms_.size() > kMaxProducts) throw NotProved("a product of too many terms");
  for (const auto& [m1, c1] : a.terms_) {
    domain.context().check_time();
    for (const auto& [m2, c2] : b.terms_) terms.emplace_back(m1 * m2, c1 * c2);
  }
  result.terms_ = collected(std::move(terms));
  const auto cross = [&](const TailForm& exact, const TailForm& rough) {
    for (const auto& [m1, c1] : exact.terms_) {
      for (const auto& [m2, r2] : rough.rest_) {
        result.rest_.emplace_back(m1 * m2, mul(abs(domain.ball(c1)), r2, bits).upper(bits));
      }
    }
  };
  cross(a, b);
  cross(b, a);
  for (const auto& [m1, r1] : a.rest_) {
    for (const auto& [m2, r2] : b.rest_) result.rest_.emplace_back(m1 * m2, mul(r1, r2, bits).upper(bits));
  }
  result.trim();
  return result;
}

TailForm operator-(const TailForm& a, const TailForm& b) {
  return a + TailForm::constant(*a.domain_, Form(-1)) * b;
}

Ball TailForm::bound(const TailMonomial& monomial) const {
  const long bits = domain_->bits();
  Ball total(0);
  for (const auto& [m, c] : terms_) {
    total = add(total, mul(abs(domain_->ball(c)), domain_->ratio_bound(m, monomial), bits), bits);
  }
  for (const auto& [m, r] : rest_) total = add(total, mul(r, domain_->ratio_bound(m, monomial), bits), bits);
  return total.upper(bits);
}

TailForm::Split TailForm::split() const {
  if (terms_.empty()) throw NotProved("no leading term");
  Split result{terms_.front().first, terms_.front().second, rest_, terms_};
  for (const auto& [m, r] : rest_) {
    if (!(m < result.monomial)) throw NotProved("the remainder is as large as the leading term");
  }
  result.terms.erase(result.terms.begin());
  return result;
}

TailForm TailForm::relative(const Split& parts) const {
  const long bits = domain_->bits();
  const Form inverse_coefficient = domain_->context().pow(parts.coefficient, Rational(-1));
  const TailMonomial inverse_monomial = inverse(parts.monomial);
  const Ball size = abs(domain_->ball(inverse_coefficient));
  TailForm result(*domain_);
  for (const auto& [m, c] : parts.terms)
    result.terms_.emplace_back(m * inverse_monomial, c * inverse_coefficient);
  for (const auto& [m, r] : parts.rest) {
    result.rest_.emplace_back(m * inverse_monomial, mul(r, size, bits).upper(bits));
  }
  result.trim();
  return result;
}

TailForm TailForm::series(const std::vector<Rational>& a,
                          const std::function<Ball(const Ball&)>& last) const {
  if (terms_.empty() && rest_.empty()) return constant(*domain_, Form(a.front()));
  const long bits = domain_->bits();
  const Ball size = bound(domain_->one());
  if (!size.surely_less(ball_of(9, 10, bits)))
    throw NotProved("the relative rest is not small at the threshold");
  TailMonomial top = terms_.empty() ? rest_.front().first : terms_.front().first;
  for (const auto& [m, r] : rest_) {
    if (top < m) top = m;
  }
  const Ball scale = bound(top);  // |ε| <= scale·top
  TailForm result = constant(*domain_, Form(a.back()));
  for (std::size_t k = a.size() - 1; k-- > 0;) result = result * *this + constant(*domain_, Form(a[k]));
  const auto count = static_cast<std::int64_t>(a.size());
  const Ball remainder = mul(abs(last(size)), checks::pow(scale, Rational(count), bits), bits);
  return result + unknown(*domain_, checks::pow(top, Rational(count)), remainder);
}

TailForm TailForm::pow(const Rational& exponent) const {
  if (exponent.is_zero()) return constant(*domain_, Form(1));
  if (exponent.is_one()) return *this;
  const Split parts = split();
  const bool positive = domain_->context().sign(parts.coefficient) > 0;
  if (!positive && !exponent.is_integer()) throw NotProved("a fractional power of a negative quantity");
  const long bits = domain_->bits();
  // R4: (1 + ε)^α with Lagrange remainder |C(α, K)|·(1 - E)^min(0, α - K)·|ε|^K
  std::vector<Rational> a = {Rational(1)};
  for (std::size_t k = 1; k <= kOrder; ++k) {
    const auto i = static_cast<std::int64_t>(k);
    a.push_back(a.back() * (exponent - Rational(i - 1)) / Rational(i));
  }
  const Rational next = a.back().abs();
  a.pop_back();
  const Rational order(static_cast<std::int64_t>(kOrder));
  const auto last = [&](const Ball& size) {
    const Rational power = std::min(Rational(0), exponent - order);
    return mul(Ball(next, bits), checks::pow(sub(Ball(1), size, bits), power, bits), bits);
  };
  const TailForm factor = relative(parts).series(a, last);
  const Form lead = domain_->context().pow(parts.coefficient, exponent);
  return monomial(*domain_, checks::pow(parts.monomial, exponent), lead) * factor;
}

TailForm TailForm::log() const {
  const Split parts = split();
  if (domain_->context().sign(parts.coefficient) <= 0) throw NotProved("log of a negative quantity");
  const long bits = domain_->bits();
  // R5: log(1 + ε) with remainder |ε|^K/(K·(1 - E)^K)
  std::vector<Rational> a = {Rational(0)};
  for (std::size_t k = 1; k < kOrder; ++k) {
    const auto i = static_cast<std::int64_t>(k);
    a.emplace_back(i % 2 == 1 ? 1 : -1, i);
  }
  const auto order = static_cast<std::int64_t>(kOrder);
  const auto last = [&](const Ball& size) {
    const Ball base = checks::pow(sub(Ball(1), size, bits), Rational(order), bits);
    return div(Ball(1), mul(Ball(order), base, bits), bits);
  };
  TailForm result =
      relative(parts).series(a, last) + constant(*domain_, domain_->context().log(parts.coefficient));
  const auto& generators = domain_->generators();
  for (std::size_t i = 0; i < generators.size(); ++i) {
    const Rational& exponent = parts.monomial.powers[i];
    if (exponent.is_zero()) continue;
    TailForm logarithm(*domain_);
    if (generators[i].chain >= 0) {
      logarithm.terms_.emplace_back(domain_->log_power(generators[i].chain + 1), Form(exponent));
    } else {
      for (const auto& [m, c] : generators[i].exponent) logarithm.terms_.emplace_back(m, c * Form(exponent));
    }
    result = result + logarithm;
  }
  return result;
}

TailForm TailForm::exp() const {
  // R6: split off what grows (into monomials), the constant, and the small rest.
  const TailMonomial one = domain_->one();
  TailMonomial factor = one;
  Form constant_part;
  TailSum large;
  TailForm small(*domain_);
  const auto& generators = domain_->generators();
  for (const auto& [m, c] : terms_) {
    if (m < one) {
      small.terms_.emplace_back(m, c);
      continue;
    }
    if (m == one) {
      constant_part = c;
      continue;
    }
    // a rational multiple of some L_{j+1}: L_j^c
    bool absorbed = false;
    for (std::size_t i = 0; i < generators.size() && !absorbed; ++i) {
      if (generators[i].chain < 0 || generators[i].chain + 1 > domain_->depth()) continue;
      if (c.rational() != nullptr && m == domain_->log_power(generators[i].chain + 1)) {
        factor.powers[i] += *c.rational();
        absorbed = true;
      }
    }
    if (!absorbed) large.emplace_back(m, c);
  }
  for (const auto& [m, r] : rest_) {
    if (!(m < one) && !(m == one)) throw NotProved("exp of a quantity with an unbounded remainder");
    small.rest_.emplace_back(m, r);
  }
  if (!large.empty()) {
    bool found = false;
    for (std::size_t i = 0; i < generators.size() && !found; ++i) {
      const TailSum& known = generators[i].exponent;
      if (generators[i].chain >= 0 || known.size() != large.size() ||
          !(known.front().first == large.front().first))
        continue;
      const Form ratio = large.front().second * domain_->context().pow(known.front().second, Rational(-1));
      const Rational* multiple = ratio.rational();
      found = multiple != nullptr;
      for (std::size_t k = 0; k < known.size() && found; ++k) {
        found = known[k].first == large[k].first && known[k].second * ratio == large[k].second;
      }
      if (found) factor.powers[i] += *multiple;
    }
    if (!found) {
      if (domain_->context().sign(large.front().second) < 0) {
        for (auto& [m, c] : large) c = -c;
      }
      throw GeneratorNeeded{large};
    }
  }
  const long bits = domain_->bits();
  std::vector<Rational> a = {Rational(1)};
  for (std::size_t k = 1; k <= kOrder; ++k) a.push_back(a.back() / Rational(static_cast<std::int64_t>(k)));
  const Rational next = a.back();
  a.pop_back();
  const TailForm lead = monomial(*domain_, factor, domain_->context().exp(constant_part));
  if (small.terms_.empty() && small.rest_.empty()) return lead;
  const Ball size = small.bound(one);
  if (!size.surely_less(ball_of(9, 10, bits))) {
    // A bounded rest that is not small: e^ρ lies in [e^-E, e^E].
    const Ball spread = checks::exp(size, bits);
    return lead * (constant(*domain_, Form(1)) + unknown(*domain_, one, sub(spread, Ball(1), bits)));
  }
  const auto last = [&](const Ball& e) { return mul(Ball(next, bits), checks::exp(e, bits), bits); };
  return lead * small.series(a, last);
}

TailForm TailForm::floor() const { return *this + unknown(*domain_, domain_->one(), Ball(1)); }

TailForm TailForm::circular(bool sine) const {
  const TailMonomial one = domain_->one();
  const TailForm bounded = unknown(*domain_, one, Ball(1));
  TailForm small(*domain_);
  Form limit;
  for (const auto& [m, c] : terms_) {
    if (one < m) return bounded;
    if (m == one) {
      limit = c;
    } else {
      small.terms_.emplace_back(m, c);
    }
  }
  for (const auto& [m, r] : rest_) {
    if (!(m < one)) return bounded;
    small.rest_.emplace_back(m, r);
  }
  // R7: Taylor with remainder |ε|^K/K!
  const auto taylor = [&](bool odd) {
    std::vector<Rational> a;
    Rational factorial(1);
    for (std::size_t k = 0; k <= kOrder; ++k) {
      if (k > 0) factorial *= Rational(static_cast<std::int64_t>(k));
      const bool mine = (k % 2 == 1) == odd;
      const Rational sign((k / 2) % 2 == 0 ? 1 : -1);
      a.push_back(mine ? sign / factorial : Rational(0));
    }
    a.pop_back();
    const Ball next(factorial.inverse(), domain_->bits());
    return small.series(a, [next](const Ball&) { return next; });
  };
  const TailForm s = constant(*domain_, theory::sin(limit));
  const TailForm c = constant(*domain_, theory::cos(limit));
  return sine ? s * taylor(false) + c * taylor(true) : c * taylor(false) - s * taylor(true);
}

// POS: the first term is positive, and what may pull below it stays smaller than it on the whole domain.
bool TailForm::surely_positive() const {
  if (terms_.empty()) return false;
  const long bits = domain_->bits();
  const auto& lead = terms_.front().first;
  const auto& lead_coefficient = terms_.front().second;
  const auto positive = [&] {
    const Ball top = domain_->ball(lead_coefficient);
    if (!top.surely_positive()) return false;
    Ball against(0);
    for (std::size_t i = 1; i < terms_.size(); ++i) {
      const Ball coefficient = domain_->ball(terms_[i].second);
      if (coefficient.surely_positive()) continue;
      against = add(against, mul(abs(coefficient), domain_->ratio_bound(terms_[i].first, lead), bits), bits);
    }
    for (const auto& [m, r] : rest_)
      against = add(against, mul(r, domain_->ratio_bound(m, lead), bits), bits);
    return against.surely_less(top);
  };
  return theory::attempt<NotProved>(positive).value_or(false);
}

bool TailForm::surely_negative() const { return (constant(*domain_, Form(-1)) * *this).surely_positive(); }

bool TailForm::surely_nonnegative() const { return (terms_.empty() && rest_.empty()) || surely_positive(); }

}  // namespace gpe::checks
