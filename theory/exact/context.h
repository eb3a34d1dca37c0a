// What a decision may use: assumptions on the parameters, the oracle for closed constants, and its time.
#pragma once

#include <optional>

#include "theory/exact/budget.h"
#include "theory/exact/constant_oracle.h"
#include "theory/exact/constraints.h"
#include "theory/exact/decision.h"
#include "theory/exact/form.h"
#include "theory/exact/form_functions.h"

namespace gpe::theory {

class Context {
 public:
  Context(const ConstantOracle& oracle,
          const Budget& budget = Budget())  // NOLINT: who knows constants decides
      : oracle_(&oracle) {
    set_budget(budget);
  }

  Constraints& constraints() { return constraints_; }
  const Constraints& constraints() const { return constraints_; }
  const Budget& budget() const { return budget_; }
  /// The same with the time of one question, of a report, or another.
  Context question() const { return within(budget_.question()); }
  Context whole() const { return within(budget_.whole()); }
  Context within(const Budget& budget) const;
  /// @throws TimeUp  when the time is over
  void check_time() const { budget_.check(); }
  /// The same oracle and time, and nothing assumed.
  Context without_assumptions() const { return {*oracle_, budget_}; }
  /// Replaces what is assumed about signs of functions of n (by default: what holds near infinity) by facts
  /// about some domain, so that exact rewriting holds on all of it.
  void set_facts(KnownSign facts) { facts_ = std::move(facts); }

  /// The sign of a constant (no n), -1, 0 or 1.
  /// @throws SplitRequest  when it depends on free parameters; Undecided when a closed constant resists.
  int sign(const Form& constant) const;
  /// The same, or nothing; never throws.
  std::optional<int> known_sign(const Form& constant) const;
  /// known_sign as a function, also for functions of n near infinity: n, log n, log log n … are positive.
  KnownSign known() const;
  /// sign(a - b).
  int compare(const Form& a, const Form& b) const { return sign(a - b); }
  bool is_zero(const Form& constant) const { return constant.is_zero() || sign(constant) == 0; }
  /// The integer part of a constant. @throws Undecided when it has free parameters.
  Rational floor(const Form& constant) const;
  /// Proved bounds of a closed constant.
  std::optional<RationalInterval> enclose(const Form& closed, int bits) const;

  Form pow(const Form& base, const Rational& exponent) const;
  Form pow(const Form& base, const Form& exponent) const;
  Form log(const Form& argument) const;
  Form exp(const Form& argument) const { return theory::exp(argument, known()); }

 private:
  void set_budget(const Budget& budget);
  int sign_of_closed(const Form& closed) const;
  Form without_hidden_zeros(const Form& closed) const;
  int sign_of_kernel(const KernelPower& power) const;

  const ConstantOracle* oracle_;
  Constraints constraints_;
  Budget budget_;
  KnownSign facts_;
};

/// The symbol that tends to infinity in every enclosure.
inline constexpr const char* kIndex = "n";
/// The length: the index of the query, the number of visible keys less one.
inline constexpr const char* kLength = "L";
/// A distance n' <= n, once the length has become the symbol that tends to infinity.
inline constexpr const char* kInner = "n'";

/// Whether a form or expression is not a constant: it mentions n, L or n'.
template <class FormOrExpr>
bool varies(const FormOrExpr& f) {
  return f.mentions(kIndex) || f.mentions(kLength) || f.mentions(kInner);
}

}  // namespace gpe::theory
