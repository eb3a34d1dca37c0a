#include "theory/asymptotics/asymptotic_enclosure.h"

#include <algorithm>
#include <numeric>

#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"
#include "theory/source/table.h"

namespace gpe::theory {

using namespace node;

AsymptoticEnclosure EnclosureExpander::expand(const Expr& expression) {
  if (const auto found = done_.find(expression.identity()); found != done_.end()) return found->second;
  const AsymptoticEnclosure result = fresh(expression);
  done_.emplace(expression.identity(), result);
  kept_.push_back(expression);
  return result;
}

AsymptoticEnclosure EnclosureExpander::fresh(const Expr& e) {
  series_.context().check_time();
  if (is_constant(e)) return exact(series_.constant(to_form(e, series_.context())));
  if (const auto* symbol = e.as<Symbol>()) {
    for (const auto& [name, enclosure] : bound_) {
      if (name == symbol->name) return enclosure;
    }
    return exact(series_.index());
  }
  if (const auto* terms = e.as<Add>()) return sum(terms->terms);
  if (const auto* product = e.as<Mul>()) {
    AsymptoticEnclosure result = expand(product->factors.front());
    for (std::size_t i = 1; i < product->factors.size(); ++i)
      result = multiply(result, expand(product->factors[i]));
    return result;
  }
  if (const auto* power_node = e.as<Pow>()) {
    if (const auto turning = turning_power(*power_node)) return *turning;
    return power(e, expand(power_node->base), expand(power_node->exponent));
  }
  if (const auto* branch = e.as<If>()) return conditional(*branch);
  if (const auto* at = e.as<TableAt>()) return table_entry(*at);
  if (const auto* sum = e.as<Sum>()) {
    const Form low = to_form(sum->low, series_.context());
    const Form high = to_form(sum->high, series_.context());
    if (low.rational() == nullptr || high.rational() == nullptr || !low.rational()->is_integer() ||
        !high.rational()->is_integer()) {
      throw Undecided("the bounds of a sum are not integers");
    }
    AsymptoticEnclosure result = exact(series_.constant(0));
    for (Rational k = *low.rational(); k <= *high.rational(); k += Rational(1)) {
      result = add(result, expand(substitute(sum->body, sum->variable, Expr(k))));
    }
    return result;
  }
  if (const auto* called = e.as<Call>()) {
    const AsymptoticEnclosure a = expand(called->arguments.back());
    switch (called->function) {
      case Function::exp:
        return a.exact() ? exact(series_.exp(a.low))
                         : AsymptoticEnclosure{series_.exp(a.low), series_.exp(a.high)};
      case Function::log:
        if (a.exact()) return exact(series_.log(a.low));
        if (series_.sign(a.low) <= 0 && series_.sign(a.high) > 0)
          throw Undecided("a logarithm of a quantity without a settled sign: " + to_text(e));
        return {series_.log(a.low), series_.log(a.high)};
      case Function::abs:
        return absolute(a);
      case Function::floor:
        return floor(a);
      case Function::sin:
      case Function::cos:
        return circular(a, called->function);
      case Function::atan:
      case Function::erfc:
      case Function::lgamma:
      case Function::polygamma:
        return special(*called, a);
      case Function::min:
      case Function::max: {
        AsymptoticEnclosure result = a;
        for (std::size_t i = 0; i + 1 < called->arguments.size(); ++i) {
          result = extreme(result, expand(called->arguments[i]), called->function == Function::min);
        }
        return result;
      }
    }
  }
  throw Undecided("no expansion at infinity of " + to_text(e));
}

bool EnclosureExpander::is_constant(const Expr& expression) const {
  return !expression.mentions(kIndex) &&
         std::ranges::none_of(bound_, [&](const auto& entry) { return expression.mentions(entry.first); });
}

AsymptoticEnclosure EnclosureExpander::add(const AsymptoticEnclosure& a, const AsymptoticEnclosure& b) {
  const SeriesPtr low = series_.add(a.low, b.low);
  return a.exact() && b.exact() ? exact(low) : AsymptoticEnclosure{low, series_.add(a.high, b.high)};
}

SeriesPtr EnclosureExpander::pick(const SeriesPtr& a, const SeriesPtr& b, bool want_smaller) {
  if (a == b) return a;
  const int order = series_.sign(series_.subtract(a, b));
  if (order == 0) return a;
  return (order < 0) == want_smaller ? a : b;
}

AsymptoticEnclosure EnclosureExpander::multiply(const AsymptoticEnclosure& a, const AsymptoticEnclosure& b) {
  if (a.exact() && b.exact()) return exact(series_.multiply(a.low, b.low));
  if (a.exact()) return multiply(b, a);
  if (b.exact()) {
    const int sign = series_.sign(b.low);
    if (sign == 0) return b;
    const SeriesPtr one = series_.multiply(a.low, b.low);
    const SeriesPtr other = series_.multiply(a.high, b.low);
    return sign > 0 ? AsymptoticEnclosure{one, other} : AsymptoticEnclosure{other, one};
  }
  const std::vector<SeriesPtr> corners = {series_.multiply(a.low, b.low), series_.multiply(a.low, b.high),
                                          series_.multiply(a.high, b.low), series_.multiply(a.high, b.high)};
  AsymptoticEnclosure result{corners[0], corners[0]};
  for (const SeriesPtr& corner : corners) {
    result.low = smaller(result.low, corner);
    result.high = larger(result.high, corner);
  }
  return result;
}

AsymptoticEnclosure EnclosureExpander::inverse(const AsymptoticEnclosure& a) {
  if (a.exact()) return exact(series_.power(a.low, Form(-1)));
  if (series_.sign(a.low) > 0 || series_.sign(a.high) < 0) {
    return {series_.power(a.high, Form(-1)), series_.power(a.low, Form(-1))};
  }
  throw Undecided("division by a quantity that keeps changing sign");
}

AsymptoticEnclosure EnclosureExpander::power(const Expr& whole, const AsymptoticEnclosure& base,
                                             const AsymptoticEnclosure& exponent) {
  if (base.exact() && exponent.exact()) return exact(series_.power(base.low, exponent.low));
  if (exponent.exact() && exponent.low->head == nullptr) {
    const Form& r = exponent.low->constant;
    if (const Rational* rational = r.rational(); rational != nullptr && rational->is_integer()) {
      const auto times = rational->to_int64();
      if (times && std::abs(*times) <= 16) {
        if (*times < 0) return inverse(power(whole, base, exact(series_.constant(Form(Rational(-*times))))));
        if (*times % 2 == 0) {
          const AsymptoticEnclosure magnitude = absolute(base);
          return {series_.power(magnitude.low, r), series_.power(magnitude.high, r)};
        }
        return {series_.power(base.low, r), series_.power(base.high, r)};  // odd powers increase
      }
    }
    const int low_sign = series_.sign(base.low);
    if (low_sign == 0 && series_.context().sign(r) > 0) return {base.low, series_.power(base.high, r)};
    if (low_sign > 0) {
      const AsymptoticEnclosure result{series_.power(base.low, r), series_.power(base.high, r)};
      return series_.context().sign(r) >= 0 ? result : AsymptoticEnclosure{result.high, result.low};
    }
    throw Undecided("a power of a quantity without a settled sign: " + to_text(whole));
  }
  if (series_.sign(base.low) <= 0)
    throw Undecided("a power of a quantity without a settled sign: " + to_text(whole));
  const AsymptoticEnclosure logarithm{series_.log(base.low), series_.log(base.high)};
  const AsymptoticEnclosure product = multiply(base.exact() ? exact(logarithm.low) : logarithm, exponent);
  return {series_.exp(product.low), series_.exp(product.high)};
}

AsymptoticEnclosure EnclosureExpander::absolute(const AsymptoticEnclosure& a) {
  const int low_sign = series_.sign(a.low);
  if (low_sign >= 0) return a;
  const AsymptoticEnclosure negated{series_.scaled(a.high, Form(-1)), series_.scaled(a.low, Form(-1))};
  if (a.exact()) return exact(negated.low);
  if (series_.sign(a.high) <= 0) return negated;
  return {series_.constant(0), larger(a.high, negated.high)};
}

AsymptoticEnclosure EnclosureExpander::extreme(const AsymptoticEnclosure& a, const AsymptoticEnclosure& b,
                                               bool want_smaller) {
  const SeriesPtr low = pick(a.low, b.low, want_smaller);
  if (a.exact() && b.exact()) return exact(low);
  const SeriesPtr high = pick(a.high, b.high, want_smaller);
  // Both ends the same constant: settled after all.
  const bool same_constant = low->head == nullptr && high->head == nullptr && low->constant == high->constant;
  return same_constant ? exact(low) : AsymptoticEnclosure{low, high};
}

std::optional<Rational> EnclosureExpander::eventual_floor(const SeriesPtr& f) {
  Leading lead;
  const Size size = series_.size(f, &lead);
  if (size == Size::infinite) return std::nullopt;
  const Form limit = size == Size::finite ? lead.coefficient : Form(0);
  const Rational whole = series_.context().floor(limit);
  if (!series_.context().is_zero(limit - Form(whole))) return whole;
  // f tends to an integer: the side it comes from decides.
  return series_.sign(series_.subtract(f, series_.constant(Form(whole)))) >= 0 ? whole : whole - Rational(1);
}

bool is_integer_valued(const Term& term) {
  return term.coefficient.is_integer() && std::ranges::all_of(term.powers, [](const KernelPower& power) {
           return power.kernel->kind == Kernel::Kind::symbol && power.kernel->name == kIndex &&
                  power.exponent.is_integer() && power.exponent.sign() > 0;
         });
}

bool is_index_polynomial_term(const Term& term) {
  Term monic = term;
  monic.coefficient = Rational(1);
  return is_integer_valued(monic);
}

Form without_whole_turns(const Form& angle) {
  std::vector<Term> rest;
  for (const Term& term : angle.terms()) {
    Term turns = term;
    const auto pi = std::ranges::find_if(
        turns.powers, [](const KernelPower& power) { return power.kernel->kind == Kernel::Kind::pi; });
    if (pi != turns.powers.end() && pi->exponent.is_one()) {
      turns.powers.erase(pi);
      turns.coefficient *= Rational(1, 2);
      if (is_integer_valued(turns)) continue;
    }
    rest.push_back(term);
  }
  return Form::of_terms(std::move(rest));
}

Form EnclosureExpander::leading_polynomial(SeriesPtr f) {
  const Form x = to_form(f->expression, series_.context());
  Form whole;
  for (;;) {  // the degree falls
    const auto lead = series_.leading(f);
    if (!lead || series_.is_one(lead->monomial)) return whole;
    const Form first = lead->coefficient * to_form(series_.expression(lead->monomial), series_.context());
    if (first.terms().size() != 1 || !is_integer_valued(first.terms().front())) return whole;
    whole = whole + first;
    f = expand(to_expr(x - whole)).low;
  }
}

// floor(k + r) = k + floor(r) for an integer-valued k: terms of x, or else those with which its expansion
// begins.
AsymptoticEnclosure EnclosureExpander::floor(const AsymptoticEnclosure& a) {
  if (!a.exact() || a.low->head == nullptr || eventual_floor(a.low)) return floor_of_whole(a);
  const Form x = to_form(a.low->expression, series_.context());
  Form terms;
  for (const Term& term : x.terms()) {
    if (is_integer_valued(term)) terms = terms + Form::of_terms({term});
  }
  if (!terms.is_zero()) return add(expand(to_expr(terms)), floor(expand(to_expr(x - terms))));
  const Form whole = leading_polynomial(a.low);
  if (whole.is_zero()) return floor_of_whole(a);
  return add(expand(to_expr(whole)), floor_of_whole(expand(to_expr(x - whole))));
}

AsymptoticEnclosure EnclosureExpander::floor_of_whole(const AsymptoticEnclosure& a) {
  const auto low = eventual_floor(a.low);
  const auto high = a.exact() ? low : eventual_floor(a.high);
  const AsymptoticEnclosure bounds{
      low ? series_.constant(Form(*low)) : series_.add(a.low, series_.constant(Form(-1))),
      high ? series_.constant(Form(*high)) : a.high};
  return low && high && *low == *high ? exact(bounds.low) : bounds;
}

AsymptoticEnclosure EnclosureExpander::circular(const AsymptoticEnclosure& a, Function function) {
  const AsymptoticEnclosure bounds{series_.constant(Form(-1)), series_.constant(Form(1))};
  if (!a.exact()) return bounds;
  if (series_.size(a.low) == Size::infinite) {
    const Form angle = to_form(a.low->expression, series_.context());
    const Form reduced = without_whole_turns(angle);
    return reduced == angle ? bounds : circular(expand(to_expr(reduced)), function);
  }
  return exact(function == Function::sin ? series_.sin(a.low) : series_.cos(a.low));
}

AsymptoticEnclosure EnclosureExpander::conditional(const If& branch) {
  const AsymptoticEnclosure left = expand(branch.left);
  const AsymptoticEnclosure right = expand(branch.right);
  const SeriesPtr least = series_.subtract(left.low, right.high);
  const SeriesPtr most = left.exact() && right.exact() ? least : series_.subtract(left.high, right.low);
  const int low = series_.sign(least);
  const int high = least == most ? low : series_.sign(most);
  const auto settled = [&]() -> std::optional<bool> {
    const bool holds = satisfies(branch.relation, low);
    for (int sign = low + 1; sign <= high; ++sign)
      if (satisfies(branch.relation, sign) != holds) return std::nullopt;
    return holds;
  }();
  if (settled) return expand(*settled ? branch.then : branch.otherwise);
  // where a branch is not taken it need not have a value
  const auto both =
      attempt<Undefined>([&] { return std::pair(expand(branch.then), expand(branch.otherwise)); });
  if (!both)
    throw Undecided("the condition " + to_text(branch.left) + " " + std::string(symbol_of(branch.relation)) +
                    " " + to_text(branch.right) + " does not settle, and a branch has no value everywhere");
  const auto& [then, otherwise] = *both;
  return {smaller(then.low, otherwise.low), larger(then.high, otherwise.high)};
}

AsymptoticEnclosure EnclosureExpander::table_entry(const TableAt& at) {
  const AsymptoticEnclosure index = expand(at.index);
  const Table& table = *at.table;
  Leading lead;
  const bool grows =
      series_.size(index.low, &lead) == Size::infinite && series_.context().sign(lead.coefficient) > 0;
  if (grows) {
    if (table.beyond == Beyond::error)
      throw Undefined("table " + table.name + " ends, and its index grows past the end");
    return exact(series_.constant(Form(table.values.back())));
  }
  const auto low = eventual_floor(index.low);
  const auto high = eventual_floor(index.high);
  if (!low || !high || *high - *low > Rational(100000)) {
    throw Undecided("the index of table " + table.name + " does not settle");
  }
  std::optional<Rational> least;
  std::optional<Rational> most;
  for (Rational k = *low; k <= *high; k += Rational(1)) {
    const std::int64_t i = std::min(k.to_int64().value_or(table.last_index()), table.last_index());
    if (i < table.first_index) {
      if (*low == *high) throw Undefined("table " + table.name + " has no entry " + k.str());
      throw Undecided("the index of table " + table.name + " is not known to stay within it");
    }
    const Rational& value = table.values[static_cast<std::size_t>(i - table.first_index)];
    least = least ? std::min(*least, value) : value;
    most = most ? std::max(*most, value) : value;
  }
  const SeriesPtr bottom = series_.constant(Form(*least));
  return *least == *most ? exact(bottom) : AsymptoticEnclosure{bottom, series_.constant(Form(*most))};
}

namespace {

// The lcm of the denominators of the non-constant coefficients of polynomial terms in n.
std::int64_t period_of(const Form& form, bool times_pi) {
  Rational period(1);
  for (Term term : form.terms()) {
    if (times_pi) {
      const auto pi = std::ranges::find_if(
          term.powers, [](const KernelPower& power) { return power.kernel->kind == Kernel::Kind::pi; });
      if (pi == term.powers.end() || !pi->exponent.is_one()) continue;
      term.powers.erase(pi);
      term.coefficient *= Rational(1, 2);  // a whole turn is 2π
    }
    if (term.powers.empty() || !is_index_polynomial_term(term)) continue;
    period *= (period * term.coefficient).denominator();
    if (period > Rational(1000000)) return 1;
  }
  return *period.to_int64();
}

}  // namespace

std::int64_t residue_modulus(const Expr& expression, const Context& context, std::int64_t most) {
  std::int64_t modulus = 1;
  rewrite(expression, [&](const Expr& e) {
    if (!e.mentions(kIndex)) return e;
    const auto* power = e.as<Pow>();
    if (power != nullptr && turns(*power, context)) {
      const Expr angle = Expr::pi() * power->exponent;
      const std::int64_t next = std::lcm(modulus, period_of(to_form(angle, context), true));
      if (next <= most) modulus = next;
    }
    const auto* called = e.as<Call>();
    if (called == nullptr) return e;
    const bool circular = called->function == Function::sin || called->function == Function::cos;
    if (!circular && called->function != Function::floor) return e;
    const std::int64_t next =
        std::lcm(modulus, period_of(to_form(called->arguments.front(), context), circular));
    if (next <= most) modulus = next;
    return e;
  });
  return modulus;
}

std::vector<Expr> residue_classes(const Expr& expression, std::int64_t modulus) {
  if (modulus == 1) return {expression};
  std::vector<Expr> result;
  for (std::int64_t r = 0; r < modulus; ++r) {
    result.push_back(substitute(expression, kIndex, Expr(modulus) * Expr::symbol(kIndex) + Expr(r)));
  }
  return result;
}

}  // namespace gpe::theory
