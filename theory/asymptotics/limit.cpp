#include "theory/asymptotics/limit.h"

#include <algorithm>

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/expr_print.h"

namespace gpe::theory {

namespace {

bool same_limit(const Limit& a, const Limit& b) {
  return a.kind == b.kind && (a.kind != Limit::Kind::finite || a.value == b.value);
}

}  // namespace

Limit limit_of(Multiseries& series, const SeriesPtr& f) {
  Leading lead;
  switch (series.size(f, &lead)) {
    case Size::infinitesimal:
      return {Limit::Kind::finite, Form(0)};
    case Size::finite:
      return {Limit::Kind::finite, lead.coefficient};
    case Size::infinite:
      break;
  }
  const int sign = series.context().sign(lead.coefficient);
  return {sign > 0 ? Limit::Kind::plus_infinity : Limit::Kind::minus_infinity, {}};
}

int compare(const Limit& a, const Limit& b, const Context& context) {
  const auto rank = [](const Limit& x) {
    if (x.kind == Limit::Kind::finite) return 0;
    return x.kind == Limit::Kind::plus_infinity ? 1 : -1;
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b) ? -1 : 1;
  return rank(a) == 0 ? context.compare(a.value, b.value) : 0;
}

int sign(const Limit& limit, const Context& context) {
  return compare(limit, {Limit::Kind::finite, Form(0)}, context);
}

bool LimitBounds::settled() const { return same_limit(low, high); }

std::vector<LimitBounds> class_limits(const Expr& expression, const Context& context) {
  std::vector<LimitBounds> result;
  const std::int64_t modulus = residue_modulus(expression, context);
  for (const Expr& part : residue_classes(expression, modulus)) {
    Multiseries series(context);
    const AsymptoticEnclosure enclosure = EnclosureExpander(series).expand(part);
    const Limit low = limit_of(series, enclosure.low);
    result.push_back({low, enclosure.exact() ? low : limit_of(series, enclosure.high)});
  }
  return result;
}

bool near_exp_log(const std::vector<Expr>& parts, const Context& context) {
  return std::ranges::all_of(parts, [&](const Expr& part) {
    Multiseries series(context);
    const AsymptoticEnclosure enclosure = EnclosureExpander(series).expand(part);
    return enclosure.exact() || series.size(series.subtract(enclosure.high, enclosure.low)) != Size::infinite;
  });
}

LimitBounds limit(const Expr& expression, const Context& context) {
  const std::vector<LimitBounds> classes = class_limits(expression, context);
  LimitBounds result = classes.front();
  for (const LimitBounds& bounds : classes) {
    if (compare(bounds.low, result.low, context) < 0) result.low = bounds.low;
    if (compare(bounds.high, result.high, context) > 0) result.high = bounds.high;
  }
  return result;
}

SupremumBounds limsup(const Expr& expression, const Context& context) {
  const std::vector<LimitBounds> classes = class_limits(expression, context);
  SupremumBounds result{classes.front().low, classes.front().high};
  for (const LimitBounds& bounds : classes) {
    if (compare(bounds.low, result.low, context) > 0) result.low = bounds.low;
    if (compare(bounds.high, result.high, context) > 0) result.high = bounds.high;
  }
  return result;
}

std::vector<Expr> dominant_terms(const Expr& expression, int count, const Context& context) {
  if (residue_modulus(expression, context) != 1) {
    throw Undecided("no single expansion: the expression depends on n modulo " +
                    std::to_string(residue_modulus(expression, context)));
  }
  Multiseries series(context);
  const AsymptoticEnclosure enclosure = EnclosureExpander(series).expand(expression);
  if (!enclosure.exact()) throw Undecided("only bounds are known at infinity, no expansion");
  std::vector<Expr> result;
  for (const auto& [coefficient, monomial] : series.first_terms(enclosure.low, count)) {
    result.push_back(to_expr(coefficient) * series.expression(monomial));
  }
  return result;
}

bool has_expansion(const Expr& expression, const Context& context) {
  if (residue_modulus(expression, context) != 1) return false;
  Multiseries series(context);
  return EnclosureExpander(series).expand(expression).exact();
}

int eventual_sign(const Expr& expression, const Context& context) {
  std::optional<int> result;
  for (const Expr& part : residue_classes(expression, residue_modulus(expression, context))) {
    Multiseries series(context);
    const AsymptoticEnclosure enclosure = EnclosureExpander(series).expand(part);
    const int low = series.sign(enclosure.low);
    const int high = enclosure.exact() ? low : series.sign(enclosure.high);
    const bool settled = low == high && (enclosure.exact() || low != 0 || enclosure.low == enclosure.high);
    if (!settled || (result && *result != low)) {
      throw Undecided("the sign of " + to_text(expression) + " near infinity is not settled");
    }
    result = low;
  }
  return *result;
}

std::string to_text(const Limit& limit) {
  switch (limit.kind) {
    case Limit::Kind::plus_infinity:
      return "+inf";
    case Limit::Kind::minus_infinity:
      return "-inf";
    case Limit::Kind::finite:
      break;
  }
  return to_text(limit.value);
}

}  // namespace gpe::theory
