#include "theory/factor.h"

#include <flint/fmpz_mpoly_factor.h>
#include <flint/fmpz_poly_factor.h>

#include <algorithm>

namespace gpe::theory {

namespace {

constexpr std::size_t kMostVariables = 8;
constexpr std::size_t kMostTerms = 60;
constexpr std::int64_t kMostDegree = 40;
constexpr std::int64_t kMostBits = 4000;

// The kernel under the least root that occurs: k^(1/root).
struct Variable {
  KernelPtr kernel;
  Rational root;
};

struct Polynomial {
  std::vector<Variable> variables;
  Rational denominator = 1;                ///< of all coefficients
  std::vector<std::vector<ulong>> powers;  ///< a row a term, a column a variable
};

Variable& variable_for(std::vector<Variable>& variables, const KernelPtr& kernel) {
  const auto found = std::ranges::find_if(
      variables, [&](const Variable& variable) { return same(variable.kernel, kernel); });
  if (found != variables.end()) return *found;
  variables.push_back({kernel, 1});
  return variables.back();
}

std::optional<Polynomial> polynomial_of(const TermList& terms) {
  Polynomial result;
  for (const Term& term : terms) {
    for (const KernelPower& power : term.powers) {
      if (power.exponent.sign() < 0) return std::nullopt;
      Rational& root = variable_for(result.variables, power.kernel).root;
      root *= (root * power.exponent).denominator();
    }
    result.denominator *= (result.denominator * term.coefficient).denominator();
  }
  if (result.variables.empty() || result.variables.size() > kMostVariables ||
      result.denominator.bits() > kMostBits) {
    return std::nullopt;
  }
  for (const Term& term : terms) {
    std::vector<ulong>& row = result.powers.emplace_back(result.variables.size(), 0);
    for (const KernelPower& power : term.powers) {
      Variable& variable = variable_for(result.variables, power.kernel);
      const auto degree = (power.exponent * variable.root).to_int64();
      if (!degree || *degree > kMostDegree) return std::nullopt;
      row[static_cast<std::size_t>(&variable - result.variables.data())] = static_cast<ulong>(*degree);
    }
  }
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

std::optional<Factored> factor_in_several(const TermList& terms, const Polynomial& polynomial) {
  const std::size_t count = polynomial.variables.size();
  fmpz_mpoly_ctx_t context;
  fmpz_mpoly_ctx_init(context, static_cast<slong>(count), ORD_LEX);
  fmpz_mpoly_t whole;
  fmpz_mpoly_init(whole, context);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Rational integer = terms[i].coefficient * polynomial.denominator;
    fmpz_mpoly_push_term_fmpz_ui(whole, fmpq_numref(integer.raw()), polynomial.powers[i].data(), context);
  }
  fmpz_mpoly_sort_terms(whole, context);
  fmpz_mpoly_combine_like_terms(whole, context);
  fmpz_mpoly_factor_t factors;
  fmpz_mpoly_factor_init(factors, context);
  std::optional<Factored> result;
  if (fmpz_mpoly_factor(factors, whole, context) != 0) {
    result.emplace();
    fmpz_set(fmpq_numref(result->content.raw()), factors->constant);
    result->content /= polynomial.denominator;
    for (slong i = 0; i < factors->num; ++i) {
      const fmpz_mpoly_struct* factor = factors->poly + i;
      std::vector<Term> parts;
      std::vector<ulong> degrees(count);
      for (slong k = 0; k < fmpz_mpoly_length(factor, context); ++k) {
        Rational coefficient;
        fmpz_mpoly_get_term_coeff_fmpz(fmpq_numref(coefficient.raw()), factor, k, context);
        fmpz_mpoly_get_term_exp_ui(degrees.data(), factor, k, context);
        parts.push_back(term_of(coefficient, degrees, polynomial.variables));
      }
      result->factors.push_back(
          {Form::of_terms(std::move(parts)), static_cast<std::int64_t>(fmpz_get_si(factors->exp + i))});
    }
  }
  fmpz_mpoly_factor_clear(factors, context);
  fmpz_mpoly_clear(whole, context);
  fmpz_mpoly_ctx_clear(context);
  return result;
}

}  // namespace

std::optional<Factored> factor_polynomial(const Form& form) {
  const TermList terms = form.terms();
  if (terms.size() > kMostTerms) return std::nullopt;
  const auto polynomial = polynomial_of(terms);
  if (!polynomial) return std::nullopt;
  if (polynomial->variables.size() == 1) return factor_in_one_variable(terms, *polynomial);
  return factor_in_several(terms, *polynomial);
}

}  // namespace gpe::theory
