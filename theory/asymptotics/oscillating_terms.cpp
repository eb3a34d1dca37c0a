// Terms that keep changing sign: sums in which one oscillation occurs more than once, and whole powers of
// what is negative. Tests: tests/theory/asymptotics/limits_test.cpp
#include <algorithm>

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/whole_number.h"

namespace gpe::theory {

using namespace node;

constexpr std::int64_t kMaxDegree = 16;  // of polynomials that are asked for whole values

// f w + g w is enclosed as (f + g) w, where f and g have expansions and w has none: bounds of both apart
// would forget that the same w stands in them.
AsymptoticEnclosure EnclosureExpander::sum(const std::vector<Expr>& terms) {
  struct Group {
    Expr wave;
    SeriesPtr coefficient;
    AsymptoticEnclosure all;
  };
  std::vector<Group> groups;
  std::optional<AsymptoticEnclosure> result;
  const auto include = [&](const AsymptoticEnclosure& part) { result = result ? add(*result, part) : part; };
  for (const Expr& term : terms) {
    const AsymptoticEnclosure whole = expand(term);
    if (whole.exact()) {
      include(whole);
      continue;
    }
    Group next{Expr(1), series_.constant(1), whole};
    const auto* product = term.as<Mul>();
    for (const Expr& factor : product != nullptr ? product->factors : std::vector<Expr>{term}) {
      const AsymptoticEnclosure part = expand(factor);
      if (part.exact()) {
        next.coefficient = series_.multiply(next.coefficient, part.low);
      } else {
        next.wave = next.wave * factor;
      }
    }
    const auto same =
        std::ranges::find_if(groups, [&](const Group& group) { return group.wave == next.wave; });
    if (same == groups.end()) {
      groups.push_back(next);
    } else {
      same->coefficient = series_.add(same->coefficient, next.coefficient);
      same->all = multiply(exact(same->coefficient), expand(same->wave));
    }
  }
  for (const Group& group : groups) include(group.all);
  return *result;
}

namespace {

// Whether a polynomial in n, such as n (n + 1)/2, is a whole number at every n: it is, of degree d, where it
// is at 0, …, d.
bool is_whole_polynomial(const Expr& e, const Context& context) {
  const Form form = to_form(e, context);
  Rational degree(0);
  for (const Term& term : form.terms()) {
    if (!is_index_polynomial_term(term)) return false;
    for (const KernelPower& power : term.powers) degree = std::max(degree, power.exponent);
  }
  if (degree > Rational(kMaxDegree)) return false;
  for (Rational n(0); n <= degree; n += Rational(1)) {
    const Form value = to_form(substitute(to_expr(form), kIndex, Expr(n)), context);
    if (value.rational() == nullptr || !value.rational()->is_integer()) return false;
  }
  return true;
}

bool has_turning_power(const Pow& power, const Context& context) {
  const Rational* base = power.base.number();
  return power.exponent.mentions(kIndex) && (base == nullptr || base->sign() < 0) &&
         power.base.as<Symbol>() == nullptr &&
         (is_whole(power.exponent, {}) || is_whole_polynomial(power.exponent, context));
}

}  // namespace

// (-f)^k = f^k cos(πk) for a whole k
std::optional<AsymptoticEnclosure> EnclosureExpander::turning_power(const Pow& power_node) {
  if (!has_turning_power(power_node, series_.context())) return std::nullopt;
  const AsymptoticEnclosure base = expand(power_node.base);
  const AsymptoticEnclosure exponent = expand(power_node.exponent);
  if (!base.exact() || !exponent.exact() || series_.sign(base.low) >= 0) return std::nullopt;
  return multiply(exact(series_.power(series_.scaled(base.low, Form(-1)), exponent.low)),
                  expand(call(Function::cos, {Expr::pi() * power_node.exponent})));
}

bool turns(const Pow& power, const Context& context) {
  if (!has_turning_power(power, context)) return false;
  const auto negative = attempt_in_time<Undecided, Undefined, SplitRequest>([&] {
    Multiseries series(context);
    const AsymptoticEnclosure base = EnclosureExpander(series).expand(power.base);
    return base.exact() && series.sign(base.low) < 0;
  });
  return negative && *negative;
}

}  // namespace gpe::theory
