#include "theory/exact/factor.h"

#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly_factor.h>

#include <algorithm>

#include "theory/exact/attempt.h"

namespace gpe::theory {

namespace {

constexpr std::size_t kMaxVariables = 8;  // of a form to be factored
constexpr std::size_t kMaxTerms = 60;
constexpr std::size_t kMaxDividendVariables = 64;
constexpr std::size_t kMaxDividendTerms = 400;
constexpr std::int64_t kMaxDegree = 40;
constexpr std::int64_t kMaxBits = 4000;

// The kernel under the least root that occurs: k^(1/root).
struct Variable {
  KernelPtr kernel;
  Rational root;
};

struct Polynomial {
  std::vector<Variable> variables;
  Rational denominator = 1;                ///< of all coefficients
  std::vector<std::vector<ulong>> powers;  ///< a row per term, a column per variable
};

Variable& variable_for(std::vector<Variable>& variables, const KernelPtr& kernel) {
  const auto found = std::ranges::find_if(
      variables, [&](const Variable& variable) { return same(variable.kernel, kernel); });
  if (found != variables.end()) return *found;
  variables.push_back({kernel, 1});
  return variables.back();
}

// Adds the kernels of these terms. False when there is one under a negative exponent.
bool add_variables(const TermList& terms, std::vector<Variable>& variables) {
  for (const Term& term : terms) {
    for (const KernelPower& power : term.powers) {
      if (power.exponent.sign() < 0) return false;
      Rational& root = variable_for(variables, power.kernel).root;
      root *= (root * power.exponent).denominator();
    }
  }
  return !variables.empty();
}

// @pre add_variables has seen these terms
std::optional<Polynomial> polynomial_of(const TermList& terms, std::vector<Variable> variables) {
  Polynomial result;
  result.variables = std::move(variables);
  for (const Term& term : terms) {
    result.denominator *= (result.denominator * term.coefficient).denominator();
    std::vector<ulong>& row = result.powers.emplace_back(result.variables.size(), 0);
    for (const KernelPower& power : term.powers) {
      Variable& variable = variable_for(result.variables, power.kernel);
      const auto degree = (power.exponent * variable.root).to_int64();
      if (!degree || *degree > kMaxDegree) return std::nullopt;
      row[static_cast<std::size_t>(&variable - result.variables.data())] = static_cast<ulong>(*degree);
    }
  }
  if (result.denominator.bits() > kMaxBits) return std::nullopt;
  return result;
}

Term term_of(const Rational& coefficient, const std::vector<ulong>& degrees,
             const std::vector<Variable>& variables) {
  Term term{coefficient, {}};
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (degrees[i] == 0) continue;
    const Rational degree(static_cast<std::int64_t>(degrees[i]));
    term.powers.push_back({variables[i].kernel, degree / variables[i].root});
  }
  std::ranges::sort(term.powers,
                    [](const auto& a, const auto& b) { return compare(*a.kernel, *b.kernel) < 0; });
  return term;
}

Factored factor_in_one_variable(const TermList& terms, const Polynomial& polynomial) {
  fmpz_poly_t whole;
  fmpz_poly_init(whole);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Rational integer = terms[i].coefficient * polynomial.denominator;
    fmpz_poly_set_coeff_fmpz(whole, static_cast<slong>(polynomial.powers[i][0]), fmpq_numref(integer.raw()));
  }
  fmpz_poly_factor_t factors;
  fmpz_poly_factor_init(factors);
  fmpz_poly_factor(factors, whole);
  Factored result;
  fmpz_set(fmpq_numref(result.content.raw()), &factors->c);
  result.content /= polynomial.denominator;
  for (slong i = 0; i < factors->num; ++i) {
    std::vector<Term> parts;
    const fmpz_poly_struct* factor = factors->p + i;
    for (slong k = 0; k < fmpz_poly_length(factor); ++k) {
      Rational coefficient;
      fmpz_poly_get_coeff_fmpz(fmpq_numref(coefficient.raw()), factor, k);
      if (!coefficient.is_zero())
        parts.push_back(term_of(coefficient, {static_cast<ulong>(k)}, polynomial.variables));
    }
    result.factors.push_back({Form::of_terms(std::move(parts)), static_cast<std::int64_t>(factors->exp[i])});
  }
  fmpz_poly_factor_clear(factors);
  fmpz_poly_clear(whole);
  return result;
}

// FLINT's polynomials in several variables.
class Ring {
 public:
  explicit Ring(std::size_t variables) {
    fmpz_mpoly_ctx_init(context_, static_cast<slong>(variables), ORD_LEX);
  }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() { fmpz_mpoly_ctx_clear(context_); }
  const fmpz_mpoly_ctx_struct* context() const { return context_; }

 private:
  fmpz_mpoly_ctx_t context_;
};

class RingElement {
 public:
  explicit RingElement(const Ring& ring) : ring_(ring) { fmpz_mpoly_init(value_, ring.context()); }
  /// polynomial · its denominator
  RingElement(const Ring& ring, const TermList& terms, const Polynomial& polynomial) : RingElement(ring) {
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const Rational integer = terms[i].coefficient * polynomial.denominator;
      fmpz_mpoly_push_term_fmpz_ui(value_, fmpq_numref(integer.raw()), polynomial.powers[i].data(),
                                   ring.context());
    }
    fmpz_mpoly_sort_terms(value_, ring.context());
    fmpz_mpoly_combine_like_terms(value_, ring.context());
  }
  RingElement(const RingElement&) = delete;
  RingElement& operator=(const RingElement&) = delete;
  ~RingElement() { fmpz_mpoly_clear(value_, ring_.context()); }
  fmpz_mpoly_struct* raw() { return value_; }

 private:
  const Ring& ring_;
  fmpz_mpoly_t value_;
};

