#include "theory/exact/constraints.h"

#include <algorithm>

#include "theory/exact/decision.h"
#include "theory/exact/form_functions.h"
#include "theory/exact/form_text.h"
#include "theory/exact/linear_system.h"

namespace gpe::theory {

SignSet operator*(const SignSet& a, const SignSet& b) {
  SignSet result{false, false, false};
  result.zero = a.zero || b.zero;
  result.positive = (a.positive && b.positive) || (a.negative && b.negative);
  result.negative = (a.positive && b.negative) || (a.negative && b.positive);
  return result;
}

namespace {

constexpr SignSet kAny{};
constexpr int kDeepestQuestion = 2;
constexpr SignSet kPositive{false, false, true};

SignSet of_relation(Relation relation) {
  switch (relation) {
    case Relation::less:
      return {true, false, false};
    case Relation::less_equal:
      return {true, true, false};
    case Relation::greater:
      return {false, false, true};
    case Relation::greater_equal:
      return {false, true, true};
    case Relation::equal:
      return {false, true, false};
    case Relation::not_equal:
      return {true, false, true};
  }
  return kAny;
}

SignSet intersect(const SignSet& a, const SignSet& b) {
  return {a.negative && b.negative, a.zero && b.zero, a.positive && b.positive};
}

SignSet flipped(const SignSet& set) { return {set.positive, set.zero, set.negative}; }

}  // namespace

// Products of kernels as variables of a linear system; the constant term apart.
class Constraints::Linearizer {
 public:
  LinearRow row(const Form& form, const Rational& scale, LinearRow::Kind kind) {
    LinearRow result{{}, 0, kind};
    for (const Term& term : form.terms()) {
      if (term.powers.empty()) {
        result.constant += scale * term.coefficient;
      } else {
        result.coefficients[variable(term)] = scale * term.coefficient;
      }
    }
    return result;
  }
  const std::vector<Form>& products() const { return products_; }

