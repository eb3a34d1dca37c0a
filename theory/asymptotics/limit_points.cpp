#include "theory/asymptotics/limit_points.h"

#include <algorithm>

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/waves.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"

namespace gpe::theory {

namespace {

// Whether forms are linearly independent over the rationals; false says nothing. Their terms must be rational
// multiples of products of radicals of primes and of powers of π. Different products of that kind are
// independent: those of radicals by Besicovitch's theorem (1940), and π is transcendental.
bool independent(std::vector<Form> forms) {
  const auto is_known = [](const KernelPower& power) {
    return (power.kernel->kind == Kernel::Kind::prime && power.kernel->proved_prime) ||
           (power.kernel->kind == Kernel::Kind::pi && power.exponent.is_integer());
  };
  const auto product_of = [](const Term& term) { return Form::of_terms({{Rational(1), term.powers}}); };
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const TermList terms = forms[i].terms();
    if (terms.empty()) return false;
    for (const Term& term : terms) {
      if (!std::ranges::all_of(term.powers, is_known)) return false;
    }
    const Term& lead = terms.front();
    for (std::size_t k = i + 1; k < forms.size(); ++k) {
      for (const Term& term : forms[k].terms()) {
        if (product_of(term) == product_of(lead))
          forms[k] = forms[k] - Form(term.coefficient / lead.coefficient) * forms[i];
      }
    }
  }
  return true;
}

// √(a² + b²)
Form amplitude(const Wave& wave, const Context& context) {
  const auto size = [&](const Form& form) { return context.sign(form) < 0 ? -form : form; };
  if (wave.sine.is_zero()) return size(wave.cosine);
  if (wave.cosine.is_zero()) return size(wave.sine);
  return context.pow(wave.cosine * wave.cosine + wave.sine * wave.sine, Rational(1, 2));
}

// Without a limit, of waves alone.
std::optional<LimitBounds> of_waves(const Expr& expression, const Context& context) {
  const auto sum = wave_sum(expression, context);
  if (!sum) return std::nullopt;
  Form size;
  std::vector<Form> turns = {Form(1)};
  for (const Wave& wave : sum->waves) {
    size = size + amplitude(wave, context);
    turns.push_back(wave.frequency * Form::power(Kernel::pi(), -1));
  }
  if (!independent(turns)) return std::nullopt;
  return LimitBounds{{Limit::Kind::finite, sum->mean - size}, {Limit::Kind::finite, sum->mean + size}};
}

// Of waves that grow: that of one amplitude takes all along.
std::optional<LimitBounds> of_growing_waves(const Expr& expression, const Context& context) {
  for (const Term& term : form_near_infinity(expression, context).terms()) {
    const std::optional<Form> growing = amplitude_of(term);
    if (!growing || !varies(*growing)) continue;
    const auto found = attempt_in_time<Undecided, Undefined>([&]() -> std::optional<LimitBounds> {
      const LimitBounds size = limit(abs(to_expr(*growing)), context);
      if (size.low.kind != Limit::Kind::plus_infinity) return std::nullopt;
      const auto ratio = of_waves(expression / to_expr(*growing), context);
      if (!ratio || sign(ratio->low, context) >= 0 || sign(ratio->high, context) <= 0) return std::nullopt;
      return LimitBounds{{Limit::Kind::minus_infinity, {}}, {Limit::Kind::plus_infinity, {}}};
    });
    if (found && *found) return *found;
  }
  return std::nullopt;
}

}  // namespace

std::optional<LimitBounds> limit_points(const Expr& expression, const Context& context) {
  std::optional<LimitBounds> result;
  for (const Expr& one : residue_classes(expression, residue_modulus(expression, context))) {
    const LimitBounds bounds = limit(one, context);
    auto points = bounds.settled() ? std::optional(bounds) : of_waves(one, context);
    if (!points) points = of_growing_waves(one, context);
    if (!points) return std::nullopt;
    if (!result) result = points;
    if (compare(points->low, result->low, context) < 0) result->low = points->low;
    if (compare(points->high, result->high, context) > 0) result->high = points->high;
  }
  return result;
}

}  // namespace gpe::theory