Form form_of(const fmpz_mpoly_struct* polynomial, const Ring& ring, const std::vector<Variable>& variables) {
  std::vector<Term> parts;
  std::vector<ulong> degrees(variables.size());
  for (slong k = 0; k < fmpz_mpoly_length(polynomial, ring.context()); ++k) {
    Rational coefficient;
    fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(coefficient.raw()), polynomial, k, ring.context());
    fmpz_mpoly_get_term_exp_ui(degrees.data(), polynomial, k, ring.context());
    parts.push_back(term_of(coefficient, degrees, variables));
  }
  return Form::of_terms(std::move(parts));
}

std::optional<Factored> factor_in_several(const TermList& terms, const Polynomial& polynomial) {
  const Ring ring(polynomial.variables.size());
  RingElement whole(ring, terms, polynomial);
  fmpz_mpoly_factor_t factors;
  fmpz_mpoly_factor_init(factors, ring.context());
  std::optional<Factored> result;
  if (fmpz_mpoly_factor(factors, whole.raw(), ring.context()) != 0) {
    result.emplace();
    fmpz_set(fmpq_numref(result->content.raw()), factors->constant);
    result->content /= polynomial.denominator;
    for (slong i = 0; i < factors->num; ++i) {
      result->factors.push_back({form_of(factors->poly + i, ring, polynomial.variables),
                                 static_cast<std::int64_t>(fmpz_get_si(factors->exp + i))});
    }
  }
  fmpz_mpoly_factor_clear(factors, ring.context());
  return result;
}

}  // namespace

std::optional<Factored> factor_polynomial(const Form& form) {
  const TermList terms = form.terms();
  std::vector<Variable> variables;
  if (terms.size() > kMaxTerms || !add_variables(terms, variables)) return std::nullopt;
  if (variables.size() > kMaxVariables) return std::nullopt;
  const auto polynomial = polynomial_of(terms, std::move(variables));
  if (!polynomial) return std::nullopt;
  if (polynomial->variables.size() == 1) return factor_in_one_variable(terms, *polynomial);
  return factor_in_several(terms, *polynomial);
}

namespace {

// dividend/divisor when that is a polynomial in the same variables; nothing otherwise, and for large sizes.
std::optional<Form> exact_quotient(const Form& dividend, const Form& divisor) {
  if (divisor.is_zero()) return std::nullopt;
  const Primitive primitive = primitive_part(divisor, false);  // over ℤ, content would be in the way
  const TermList above = dividend.terms();
  const TermList below = primitive.form.terms();
  std::vector<Variable> variables;
  if (above.size() > kMaxDividendTerms || below.size() > kMaxTerms) return std::nullopt;
  if (!add_variables(below, variables) || !add_variables(above, variables)) return std::nullopt;
  if (variables.size() > kMaxDividendVariables) return std::nullopt;
  const auto numerator = polynomial_of(above, variables);
  const auto denominator = polynomial_of(below, variables);
  if (!numerator || !denominator) return std::nullopt;
  const Ring ring(variables.size());
  RingElement a(ring, above, *numerator);
  RingElement b(ring, below, *denominator);
  RingElement quotient(ring);
  if (fmpz_mpoly_divides(quotient.raw(), a.raw(), b.raw(), ring.context()) == 0) return std::nullopt;
  const Rational scale = denominator->denominator / (numerator->denominator * primitive.content);
  return Form(scale) * form_of(quotient.raw(), ring, variables);
}

struct Denominator {
  KernelPtr base;
  Rational whole;  ///< its largest power in a denominator, rounded up
};

std::vector<Denominator> denominators_of(const Form& form) {
  std::vector<Denominator> result;
  for (const Term& term : form.terms()) {
    for (const KernelPower& power : term.powers) {
      if (power.kernel->kind != Kernel::Kind::power || power.exponent.sign() >= 0) continue;
      const Rational whole = -power.exponent.floor();
      const auto found =
          std::ranges::find_if(result, [&](const Denominator& one) { return same(one.base, power.kernel); });
      if (found == result.end()) {
        result.push_back({power.kernel, whole});
      } else {
        found->whole = std::max(found->whole, whole);
      }
    }
  }
  return result;
}

Form in_lowest_terms(const Form& form, const std::vector<Denominator>& denominators) {
  Form product;
  const Form numerator = cleared(form, &product);
  if (numerator.is_zero()) return {};
  Form expected(1);
  for (const Denominator& one : denominators) {
    for (Rational k; k < one.whole; k += Rational(1)) expected = expected * one.base->argument;
  }
  if (!(product == expected)) return form;  // fractions within fractions
  Primitive parts = primitive_part(numerator, true);
  Form result(1);
  bool shorter = false;
  for (const Denominator& one : denominators) {
    Rational left = one.whole;
    while (left.sign() > 0) {
      const auto quotient = exact_quotient(parts.form, one.base->argument);
      if (!quotient) break;
      parts.form = *quotient;
      left -= Rational(1);
      shorter = true;
    }
    if (left.sign() > 0) result = result * Form::power(one.base, -left);
  }
  if (!shorter) return form;
  for (const KernelPower& power : parts.monomial) result = result * Form::power(power.kernel, power.exponent);
  return Form(parts.content) * parts.form * result;
}

}  // namespace

Form lowest_terms(const Form& form) {
  if (form.term_count() < 2) return form;
  const std::vector<Denominator> denominators = denominators_of(form);
  if (denominators.empty()) return form;
  return attempt([&] { return in_lowest_terms(form, denominators); })
      .value_or(form);  // too long to write out
}

}  // namespace gpe::theory
