// Asymptotic expansions of exp-log functions of n at infinity, as lazy multiseries.
// Tests: tests/theory/asymptotics/expansion_test.cpp, tests/theory/asymptotics/limits_test.cpp
//
// Reference: Richardson, Salvy, Shackell, van der Hoeven, "Asymptotic expansions of exp-log functions", ISSAC
// 1996; Gruntz, "On computing limits in a symbolic manipulation system", ETH 11432, 1996; Eberl, "Verified
// real asymptotics in Isabelle/HOL", ISSAC 2019.
//
// A *scale* is a list of generators b_1 ≻ b_2 ≻ … , each tending to infinity, with log b_{i+1} = o(log b_i).
// It starts as (n) and grows at the bottom by log n, log log n, … and in the middle by exp(h).
// A *series* in head b is a sum  Σ_i c_i·b^{e_i}  with decreasing real exponents e_i and coefficients c_i
// that are series in smaller generators, or constants. The terms are computed when asked for, so cancellation
// to any depth is followed. Every series carries the expression it expands: when term after term cancels, the
// expression is brought to normal form, and only a proof that it is zero ends the search (no proof:
// Undecided, naming it).
//
// Reading it by hand: exp(1/n - exp(-n)) has head exp(n):  c_0 = exp(1/n) [head n: 1 + 1/n + 1/(2n²) + …],
// then exp(n)^-1 · (-exp(1/n)), and so on.
// Where bugs would be: zero tests (trim), the place of a new generator (generator_for), and signs of
// exponents that hold parameters (every comparison goes through Context::sign, which may ask for a case
// split).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "theory/asymptotics/series_stream.h"
#include "theory/exact/context.h"
#include "theory/exact/form.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

/// b_1^{e_1}·b_2^{e_2}⋯ in decreasing generators, zero exponents left out.
struct Monomial {
  std::vector<std::pair<const Generator*, Form>> powers;
};

/// The first term of a series that is not zero: coefficient · monomial.
struct Leading {
  Form coefficient;
  Monomial monomial;
};

enum class Size { infinitesimal, finite, infinite };

class Multiseries {
 public:
  explicit Multiseries(const Context& context);
  Multiseries(const Multiseries&) = delete;
  Multiseries& operator=(const Multiseries&) = delete;

  const Context& context() const { return context_; }

  SeriesPtr constant(const Form& value) const;
  SeriesPtr index();  ///< n
  SeriesPtr add(const SeriesPtr& f, const SeriesPtr& g);
  SeriesPtr subtract(const SeriesPtr& f, const SeriesPtr& g) { return add(f, scaled(g, Form(-1))); }
  SeriesPtr multiply(const SeriesPtr& f, const SeriesPtr& g);
  SeriesPtr scaled(const SeriesPtr& f, const Form& factor);
  /// @throws Undefined  for a zero base under a negative power, or a negative one under a fractional power.
  SeriesPtr power(const SeriesPtr& base, const Form& exponent);
  SeriesPtr power(const SeriesPtr& base, const SeriesPtr& exponent);
  /// @throws Undefined  when f is not eventually positive.
  SeriesPtr log(const SeriesPtr& f);
  SeriesPtr exp(const SeriesPtr& f);
  /// Hypothesis: f tends to a finite limit.
  SeriesPtr sin(const SeriesPtr& f);
  SeriesPtr cos(const SeriesPtr& f);
  SeriesPtr atan(const SeriesPtr& f);
  SeriesPtr erfc(const SeriesPtr& f);
  /// @throws Undefined  when f is not eventually positive.
  SeriesPtr lgamma(const SeriesPtr& f);
  SeriesPtr polygamma(int order, const SeriesPtr& f);
  /// log_k n: 0 is n itself.
  SeriesPtr iterated_log(int k);

  /// Nothing when f is identically zero (near infinity).
  std::optional<Leading> leading(const SeriesPtr& f);
  /// The eventual sign.
  int sign(const SeriesPtr& f);
  /// Whether f tends to 0, to a nonzero constant, or to ±infinity; stops as soon as that is known.
  /// `lead` is set unless infinitesimal.
  Size size(const SeriesPtr& f, Leading* lead = nullptr);
  /// Orders growth: sign of lim log(a/b), 0 when a and b differ by a constant factor.
  int compare(const Monomial& a, const Monomial& b) const;
  bool is_one(const Monomial& monomial) const { return monomial.powers.empty(); }
  Expr expression(const Monomial& monomial) const;
  /// The first `count` terms, flattened: each a constant times a monomial (nested series cut at `count` too).
  std::vector<std::pair<Form, Monomial>> first_terms(const SeriesPtr& f, int count);

 private:
  struct Trimmed {
    SeriesPtr coefficient;
    Form exponent;
    Stream rest;
  };
  struct Parts {  // f = large + middle + small, by the exponent of the head
    std::vector<SeriesTerm> large;
    SeriesPtr middle;
    Stream small;
  };

  SeriesPtr make(Expr expression, const Generator* head, Stream terms) const;
  SeriesPtr generator_power(const Generator* generator, const Form& exponent);
  std::shared_ptr<const StreamCell> force(const Stream& stream) const;
  Stream merge(const Stream& s, const Stream& t);
  Stream scale(const Stream& s, const SeriesPtr& coefficient, const Form& exponent);
  Stream product(const Stream& s, const Stream& t);
  /// Σ a(k)·ε^k for an infinitesimal stream ε. a returns nothing past the last coefficient; where those are
  /// series, they are in smaller generators than ε.
  Stream compose(const Stream& epsilon, const std::function<std::optional<Form>(int)>& coefficient, int from);
  Stream compose_series(const Stream& epsilon, const std::function<SeriesPtr(int)>& coefficient, int from);
  std::optional<Trimmed> trim(const SeriesPtr& f);
  bool is_zero(const SeriesPtr& f);
  void require_positive(const SeriesPtr& f, std::string_view function);
  bool provably_zero(const Expr& expression) const;
  Parts parts(const SeriesPtr& f);
  SeriesPtr exp_large(const SeriesPtr& p);
  SeriesPtr log_of(const Generator* generator);
  const Generator* generator_for(const SeriesPtr& logarithm, const Monomial& size);
  const Generator* chain_generator(int k);
  SeriesPtr circular(const SeriesPtr& f, bool sine);
  SeriesPtr erfc_at_infinity(const SeriesPtr& f);
  SeriesPtr lgamma_at_infinity(const SeriesPtr& f);
  SeriesPtr polygamma_at_infinity(int order, const SeriesPtr& f);
  void renumber();

  const Context& context_;
  std::vector<std::unique_ptr<Generator>> scale_;  // decreasing
};

}  // namespace gpe::theory