 private:
  int variable(const Term& term) {
    Form product = Form::of_terms({{Rational(1), term.powers}});
    for (std::size_t i = 0; i < products_.size(); ++i) {
      if (products_[i] == product) return static_cast<int>(i);
    }
    products_.push_back(std::move(product));
    return static_cast<int>(products_.size()) - 1;
  }
  std::vector<Form> products_;
};

void Constraints::push_row(std::vector<LinearRow>& rows, Linearizer& linear, const Form& form,
                           Relation relation) {
  switch (relation) {
    case Relation::less:
      rows.push_back(linear.row(form, -1, LinearRow::Kind::positive));
      break;
    case Relation::less_equal:
      rows.push_back(linear.row(form, -1, LinearRow::Kind::at_least_zero));
      break;
    case Relation::greater:
      rows.push_back(linear.row(form, 1, LinearRow::Kind::positive));
      break;
    case Relation::greater_equal:
      rows.push_back(linear.row(form, 1, LinearRow::Kind::at_least_zero));
      break;
    case Relation::equal:
      rows.push_back(linear.row(form, 1, LinearRow::Kind::zero));
      break;
    case Relation::not_equal:
      break;  // not convex; only matched directly
  }
}

SymbolRange Constraints::range_of(const std::string& symbol) const {
  SymbolRange range;
  const Form me = Form::symbol(symbol);
  for (const Constraint& constraint : list_) {
    // slope·symbol + offset <relation> 0
    Rational slope;
    Rational offset;
    bool linear = true;
    for (const Term& term : constraint.form.terms()) {
      const bool is_me = term.powers.size() == 1 && term.powers[0].exponent.is_one() &&
                         term.powers[0].kernel->kind == Kernel::Kind::symbol &&
                         term.powers[0].kernel->name == symbol;
      linear = linear && (is_me || term.powers.empty());
      (is_me ? slope : offset) = term.coefficient;
    }
    if (!linear || slope.is_zero()) continue;
    const Rational bound = -offset / slope;
    const SignSet allowed =
        slope.sign() > 0 ? of_relation(constraint.relation) : flipped(of_relation(constraint.relation));
    if (!allowed.negative && (!range.low || bound > *range.low || (bound == *range.low && !allowed.zero))) {
      range.low = bound;
      range.low_open = !allowed.zero;
    }
    if (!allowed.positive &&
        (!range.high || bound < *range.high || (bound == *range.high && !allowed.zero))) {
      range.high = bound;
      range.high_open = !allowed.zero;
    }
  }
  return range;
}

SignSet Constraints::signs_of_kernel(const Kernel& kernel, int depth) const {
  switch (kernel.kind) {
    case Kernel::Kind::pi:
    case Kernel::Kind::prime:
    case Kernel::Kind::exp:
      return kPositive;
    case Kernel::Kind::log:
      if (const Rational* number = kernel.argument.rational(); number != nullptr && number->sign() > 0) {
        return SignSet::only((*number - Rational(1)).sign());
      }
      return signs_at(kernel.argument - Form(1), depth + 1);
    case Kernel::Kind::power:
    case Kernel::Kind::sum:
      return signs_at(kernel.argument, depth + 1);
    case Kernel::Kind::symbol: {
      const SymbolRange range = range_of(kernel.name);
      SignSet set{!range.low || range.low->sign() < 0, true, !range.high || range.high->sign() > 0};
      if (range.low && (range.low->sign() > 0 || (range.low->is_zero() && range.low_open))) set.zero = false;
      if (range.high && (range.high->sign() < 0 || (range.high->is_zero() && range.high_open)))
        set.zero = false;
      for (const Constraint& constraint : list_) {
        const bool itself =
            constraint.relation == Relation::not_equal && constraint.form == Form::symbol(kernel.name);
        if (itself) set.zero = false;
      }
      return set;
    }
    case Kernel::Kind::opaque:
      if (const auto* call = kernel.opaque.as<node::Call>();
          call != nullptr && call->function == Function::erfc)
        return kPositive;
      break;
    case Kernel::Kind::sin:
    case Kernel::Kind::cos:
      break;
  }
  return kAny;
}

SignSet Constraints::signs_of_term(const Term& term, int depth) const {
  SignSet set = SignSet::only(term.coefficient.sign());
  for (const KernelPower& power : term.powers) {
    SignSet factor = signs_of_kernel(*power.kernel, depth);
    if (!power.exponent.is_integer()) {
      factor.negative = false;  // a real fractional power is not negative
    } else if (power.exponent.is_even_integer()) {
      factor.positive = factor.positive || factor.negative;
      factor.negative = false;
    }
    if (power.exponent.sign() < 0) factor.zero = false;
    set = set * factor;
  }
  return set;
}

// π·M and M/π against M, for M > 0.
void Constraints::push_pi_bounds(std::vector<LinearRow>& rows, Linearizer& linear, const Form& product,
                                 int depth) const {
  Term rest = product.terms().front();
  const auto pi = std::ranges::find_if(rest.powers, [](const KernelPower& power) {
    return power.kernel->kind == Kernel::Kind::pi && power.exponent.abs().is_one();
  });
  if (pi == rest.powers.end()) return;
  const std::int64_t exponent = *pi->exponent.to_int64();
  rest.powers.erase(pi);
  const Form other = Form::of_terms({std::move(rest)});
  const SignSet set = signs_at(other, depth + 1);
  if (set.negative || set.zero) return;
  const Rational a = Rational(31415926, 10000000).pow(exponent);
  const Rational b = Rational(31415927, 10000000).pow(exponent);
  push_row(rows, linear, product - Form(std::min(a, b)) * other, Relation::greater);
  push_row(rows, linear, product - Form(std::max(a, b)) * other, Relation::less);
}

// symbol >= c > 0 bounds a power of it: symbol^e >= c^e for e > 0, <= c^e for e < 0; the same from above.
void Constraints::push_power_bounds(std::vector<LinearRow>& rows, Linearizer& linear,
                                    const Form& product) const {
  const TermList terms = product.terms();
  if (terms.size() != 1 || terms[0].powers.size() != 1) return;
  const KernelPower& power = terms[0].powers[0];
  if (power.kernel->kind != Kernel::Kind::symbol || power.exponent.is_one()) return;
  const SymbolRange range = range_of(power.kernel->name);
  const auto push = [&](const Rational& bound, bool open, bool from_below) {
    if (bound.sign() <= 0) return;
    std::optional<Rational> value;
    if (bound.is_one()) value = bound;
    if (const auto whole = power.exponent.to_int64(); whole && std::abs(*whole) <= 64)
      value = bound.pow(*whole);
    if (!value) return;
    const bool least = from_below == (power.exponent.sign() > 0);
    const Relation above = open ? Relation::greater : Relation::greater_equal;
    const Relation below = open ? Relation::less : Relation::less_equal;
    push_row(rows, linear, product - Form(*value), least ? above : below);
  };
  if (range.low) push(*range.low, range.low_open, true);
  if (range.high && range.low && range.low->sign() >= 0) push(*range.high, range.high_open, false);
}

bool Constraints::feasible(const Constraint& extra, int depth) const {
  if (budget_.is_over()) return true;
  Linearizer linear;
  std::vector<LinearRow> rows;
  push_row(rows, linear, extra.form, extra.relation);
  for (const Constraint& constraint : list_) push_row(rows, linear, constraint.form, constraint.relation);
  for (std::size_t i = 0; i < linear.products().size(); ++i) {
    const Form product = linear.products()[i];
    const SignSet set = signs_of_term(product.terms().front(), depth + 1);
    if (!set.negative && !set.positive) push_row(rows, linear, product, Relation::equal);
    if (!set.negative)
      push_row(rows, linear, product, set.zero ? Relation::greater_equal : Relation::greater);
    if (!set.positive) push_row(rows, linear, product, set.zero ? Relation::less_equal : Relation::less);
    push_power_bounds(rows, linear, product);
    push_pi_bounds(rows, linear, product, depth);
  }
  return may_be_feasible(std::move(rows));
}

SignSet Constraints::signs_at(const Form& original, int depth) const {
  const Form form = reduced(original);
  if (const Rational* number = form.rational()) return SignSet::only(number->sign());
  const TermList terms = form.terms();
  SignSet set = terms.size() == 1 ? signs_of_term(terms.front(), depth) : kAny;
  if (terms.size() > 1) {
    SignSet sum = signs_of_term(terms.front(), depth);
    for (std::size_t i = 1; i < terms.size(); ++i) {
      const SignSet next = signs_of_term(terms[i], depth);
      if ((sum.negative && next.positive) || (sum.positive && next.negative)) {
        sum = kAny;
        break;
      }
      sum = {sum.negative || next.negative, sum.zero && next.zero, sum.positive || next.positive};
    }
    set = sum;
  }
  if (set.single()) return set;
  for (const Constraint& constraint : list_) {
    if (constraint.form == form) set = intersect(set, of_relation(constraint.relation));
    if (constraint.form == -form) set = intersect(set, flipped(of_relation(constraint.relation)));
  }
  if (list_.empty() || set.single() || depth > kDeepestQuestion) return set;
  if (set.negative && !feasible({form, Relation::less}, depth)) set.negative = false;
  if (set.positive && !feasible({form, Relation::greater}, depth)) set.positive = false;
  if (set.zero && set.count() > 1 && !feasible({form, Relation::equal}, depth)) set.zero = false;
  return set;
}

Form Constraints::reduced(const Form& form) const {
  Form result = form;
  for (const auto& [symbol, value] : solved_) result = substitute(result, symbol, value);
  return result;
}

// Solves form = 0 for a symbol that occurs once, linearly, with a coefficient that is not zero.
bool Constraints::solve(const Form& zero) {
  for (const Term& term : zero.terms()) {
    for (const KernelPower& power : term.powers) {
      if (power.kernel->kind != Kernel::Kind::symbol || !power.exponent.is_one()) continue;
      const std::string name = power.kernel->name;
      std::vector<Term> factor;
      factor.push_back(term);
      const Form whole = Form::of_terms(std::move(factor));
      const Form rest = zero - whole;
      const Form coefficient = whole * Form::power(power.kernel, -1);
      if (rest.mentions(name) || coefficient.mentions(name)) continue;
      const SignSet set = signs(coefficient);
      if (set.zero) continue;
      const KnownSign known = [this](const Form& form) { return signs(form).single(); };
      const Form value = -(rest * pow(coefficient, Rational(-1), known));
      for (auto& [symbol, old] : solved_) old = substitute(old, name, value);
      solved_.emplace_back(name, value);
      for (Constraint& constraint : list_) constraint.form = substitute(constraint.form, name, value);
      return true;
    }
  }
  return false;
}

bool Constraints::add(const Constraint& original) {
  const Form form = reduced(original.form);
  const SignSet now = intersect(signs(form), of_relation(original.relation));
  if (now.count() == 0) return false;
  if (form.rational() != nullptr) return true;
  if (original.relation == Relation::equal && solve(form)) {
    std::vector<Constraint> old = std::move(list_);
    list_.clear();
    return std::ranges::all_of(old, [this](const Constraint& constraint) { return add(constraint); });
  }
  list_.push_back({form, original.relation});
  return true;
}

namespace {

Form substitute_kernel(const Kernel& kernel, const std::string& symbol, const Form& value,
                       const KnownSign& sign) {
  switch (kernel.kind) {
    case Kernel::Kind::symbol:
      return value;
    case Kernel::Kind::log:
      return log(substitute(kernel.argument, symbol, value), sign);
    case Kernel::Kind::exp:
      return exp(substitute(kernel.argument, symbol, value), sign);
    case Kernel::Kind::sin:
      return sin(substitute(kernel.argument, symbol, value));
    case Kernel::Kind::cos:
      return cos(substitute(kernel.argument, symbol, value));
    case Kernel::Kind::power:
    case Kernel::Kind::sum:
      return substitute(kernel.argument, symbol, value);
    case Kernel::Kind::opaque:
      return Form::power(Kernel::of_opaque(theory::substitute(kernel.opaque, symbol, to_expr(value))));
    case Kernel::Kind::pi:
    case Kernel::Kind::prime:
      break;
  }
  return Form::power(std::make_shared<const Kernel>(kernel));
}

bool kernel_mentions(const Kernel& kernel, const std::string& symbol) {
  if (kernel.kind == Kernel::Kind::symbol) return kernel.name == symbol;
  if (kernel.kind == Kernel::Kind::opaque) return kernel.opaque.mentions(symbol);
  return kernel.argument.mentions(symbol);
}

}  // namespace

Form substitute(const Form& form, const std::string& symbol, const Form& value) {
  if (!form.mentions(symbol)) return form;
  const KnownSign sign = [](const Form& f) -> std::optional<int> {
    if (const Rational* number = f.rational()) return number->sign();
    return std::nullopt;
  };
  Form result;
  for (const Term& term : form.terms()) {
    Form product(term.coefficient);
    for (const KernelPower& power : term.powers) {
      if (!kernel_mentions(*power.kernel, symbol)) {
        product = product * Form::power(power.kernel, power.exponent);
        continue;
      }
      product = product * pow(substitute_kernel(*power.kernel, symbol, value, sign), power.exponent, sign);
    }
    result = result + product;
  }
  return result;
}

}  // namespace gpe::theory
