// What is assumed about the free parameters: polynomial inequalities and solved equalities, and what follows.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "theory/exact/budget.h"
#include "theory/exact/form.h"
#include "theory/exact/linear_system.h"

namespace gpe::theory {

/// Which signs a constant may have.
struct SignSet {
  bool negative = true;
  bool zero = true;
  bool positive = true;

  int count() const { return int{negative} + int{zero} + int{positive}; }
  bool has(int sign) const {
    if (sign == 0) return zero;
    return sign < 0 ? negative : positive;
  }
  std::optional<int> single() const {
    if (count() != 1) return std::nullopt;
    return int{positive} - int{negative};
  }
  static SignSet only(int sign) { return {sign<0, sign == 0, sign> 0}; }
};
/// The possible signs of a product.
SignSet operator*(const SignSet& a, const SignSet& b);

/// form <relation> 0.
struct Constraint {
  Form form;
  Relation relation;
};

/// What linear conditions on one symbol alone leave of it.
struct SymbolRange {
  std::optional<Rational> low;
  bool low_open = false;
  std::optional<Rational> high;
  bool high_open = false;
};

/// A conjunction. Sound, not complete: `signs` may name a sign that no point of the region takes.
/// Decides linear consequences exactly (Fourier–Motzkin over the products that occur).
class Constraints {
 public:
  /// Adds one more hypothesis. Returns false when it contradicts the others.
  bool add(const Constraint& constraint);

  /// Signs that `form` may take. Symbols solved for are replaced first.
  SignSet signs(const Form& form) const { return signs_at(form, 0); }
  /// The form with solved symbols replaced by their values.
  Form reduced(const Form& form) const;

  SymbolRange range_of(const std::string& symbol) const;

  /// Past it no linear system is solved: `signs` names more signs than it would before, which is sound.
  void set_budget(const Budget& budget) { budget_ = budget; }

  const std::vector<Constraint>& list() const { return list_; }
  const std::vector<std::pair<std::string, Form>>& solved() const { return solved_; }

 private:
  // `depth` counts questions within questions; beyond a few, no linear system is set up.
  SignSet signs_at(const Form& form, int depth) const;
  SignSet signs_of_kernel(const Kernel& kernel, int depth) const;
  SignSet signs_of_term(const Term& term, int depth) const;
  class Linearizer;
  static void push_row(std::vector<LinearRow>& rows, Linearizer& linear, const Form& form, Relation relation);
  void push_power_bounds(std::vector<LinearRow>& rows, Linearizer& linear, const Form& product) const;
  void push_pi_bounds(std::vector<LinearRow>& rows, Linearizer& linear, const Form& product, int depth) const;
  bool feasible(const Constraint& extra, int depth) const;
  bool solve(const Form& zero);

  std::vector<Constraint> list_;
  std::vector<std::pair<std::string, Form>> solved_;
  Budget budget_;
};

/// Replaces a symbol inside a form, kernels included.
Form substitute(const Form& form, const std::string& symbol, const Form& value);

}  // namespace gpe::theory
