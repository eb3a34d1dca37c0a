#include "theory/asymptotics/limit_points.h"

#include <algorithm>
#include <numeric>

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/wave_maximum.h"
#include "theory/asymptotics/waves.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"

namespace gpe::theory {

namespace {

using Rationals = std::vector<Rational>;

// A sum of terms that is not zero, and which combination of the basis it is.
struct Pivot {
  Form sum;
  Rationals parts;
};

// Each frequency ω/π as a combination of those of `basis`, up to rational numbers; those and 1 are linearly
// independent over the rationals. Their terms must be rational multiples of products of radicals of primes
// and of powers of π. Different products of that kind are independent: those of radicals by Besicovitch's
// theorem (1940), and π is transcendental.
struct Combinations {
  std::vector<std::size_t> basis;
  std::vector<Rationals> parts;
};
std::optional<Combinations> combinations(const std::vector<Wave>& waves) {
  const auto is_known = [](const KernelPower& power) {
    return (power.kernel->kind == Kernel::Kind::prime && power.kernel->proved_prime) ||
           (power.kernel->kind == Kernel::Kind::pi && power.exponent.is_integer());
  };
  const auto coefficient = [](const Form& sum, const Term& product) {
    for (const Term& term : sum.terms()) {
      if (Form::of_terms({{Rational(1), term.powers}}) == Form::of_terms({{Rational(1), product.powers}}))
        return term.coefficient;
    }
    return Rational();
  };
  Combinations result;
  std::vector<Pivot> pivots;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    Form rest = waves[i].frequency * Form::power(Kernel::pi(), -1);
    for (const Term& term : rest.terms()) {
      if (!std::ranges::all_of(term.powers, is_known)) return std::nullopt;
    }
    rest = rest - Form(coefficient(rest, Term{Rational(1), {}}));
    if (rest.is_zero()) return std::nullopt;
    Rationals parts(waves.size());
    for (const Pivot& pivot : pivots) {
      const Term lead = pivot.sum.terms().front();
      const Rational q = coefficient(rest, lead) / lead.coefficient;
      rest = rest - Form(q) * pivot.sum;
      for (std::size_t j = 0; j < parts.size(); ++j) parts[j] += q * pivot.parts[j];
    }
    if (!rest.is_zero()) {
      for (Rational& part : parts) part = -part;
      parts[result.basis.size()] = Rational(1);
      pivots.push_back({rest, parts});
      parts.assign(waves.size(), Rational());
      parts[result.basis.size()] = Rational(1);
      result.basis.push_back(i);
    }
    result.parts.push_back(parts);
  }
  return result;
}

// Waves whose frequencies share no element of the basis, group by group, as functions of independent angles.
// The basis is divided so that its combinations become whole.
std::optional<std::vector<std::vector<Harmonic>>> independent_groups(const std::vector<Wave>& waves) {
  const auto found = combinations(waves);
  if (!found) return std::nullopt;
  const std::size_t rank = found->basis.size();
  std::vector<std::size_t> group(rank);  // of each element of the basis: the first that belongs to it
  std::iota(group.begin(), group.end(), 0);
  Rationals divisor(rank, Rational(1));
  for (const Rationals& parts : found->parts) {
    std::optional<std::size_t> first;
    for (std::size_t j = 0; j < rank; ++j) {
      if (parts[j].is_zero()) continue;
      divisor[j] *= (divisor[j] * parts[j]).denominator();
      if (!first) first = group[j];
      std::ranges::replace(group, std::size_t{group[j]}, *first);
    }
  }
  std::vector<std::vector<Harmonic>> result;
  for (std::size_t g = 0; g < rank; ++g) {
    std::vector<Harmonic> harmonics;
    std::size_t of_basis = 0;
    for (std::size_t i = 0; i < waves.size(); ++i) {
      const Wave& wave = waves[i];
      Harmonic harmonic;
      Form phase = wave.angle;
      bool belongs = false;
      for (std::size_t j = 0; j < rank; ++j) {
        if (group[j] != g) continue;
        const Rational& part = found->parts[i][j];
        belongs |= !part.is_zero();
        harmonic.k.push_back(part * divisor[j]);
        phase = phase - Form(part) * waves[found->basis[j]].angle;
      }
      if (!belongs) continue;
      phase = without_whole_turns(phase);
      if (phase.mentions(kIndex)) return std::nullopt;
      harmonic.cosine = wave.cosine * cos(phase) + wave.sine * sin(phase);
      harmonic.sine = wave.sine * cos(phase) - wave.cosine * sin(phase);
      if (harmonic.k.front().sign() < 0) {
        for (Rational& k : harmonic.k) k = -k;
        harmonic.sine = -harmonic.sine;
      }
      const bool in_basis = std::ranges::find(found->basis, i) != found->basis.end();
      harmonics.insert(
          in_basis ? harmonics.begin() + static_cast<std::ptrdiff_t>(of_basis++) : harmonics.end(), harmonic);
    }
    if (!harmonics.empty()) result.push_back(harmonics);
  }
  return result;
}

// Without a limit, of waves alone.
std::optional<LimitPoints> of_waves(const Expr& expression, const Context& context) {
  const auto sum = wave_sum(expression, context);
  if (!sum) return std::nullopt;
  const auto groups = independent_groups(each_frequency_once(sum->waves, context));
  if (!groups) return std::nullopt;
  MaximumBounds low{sum->mean, sum->mean};
  MaximumBounds high = low;
  for (std::vector<Harmonic> group : *groups) {
    const auto most = maximum(group, context);
    if (!most) return std::nullopt;
    for (Harmonic& wave : group) wave = {wave.k, -wave.cosine, -wave.sine};
    const auto least = maximum(group, context);
    if (!least) return std::nullopt;
    high = {high.low + most->low, high.high + most->high};
    low = {low.low - least->high, low.high - least->low};
  }
  const auto finite = [](const MaximumBounds& bounds) {
    return LimitBounds{{Limit::Kind::finite, bounds.low}, {Limit::Kind::finite, bounds.high}};
  };
  return LimitPoints{finite(low), finite(high)};
}

// Of waves that grow: that of one amplitude takes all along.
std::optional<LimitPoints> of_growing_waves(const Expr& expression, const Context& context) {
  for (const Term& term : form_near_infinity(expression, context).terms()) {
    const std::optional<Form> growing = amplitude_of(term);
    if (!growing || !varies(*growing)) continue;
    const auto found = attempt_in_time<Undecided, Undefined>([&]() -> std::optional<LimitPoints> {
      const LimitBounds size = limit(abs(to_expr(*growing)), context);
      if (size.low.kind != Limit::Kind::plus_infinity) return std::nullopt;
      const auto ratio = of_waves(expression / to_expr(*growing), context);
      if (!ratio || sign(ratio->low.high, context) >= 0 || sign(ratio->high.low, context) <= 0)
        return std::nullopt;
      const Limit low{Limit::Kind::minus_infinity, {}};
      const Limit high{Limit::Kind::plus_infinity, {}};
      return LimitPoints{{low, low}, {high, high}};
    });
    if (found && *found) return *found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<LimitPoints> limit_points(const Expr& expression, const Context& context) {
  const auto at_most = [&](Limit& a, const Limit& b) { a = compare(b, a, context) < 0 ? b : a; };
  const auto at_least = [&](Limit& a, const Limit& b) { a = compare(b, a, context) > 0 ? b : a; };
  std::optional<LimitPoints> result;
  for (const Expr& one : residue_classes(expression, residue_modulus(expression, context))) {
    const LimitBounds bounds = limit(one, context);
    auto points = bounds.settled() ? LimitPoints{bounds, bounds} : of_waves(one, context);
    if (!points) points = of_growing_waves(one, context);
    if (!points) return std::nullopt;
    if (!result) result = points;
    at_most(result->low.low, points->low.low);
    at_most(result->low.high, points->low.high);
    at_least(result->high.low, points->high.low);
    at_least(result->high.high, points->high.high);
  }
  return result;
}

std::string point_text(const std::string& what, const LimitBounds& point, bool at_least) {
  if (point.settled()) return what + " = " + to_text(point.low);
  Form bound = (at_least ? point.low : point.high).value;
  if (const Rational* number = bound.rational(); number != nullptr && !number->is_zero()) {
    Rational unit(1);
    while (unit > number->abs()) unit /= Rational(10);
    const Rational units = *number / unit;
    bound = Form((at_least ? units.floor() : units.ceil()) * unit);
  }
  return what + (at_least ? " >= " : " <= ") + to_text(bound);
}

}  // namespace gpe::theory
