#include "theory/exact/context.h"

#include <algorithm>
#include <numeric>

#include "theory/exact/attempt.h"
#include "theory/exact/factor.h"
#include "theory/exact/form_functions.h"
#include "theory/exact/form_text.h"
#include "theory/exact/product_to_sum.h"
#include "theory/exact/root_bound.h"

namespace gpe::theory {

namespace {

constexpr int kFirstBits = 64;
constexpr int kLastBits = 8192;

// Positivity of functions of n near infinity by shape alone.
std::optional<int> enclosure_sign(const Form& form, const Constraints& constraints);

std::optional<int> enclosure_sign(const Kernel& kernel, const Constraints& constraints) {
  switch (kernel.kind) {
    case Kernel::Kind::symbol:
      if (kernel.name == kIndex || kernel.name == kLength) return 1;
      break;
    case Kernel::Kind::pi:
    case Kernel::Kind::prime:
    case Kernel::Kind::exp:
      return 1;
    case Kernel::Kind::log: {
      const TermList terms = kernel.argument.terms();
      const bool chain = terms.size() == 1 && terms[0].coefficient.is_one() && terms[0].powers.size() == 1 &&
                         terms[0].powers[0].exponent.sign() > 0 && kernel.argument.mentions(kIndex) &&
                         (terms[0].powers[0].kernel->kind == Kernel::Kind::symbol ||
                          terms[0].powers[0].kernel->kind == Kernel::Kind::log) &&
                         enclosure_sign(*terms[0].powers[0].kernel, constraints) == 1;
      if (chain) return 1;
      if (!varies(kernel.argument)) break;
      return enclosure_sign(kernel.argument - Form(1), constraints) == 1 ? std::optional(1) : std::nullopt;
    }
    case Kernel::Kind::power:
    case Kernel::Kind::sum:
      if (varies(kernel.argument)) return enclosure_sign(kernel.argument, constraints);
      break;
    default:
      break;
  }
  return constraints.signs(Form::power(std::make_shared<const Kernel>(kernel))).single();
}

std::optional<int> enclosure_sign(const Form& form, const Constraints& constraints) {
  if (!varies(form)) return constraints.signs(form).single();
  std::optional<int> sum;
  for (const Term& term : form.terms()) {
    int product = term.coefficient.sign();
    for (const KernelPower& power : term.powers) {
      const auto sign = enclosure_sign(*power.kernel, constraints);
      if (!sign || *sign == 0) return std::nullopt;
      if (power.exponent.is_integer() && !power.exponent.is_even_integer()) product *= *sign;
    }
    if (sum && *sum != product) return std::nullopt;
    sum = product;
  }
  return sum;
}

}  // namespace

void Context::set_budget(const Budget& budget) {
  budget_ = budget;
  constraints_.set_budget(budget);
}

Context Context::within(const Budget& budget) const {
  Context result = *this;
  result.set_budget(budget);
  return result;
}

std::optional<int> Context::known_sign(const Form& constant) const {
  if (const Rational* number = constant.rational()) return number->sign();
  if (facts_ && varies(constant)) return facts_(constant);
  if (const auto by_shape = enclosure_sign(constant, constraints_)) return by_shape;
  if (constant.has_symbols()) return std::nullopt;
  const auto sign = oracle_->sign(to_expr(constant), kFirstBits);
  return sign && *sign != 0 ? sign : std::nullopt;
}

KnownSign Context::known() const {
  return [this](const Form& form) { return known_sign(form); };
}

std::optional<RationalInterval> Context::enclose(const Form& closed, int bits) const {
  check_time();
  return oracle_->enclose(to_expr(closed), bits);
}

namespace {

bool is_radical(const Form& form);

bool is_radical(const Kernel& kernel) {
  return kernel.kind == Kernel::Kind::prime || angle_of_cosine(kernel) ||
         (kernel.kind == Kernel::Kind::power && is_radical(kernel.argument));
}

bool is_radical(const Form& form) {
  return std::ranges::all_of(form.terms(), [](const Term& term) {
    return std::ranges::all_of(term.powers,
                               [](const KernelPower& power) { return is_radical(*power.kernel); });
  });
}

// Σ r_i·m_i with sums r_i of radicals, cosines of rational multiples of π among them, and different products
// m_i of other kernels.
struct Part {
  Form product;
  Form radicals;
};
std::vector<Part> by_product(const Form& closed) {
  std::vector<Part> parts;
  for (const Term& term : closed.terms()) {
    Form product(1);
    Form radicals(term.coefficient);
    for (const KernelPower& power : term.powers) {
      Form& side = is_radical(*power.kernel) ? radicals : product;
      side = side * Form::power(power.kernel, power.exponent);
    }
    const auto found = std::ranges::find_if(parts, [&](const Part& part) { return part.product == product; });
    if (found == parts.end()) {
      parts.push_back({product, radicals});
    } else {
      found->radicals = found->radicals + radicals;
    }
  }
  return parts;
}

}  // namespace

// π·(√2 + √3 - √(5 + 2√6)) + log 2 becomes log 2: sums of radicals are settled by their separation bound.
Form Context::without_hidden_zeros(const Form& closed) const {
  Form result;
  for (const Part& part : by_product(closed)) {
    const bool may_hide = part.radicals.term_count() > 1;
    if (may_hide && separation_bits(part.radicals, kLastBits) && sign_of_closed(part.radicals) == 0) continue;
    result = result + part.product * part.radicals;
  }
  return result;
}

int Context::sign_of_closed(const Form& closed) const {
  const Expr expression = to_expr(closed);
  std::optional<std::int64_t> separation;
  bool asked = false;
  for (int bits = kFirstBits; bits <= kLastBits; bits *= 2) {
    check_time();
    if (const auto sign = oracle_->sign(expression, bits)) return *sign;
    if (!asked) {
      asked = true;
      if (attempt([&] { return cancels(closed); }).value_or(false)) return 0;
      separation = separation_bits(closed, kLastBits);
      if (!separation) {
        const Form rest = without_hidden_zeros(closed);
        if (rest.is_zero()) return 0;
        if (!(rest == closed)) return sign_of_closed(rest);
      }
    }
    if (!separation) continue;
    // Z1: |value| < 2^-separation leaves only zero
    const auto interval = oracle_->enclose(expression, bits);
    if (interval && interval->high - interval->low < Rational(2).pow(-*separation)) return 0;
  }
  throw Undecided("the sign of " + to_text(closed) + " is not decided: its enclosure at " +
                  std::to_string(kLastBits) + " bits contains 0");
}

int Context::sign_of_kernel(const KernelPower& power) const {
  const Kernel& kernel = *power.kernel;
  const bool even = !power.exponent.is_integer() || power.exponent.is_even_integer();
  int sign = 1;
  switch (kernel.kind) {
    case Kernel::Kind::pi:
    case Kernel::Kind::prime:
    case Kernel::Kind::exp:
      return 1;
    case Kernel::Kind::log:
      sign = this->sign(kernel.argument - Form(1));
      break;
    case Kernel::Kind::power:
    case Kernel::Kind::sum:
      sign = this->sign(kernel.argument);
      break;
    default: {
      const SignSet set = constraints_.signs(Form::power(power.kernel));
      if (const auto single = set.single()) {
        sign = *single;
      } else if (even && !set.zero) {
        sign = 1;
      } else if (varies(Form::power(power.kernel))) {
        throw Undecided("the sign of " + to_text(Form::power(power.kernel)) + " depends on n or L");
      } else {
        throw SplitRequest{Form::power(power.kernel)};
      }
    }
  }
  return even && sign != 0 ? 1 : sign;
}

namespace {

// log |c·Π k^e| of a term whose kernels are all positive; nothing when one may not be, or when taking
// logarithms would not remove an exponential or a fractional power.
std::optional<Form> log_of_term(const Term& term, const Context& context) {
  Form result = context.log(Form(term.coefficient.abs()));
  for (const KernelPower& power : term.powers) {
    const auto sign = context.known_sign(Form::power(power.kernel));
    if (!sign || *sign <= 0) return std::nullopt;
    result = result + Form(power.exponent) * context.log(Form::power(power.kernel));
  }
  return result;
}

bool has_exponential(const Term& term) {
  return std::ranges::any_of(term.powers, [](const KernelPower& power) {
    return power.kernel->kind == Kernel::Kind::exp || !power.exponent.is_integer();
  });
}

constexpr int kLargestPower = 8;

// Of a - b > 0 or < 0 with a, b >= 0 under roots: a^m - b^m, without the roots, which has the same sign.
std::optional<Form> without_roots(const TermList& terms, const Context& context) {
  int m = 1;
  for (const Term& term : terms) {
    for (const KernelPower& power : term.powers) {
      const auto denominator = power.exponent.denominator().to_int64();
      if (!denominator || m * *denominator > kLargestPower) return std::nullopt;
      m = std::lcm(m, static_cast<int>(*denominator));
      const bool root =
          power.kernel->kind == Kernel::Kind::power;  // defined: what is under it is not negative
      if (!root && context.known_sign(Form::power(power.kernel)) != 1) return std::nullopt;
    }
  }
  if (m == 1) return std::nullopt;
  const auto raised = [&](const Term& term) {
    Form result(term.coefficient.abs().pow(m));
    for (const KernelPower& power : term.powers) {
      const Rational exponent = power.exponent * Rational(m);
      result =
          result * (power.kernel->kind == Kernel::Kind::power ? context.pow(power.kernel->argument, exponent)
                                                              : Form::power(power.kernel, exponent));
    }
    return result;
  };
  return raised(terms[0]) - raised(terms[1]);
}

// Of sum q_i log a_i with rational q_i: with q_i m whole, the product of the (a_i)^(q_i m), less 1, times its
// denominator. The a_i are positive where the logarithms are defined.
std::optional<Form> without_logarithms(const TermList& terms, const Context& context) {
  int m = 1;
  for (const Term& term : terms) {
    const auto denominator = term.coefficient.denominator().to_int64();
    if (term.powers.size() != 1 || term.powers[0].kernel->kind != Kernel::Kind::log ||
        !term.powers[0].exponent.is_one() || !denominator || m * *denominator > kLargestPower)
      return std::nullopt;
    m = std::lcm(m, static_cast<int>(*denominator));
  }
  Form up(1);
  Form down(1);
  for (const Term& term : terms) {
    const Rational q = term.coefficient * Rational(m);
    if (q.abs() > Rational(kLargestPower)) return std::nullopt;
    Form& side = q.sign() > 0 ? up : down;
    side = side * context.pow(term.powers[0].kernel->argument, q.abs());
  }
  return up - down;
}

}  // namespace

int Context::sign(const Form& original) const {
  check_time();
  const Form constant = constraints_.reduced(original);
  if (const Rational* number = constant.rational()) return number->sign();
  if (!constant.has_symbols()) return sign_of_closed(constant);
  if (const auto known = constraints_.signs(constant).single()) return *known;
  const TermList terms = constant.terms();
  if (terms.size() == 1) {
    int product = terms[0].coefficient.sign();
    std::vector<Term> closed;
    for (const KernelPower& power : terms[0].powers) {
      const Form factor = Form::power(power.kernel, power.exponent);
      product *= factor.has_symbols() ? sign_of_kernel(power) : sign_of_closed(factor);
    }
    return product;
  }
  const bool opposite = terms.size() == 2 && terms[0].coefficient.sign() != terms[1].coefficient.sign();
  if (opposite) {  // before fractions are cleared, which writes 1/sqrt(1 + m) - 1 as three terms
    if (const auto plain = without_roots(terms, *this)) return terms[0].coefficient.sign() * sign(*plain);
  }
  Form denominator;
  const Form numerator = cleared(constant, &denominator);
  if (numerator.is_zero()) return 0;
  if (!(denominator.is_rational(1))) return sign(numerator) * sign(denominator);
  const Primitive parts = primitive_part(numerator, true);
  if (!parts.monomial.empty()) {
    int product = sign(parts.form);
    for (const KernelPower& power : parts.monomial) product *= sign_of_kernel(power);
    return product;
  }
  if (opposite &&
      (has_exponential(terms[0]) || has_exponential(terms[1]))) {  // a - b has the sign of log a - log b
    const auto a = log_of_term(terms[0], *this);
    const auto b = log_of_term(terms[1], *this);
    if (a && b) return terms[0].coefficient.sign() * sign(*a - *b);
  }
  if (const auto plain = without_logarithms(parts.form.terms(), *this)) return sign(*plain);
  if (const auto factored = factor_polynomial(parts.form);
      factored && (factored->factors.size() > 1 || factored->factors[0].multiplicity > 1)) {
    int product = factored->content.sign();
    for (const PolynomialFactor& factor : factored->factors) {
      const int one = sign(factor.factor);
      product *= factor.multiplicity % 2 == 0 ? one * one : one;
    }
    return product;
  }
  if (varies(parts.form)) throw Undecided("the sign of " + to_text(parts.form) + " depends on n or L");
  throw SplitRequest{parts.form};
}

Rational Context::floor(const Form& constant) const {
  const Form value = constraints_.reduced(constant);
  if (const Rational* number = value.rational()) return number->floor();
  if (value.has_symbols()) {
    throw Undecided("floor(" + to_text(value) + ") depends on free parameters");
  }
  for (int bits = kFirstBits; bits <= kLastBits; bits *= 2) {
    const auto interval = enclose(value, bits);
    if (!interval) continue;
    Rational low = interval->low.floor();
    Rational high = interval->high.floor();
    if (low == high) return low;
    if (high - low == Rational(1)) return sign(value - Form(high)) >= 0 ? high : low;
  }
  throw Undecided("floor(" + to_text(value) + ") is not decided at " + std::to_string(kLastBits) + " bits");
}

Form Context::pow(const Form& base, const Rational& exponent) const {
  if (base.is_zero() && exponent.sign() <= 0)
    throw Undefined(exponent.is_zero() ? "0 to the power 0" : "division by zero");
  if (exponent.is_zero() && !varies(base) && sign(base) == 0) throw Undefined("0 to the power 0");
  if (!exponent.is_integer() && !base.has_symbols() && known_sign(base) == -1) {
    throw Undefined("a negative number under a fractional power: " + to_text(base));
  }
  return theory::pow(base, exponent, known());
}

Form Context::pow(const Form& base, const Form& exponent) const {
  if (const Rational* number = exponent.rational()) return pow(base, *number);
  // exp(exponent log base) is for a positive base: it never is 0
  const auto known_base = known_sign(base);
  if (known_base == 1) return exp(exponent * log(base));
  if (!known_base && varies(base))
    return Form::power(Kernel::of_opaque(theory::pow(to_expr(base), to_expr(exponent))));
  if (base.is_zero() && varies(exponent))  // 0 where the exponent is positive
    return known_sign(exponent) == 1
               ? Form()
               : Form::power(Kernel::of_opaque(theory::pow(Expr(0), to_expr(exponent))));
  const int base_sign = sign(base);
  if (base_sign > 0) return exp(exponent * log(base));
  if (base_sign < 0 && !exponent.has_symbols())
    throw Undefined("a negative number to the power " + to_text(exponent));
  if (base_sign < 0) throw Undecided("a negative number to the power " + to_text(exponent));
  if (sign(exponent) > 0) return {};
  throw Undefined("0 to the power " + to_text(exponent));
}

Form Context::log(const Form& argument) const {
  if (argument.is_zero() || (!argument.has_symbols() && known_sign(argument) == -1)) {
    throw Undefined("log of " + to_text(argument));
  }
  return theory::log(argument, known());
}

}  // namespace gpe::theory
