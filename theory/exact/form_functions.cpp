#include "theory/exact/form_functions.h"

#include "theory/exact/decision.h"
#include "theory/exact/factor.h"

namespace gpe::theory {

namespace {

constexpr std::size_t kExpansionTerms = 600;

Form of_powers(const Rational& coefficient, const std::vector<KernelPower>& powers) {
  Form result(coefficient);
  for (const KernelPower& power : powers) result = result * Form::power(power.kernel, power.exponent);
  return result;
}

Form repeated(const Form& base, std::int64_t times) {
  Form result(1);
  for (std::int64_t i = 0; i < times; ++i) result = result * base;
  return result;
}

bool expands(const Form& base, const Rational& exponent) {
  const auto times = exponent.to_int64();
  if (!times || *times < 0 || *times > 64) return false;
  std::size_t count = 1;
  for (std::int64_t i = 0; i < *times && count <= kExpansionTerms; ++i) count *= base.term_count();
  return count <= kExpansionTerms;
}

// A positive rational under any rational power: primes, each under its own power.
Form rational_power(const Rational& base, const Rational& exponent) {
  if (exponent.is_integer()) {
    const auto whole = exponent.to_int64();
    if (whole && std::abs(*whole) <= 4096 && base.bits() * std::abs(*whole) <= 65536) {
      return Form(base.pow(*whole));
    }
  }
  const std::int64_t bits = exponent.bits();
  Form result(1);
  for (const PrimePower& power : factor(base)) {
    const Rational total = power.exponent * exponent;
    if (bits > 40 || total.abs() > Rational(100000)) {  // never written out: 2^(10^12) stays a kernel
      const Form log_prime = Form::power(Kernel::of(Kernel::Kind::log, Form(power.base)));
      result = result * Form::power(Kernel::of(Kernel::Kind::exp, log_prime), total);
    } else {
      result = result * Form::power(Kernel::of_prime(power.base, power.proved_prime), total);
    }
  }
  return result;
}

// kernel^e under a power: k^(e·r) when that is an identity.
bool power_distributes(const KernelPower& power, const Rational& exponent, const KnownSign& sign) {
  if (exponent.is_integer()) return true;
  const auto known = sign(Form::power(power.kernel));
  return known && *known > 0;
}

Form irreducible_power(const Form& sum, const Rational& exponent, const KnownSign& sign) {
  const Rational whole = exponent.abs().floor();
  const bool written_out = expands(sum, whole);
  // too large to write out; its inverse the same way, so that both cancel
  if (!written_out && sign(sum) == 1) {
    const Form log_sum = Form::power(Kernel::of(Kernel::Kind::log, sum));
    return Form::power(Kernel::of(Kernel::Kind::exp, log_sum), exponent);
  }
  if (exponent.is_integer() && (leads_negative(sum) || (!written_out && sign(-sum) == 1))) {
    const Form positive = irreducible_power(-sum, exponent, sign);
    return exponent.is_even_integer() ? positive : -positive;
  }
  if (!written_out) return Form::power(Kernel::of(Kernel::Kind::sum, sum), exponent);
  if (exponent.sign() < 0) return Form::power(Kernel::of(Kernel::Kind::power, sum), exponent);
  const Form rest = Form::power(Kernel::of(Kernel::Kind::power, sum), exponent - whole);
  return repeated(sum, *whole.to_int64()) * rest;
}

Form sum_power(const Form& base, const Rational& exponent, const KnownSign& sign) {
  if (expands(base, exponent)) return repeated(base, *exponent.to_int64());
  Primitive parts = primitive_part(base, true);
  // Factors that may be negative stay inside a fractional power.
  std::vector<KernelPower> outside;
  std::vector<KernelPower> inside;
  for (const KernelPower& power : parts.monomial) {
    (power_distributes(power, exponent, sign) ? outside : inside).push_back(power);
  }
  Form rest = parts.form * of_powers(1, inside);
  Form result = rational_power(parts.content, exponent);
  for (const KernelPower& power : outside)
    result = result * Form::power(power.kernel, power.exponent * exponent);
  if (rest.term_count() <= 1) return result * pow(rest, exponent, sign);  // the sum has collapsed
  const Rational lead = rest.terms().front().coefficient;
  if (exponent.is_integer() && lead.sign() < 0) {
    rest = -rest;
    if (!exponent.is_even_integer()) result = -result;
  }
  const auto factored = factor_polynomial(rest);
  if (!factored || factored->factors.empty() ||
      (factored->factors.size() == 1 && factored->factors[0].multiplicity == 1)) {
    return result * irreducible_power(rest, exponent, sign);
  }
  Form content = Form(factored->content);
  for (const PolynomialFactor& factor : factored->factors) {
    const auto known = sign(factor.factor);
    const bool splits = exponent.is_integer() || (known && *known > 0);
    if (!splits) return result * irreducible_power(rest, exponent, sign);
  }
  if (factored->content.sign() < 0 && !exponent.is_integer())
    return result * irreducible_power(rest, exponent, sign);
  const Rational magnitude = factored->content.abs();
  if (factored->content.sign() < 0 && !exponent.is_even_integer()) result = -result;
  result = result * rational_power(magnitude, exponent);
  for (const PolynomialFactor& factor : factored->factors) {
    result = result * irreducible_power(factor.factor, exponent * Rational(factor.multiplicity), sign);
  }
  return result;
}

}  // namespace

Form pow(const Form& base, const Rational& exponent, const KnownSign& sign) {
  if (exponent.is_zero()) return Form(1);
  if (exponent.is_one()) return base;
  if (base.is_zero()) {
    if (exponent.sign() < 0) throw Undefined("division by zero");
    return {};
  }
  if (const Rational* number = base.rational()) {
    if (number->sign() > 0) return rational_power(*number, exponent);
    if (exponent.is_integer()) {
      const Form magnitude = rational_power(number->abs(), exponent);
      return exponent.is_even_integer() ? magnitude : -magnitude;
    }
    return Form::power(Kernel::of(Kernel::Kind::power, base), exponent);  // undefined; kept as it stands
  }
  const TermList terms = base.terms();
  if (terms.size() > 1) return sum_power(base, exponent, sign);
  const Term& term = terms.front();
  if (exponent.is_integer()) {
    const Form magnitude = rational_power(term.coefficient.abs(), exponent);
    Form result = term.coefficient.sign() < 0 && !exponent.is_even_integer() ? -magnitude : magnitude;
    for (const KernelPower& power : term.powers) {
      result = result * Form::power(power.kernel, power.exponent * exponent);
    }
    return result;
  }
  Form result = rational_power(term.coefficient.abs(), exponent);
  std::vector<KernelPower> unknown;
  for (const KernelPower& power : term.powers) {
    if (power_distributes(power, exponent, sign)) {
      result = result * Form::power(power.kernel, power.exponent * exponent);
    } else {
      unknown.push_back(power);
    }
  }
  const bool negative = term.coefficient.sign() < 0;
  if (unknown.empty()) {
    return negative ? result * Form::power(Kernel::of(Kernel::Kind::power, Form(-1)), exponent) : result;
  }
  // c·k with c > 0 defined under a fractional power has k >= 0.
  if (unknown.size() == 1 && unknown[0].exponent.is_one() && !negative) {
    return result * Form::power(unknown[0].kernel, exponent);
  }
  return result *
         Form::power(Kernel::of(Kernel::Kind::power, of_powers(negative ? -1 : 1, unknown)), exponent);
}

namespace {

Form log_of_rational(const Rational& positive) {
  Form result;
  for (const PrimePower& power : factor(positive)) {
    result = result + Form(power.exponent) * Form::power(Kernel::of(Kernel::Kind::log, Form(power.base)));
  }
  return result;
}

Form log_of_kernel(const KernelPtr& kernel, const KnownSign& sign) {
  switch (kernel->kind) {
    case Kernel::Kind::exp:
      return kernel->argument;
    case Kernel::Kind::prime:
      return log_of_rational(kernel->prime);
    case Kernel::Kind::power:
    case Kernel::Kind::sum:
      return log(kernel->argument, sign);
    default:
      return Form::power(Kernel::of(Kernel::Kind::log, Form::power(kernel)));
  }
}

bool known_positive(const Form& form, const KnownSign& sign) {
  const auto known = sign(form);
  return known && *known > 0;
}

}  // namespace

Form log(const Form& argument, const KnownSign& sign) {
  if (const Rational* number = argument.rational()) {
    if (number->sign() > 0) return log_of_rational(*number);
    return Form::power(Kernel::of(Kernel::Kind::log, argument));  // undefined; kept as it stands
  }
  Primitive parts = primitive_part(argument, true);
  Form rest = parts.form;
  Form result;
  for (const KernelPower& power : parts.monomial) {
    if (known_positive(Form::power(power.kernel), sign)) {
      result = result + Form(power.exponent) * log_of_kernel(power.kernel, sign);
    } else {
      rest = rest * Form::power(power.kernel, power.exponent);
    }
  }
  result = result + log_of_rational(parts.content);
  if (rest.is_rational(1)) return result;
  if (rest.term_count() < argument.term_count()) return result + log(rest, sign);  // the sum has collapsed
  // a lone kernel whose logarithm is taken is positive
  const TermList terms = rest.terms();
  if (terms.size() == 1 && terms[0].coefficient.is_one() && terms[0].powers.size() == 1) {
    const KernelPower& only = terms[0].powers[0];
    if (only.exponent.is_one()) return result + log_of_kernel(only.kernel, sign);
  }
  if (const auto factored = factor_polynomial(rest);
      factored &&
      factored->factors.size() +
              (factored->factors.empty() ? 0U : static_cast<std::size_t>(factored->factors[0].multiplicity)) >
          2) {
    bool all_positive = factored->content.sign() > 0;
    for (const PolynomialFactor& factor : factored->factors) {
      all_positive = all_positive && known_positive(factor.factor, sign);
    }
    if (all_positive) {
      result = result + log_of_rational(factored->content);
      for (const PolynomialFactor& factor : factored->factors) {
        result = result + Form(Rational(factor.multiplicity)) *
                              Form::power(Kernel::of(Kernel::Kind::log, factor.factor));
      }
      return result;
    }
  }
  return result + Form::power(Kernel::of(Kernel::Kind::log, rest));
}

namespace {

// x^q where log x stands, and so x > 0.
Form positive_power(const Form& x, const Rational& q, const KnownSign& sign) {
  const Form part = x.is_zero() ? x : primitive_part(x, false).form;
  return pow(x, q,
             [&](const Form& form) { return form == x || form == part ? std::optional(1) : sign(form); });
}

}  // namespace

Form exp(const Form& argument, const KnownSign& sign) {
  Form result(1);
  for (const Term& term : argument.terms()) {
    if (term.powers.size() == 1 && term.powers[0].kernel->kind == Kernel::Kind::log &&
        term.powers[0].exponent.is_one()) {
      result = result * positive_power(term.powers[0].kernel->argument, term.coefficient, sign);
      continue;
    }
    std::vector<Term> product;
    product.push_back({Rational(1), term.powers});
    const Form exponent = Form::of_terms(std::move(product));
    result = result * Form::power(Kernel::of(Kernel::Kind::exp, exponent), term.coefficient);
  }
  return result;
}

namespace {

// q when the form is q·π.
std::optional<Rational> multiple_of_pi(const Form& form) {
  if (form.is_zero()) return Rational(0);
  const TermList terms = form.terms();
  if (terms.size() != 1 || terms[0].powers.size() != 1) return std::nullopt;
  const KernelPower& power = terms[0].powers[0];
  if (power.kernel->kind != Kernel::Kind::pi || !power.exponent.is_one()) return std::nullopt;
  return terms[0].coefficient;
}

}  // namespace

std::optional<Rational> angle_of_cosine(const Kernel& kernel) {
  return kernel.kind == Kernel::Kind::cos ? multiple_of_pi(kernel.argument) : std::nullopt;
}

namespace {

// cos(q·π) for 0 <= q <= 1/2 with denominator 1, 2, 3, 4 or 6.
std::optional<Form> cosine_in_first_quadrant(const Rational& q) {
  const auto root = [](int prime, const Rational& factor) {
    return Form(factor) * Form::power(Kernel::of_prime(Rational(prime), true), Rational(1, 2));
  };
  if (q.is_zero()) return Form(1);
  if (q == Rational(1, 6)) return root(3, Rational(1, 2));
  if (q == Rational(1, 4)) return root(2, Rational(1, 2));
  if (q == Rational(1, 3)) return Form(Rational(1, 2));
  if (q == Rational(1, 2)) return Form(0);
  return std::nullopt;
}

// cos(q·π), written with an angle in the first quadrant.
Form cosine_of_turn(const Rational& q) {
  Rational turn = q - Rational(2) * (q / Rational(2)).floor();  // in [0, 2)
  if (turn > Rational(1)) turn = Rational(2) - turn;            // cos is even about π
  const bool mirrored = turn > Rational(1, 2);
  if (mirrored) turn = Rational(1) - turn;
  const Form angle = Form(turn) * Form::power(Kernel::pi());
  const Form value =
      cosine_in_first_quadrant(turn).value_or(Form::power(Kernel::of(Kernel::Kind::cos, angle)));
  return mirrored ? -value : value;
}

}  // namespace

bool leads_negative(const Form& form) {
  return !form.is_zero() && form.terms().front().coefficient.sign() < 0;
}

namespace {

// The angle x + k·π/2 + r·π with x without a multiple of π, not led by a negative coefficient, and 0 <= r <
// 1/2: the argument itself, or what it is the negative of.
struct QuarterTurns {
  Form angle;  // x + r·π
  int turns;   // k modulo 4
  bool turned;
};

QuarterTurns quarter_turns(const Form& argument) {
  Rational multiple(0);
  for (const Term& term : argument.terms())
    multiple += multiple_of_pi(Form::of_terms({term})).value_or(Rational(0));
  const auto pi_times = [](const Rational& q) { return Form(q) * Form::power(Kernel::pi()); };
  Form rest = argument - pi_times(multiple);
  const bool turned = leads_negative(rest);
  if (turned) {
    rest = -rest;
    multiple = -multiple;
  }
  const Rational quarters = (Rational(2) * multiple).floor();
  const Rational in_circle = quarters - Rational(4) * (quarters / Rational(4)).floor();
  return {rest + pi_times(multiple - quarters / Rational(2)), static_cast<int>(*in_circle.to_int64()),
          turned};
}

// sin(angle + k·π/2)
Form sine_after(const Form& angle, int turns) {
  const Form value = Form::power(Kernel::of(turns % 2 == 0 ? Kernel::Kind::sin : Kernel::Kind::cos, angle));
  return turns % 4 < 2 ? value : -value;
}

}  // namespace

Form cos(const Form& argument) {
  if (const auto q = multiple_of_pi(argument)) return cosine_of_turn(*q);
  const auto [angle, turns, turned] = quarter_turns(argument);
  return sine_after(angle, turns + 1);
}

Form sin(const Form& argument) {
  if (const auto q = multiple_of_pi(argument)) return cosine_of_turn(*q - Rational(1, 2));
  const auto [angle, turns, turned] = quarter_turns(argument);
  const Form value = sine_after(angle, turns);
  return turned ? -value : value;
}

}  // namespace gpe::theory
