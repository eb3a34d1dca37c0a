#include "checks/content/growth_error.h"
// Tests: tests/checks/content/content_laws_test.cpp
#include <algorithm>

#include "checks/arb/decimal.h"
#include "checks/arb/expr_ball.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

namespace {

std::optional<Ball> value_at(const Expr& law, const Rational& length, long bits) {
  const Ball value = evaluate(law, {{theory::kLength, Ball(length, bits)}}, bits);
  return value.is_finite() ? std::optional(value) : std::nullopt;
}

// A frequency c·r, c rational and r a product of roots of primes; nothing for other numbers.
std::optional<std::pair<theory::Form, Rational>> radical_and_share(const theory::Form& frequency) {
  if (frequency.is_zero() || frequency.term_count() != 1) return std::nullopt;
  theory::Term term = frequency.terms().front();
  for (const theory::KernelPower& power : term.powers) {
    if (power.kernel->kind != theory::Kernel::Kind::prime || !power.kernel->proved_prime) return std::nullopt;
  }
  const Rational share = term.coefficient;
  term.coefficient = 1;
  return std::pair(theory::Form::of_terms({term}), share);
}

// Products of roots of primes are independent over the rationals (Besicovitch), and 2π is transcendental, so
// Σ k_j ω_j is a multiple of 2π only if it is 0 among the frequencies of each root by itself. Where those are
// multiples of each other, in order of size, the smallest that has a k_j ≠ 0 has a k_j that is divisible by
// its ratio to the next larger one.
std::optional<Relations> relations_between(const std::vector<theory::Form>& frequencies) {
  std::vector<std::pair<theory::Form, std::vector<Rational>>> groups;
  for (const theory::Form& frequency : frequencies) {
    const auto parts = radical_and_share(frequency);
    if (!parts) return std::nullopt;
    auto group = std::ranges::find_if(groups, [&](const auto& one) { return one.first == parts->first; });
    if (group == groups.end()) group = groups.insert(groups.end(), {parts->first, {}});
    group->second.push_back(parts->second);
  }
  Relations result;
  for (auto& [root, shares] : groups) {
    std::ranges::sort(shares, [](const Rational& a, const Rational& b) { return a.abs() > b.abs(); });
    for (std::size_t i = 0; i + 1 < shares.size(); ++i) {
      const Rational ratio = (shares[i] / shares[i + 1]).abs();
      if (!ratio.is_integer() || ratio.is_one()) return std::nullopt;
      result.least = result.least ? std::min(*result.least, ratio) : ratio;
    }
  }
  return result;
}

}  // namespace

std::optional<std::string> GrowthLaw::z_text(int digits) const {
  if (frozen_) {
    const Decimal share = proved_decimal(frozen_->z_over_length, digits);
    return share.digits > 0 ? std::optional(share.text + "*L") : std::nullopt;
  }
  if (laws_.z) return theory::to_text(*laws_.z);
  return std::nullopt;
}

std::optional<std::string> GrowthLaw::entropy_text(int digits) const {
  if (frozen_) {
    const bool negative = frozen_->entropy_less_log.surely_negative();
    const Decimal size =
        proved_decimal(negative ? neg(frozen_->entropy_less_log) : frozen_->entropy_less_log, digits);
    if (size.digits == 0) return std::nullopt;
    return (negative ? "log(L) - " : "log(L) + ") + size.text;
  }
  if (laws_.entropy) return theory::to_text(*laws_.entropy);
  return std::nullopt;
}

std::optional<Ball> GrowthLaw::z_error(const Ball& z, const Rational& length, long bits) const {
  std::optional<Ball> law;
  if (frozen_) {
    law = mul(frozen_->z_over_length, Ball(length, bits), bits);
  } else if (laws_.z) {
    law = value_at(*laws_.z, length, bits);
  }
  if (!law || !law->surely_positive()) return std::nullopt;
  return sub(div(z, *law, bits), Ball(1), bits);
}

std::optional<Ball> GrowthLaw::entropy_error(const Ball& entropy, const Rational& length, long bits) const {
  std::optional<Ball> law;
  if (frozen_) {
    law = add(frozen_->entropy_less_log, log(Ball(length, bits), bits), bits);
  } else if (laws_.entropy) {
    law = value_at(*laws_.entropy, length, bits);
  }
  if (!law || !law->is_finite()) return std::nullopt;
  return sub(entropy, *law, bits);
}

std::optional<FrozenGrowth> frozen_growth_of(const theory::ScoreFunction& law, std::uint64_t seed,
                                             const Rational& bound, long bits,
                                             const theory::Context& context) {
  const bool turns = law.transform == theory::Transform::rotation && law.has_content && !law.softcap &&
                     !law.window && !law.two_sided && law.rotation.alpha == theory::Alpha::absent;
  if (!turns || law.depends_on_length() || law.gain.mentions(theory::kIndex)) return std::nullopt;
  const auto growth = [&]() -> std::optional<FrozenGrowth> {
    if (!context.is_zero(to_form(law.bias, context))) return std::nullopt;
    std::vector<theory::Form> frequencies;
    for (std::int64_t j = 0; j < law.head_dim / 2; ++j) {
      const Expr angle = substitute(law.rotation.angle, "j", Expr(j));
      frequencies.push_back(to_form(angle / Expr::symbol(theory::kIndex), context));
    }
    const auto relations = relations_between(frequencies);
    const Ball gain = evaluate(law.gain, {}, bits);
    if (!relations || !gain.is_finite()) return std::nullopt;
    return frozen_growth(frozen_pair(seed, law.head_dim), law.rotation.layout,
                         mul(gain, Ball(bound, bits), bits), *relations, bits);
  };
  return theory::attempt(growth).value_or(std::nullopt);
}

}  // namespace gpe::checks
