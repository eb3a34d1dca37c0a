#include "checks/content/dtype_limit.h"
// Tests: tests/checks/content/content_laws_test.cpp
#include <algorithm>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/halfline/block_search.h"
#include "checks/halfline/monotone_tail.h"
#include "checks/halfline/or_undecided.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/derivative.h"
#include "theory/score/gradient_matrix.h"
#include "theory/source/spec_error.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

// The exponent e with 2^e <= |x| < 2^(e+1). @pre x is not zero.
std::int64_t exponent_of(const Rational& x) {
  const Rational size = x.abs();
  std::int64_t e = size.numerator().bits() - size.denominator().bits();
  while (Rational(2).pow(e) > size) --e;
  while (Rational(2).pow(e + 1) <= size) ++e;
  return e;
}

Rational spacing_at(std::int64_t exponent, const FloatFormat& format) {
  return Rational(2).pow(std::max<std::int64_t>(exponent, 1 - format.emax) - format.precision + 1);
}

// One function of n: where it stops being told apart.
class Search {
 public:
  Search(Expr function, const FloatFormat& format, const Context& context)
      : function_(std::move(function)),
        slope_(simplify(theory::derivative(function_, theory::kIndex), context)),
        format_(format),
        context_(context) {
    const theory::Form slope = to_form(slope_, context);
    const Rational* c = slope.rational();
    const theory::Form at_zero = to_form(substitute(function_, theory::kIndex, Expr(0)), context);
    if (c != nullptr && at_zero.is_zero()) {  // c·n with c a power of two: exact until n has too many bits
      const Rational size = c->abs();
      if (Rational(2).pow(exponent_of(size)) == size) power_of_two_ = size;
    }
  }

  SearchResult run(std::int64_t first, const std::optional<Rational>& last) const {
    const Statement apart{[&](const Range& n) { return apart_on(n); },
                          [&](const Rational& n) { return apart_at(n); }};
    return first_failure(apart, Rational(first), last, context_, 200000, kSearchBits);
  }

 private:
  bool apart_on(const Range& n) const {
    if (!n.high.is_finite()) return false;
    const auto end = n.high.ends();
    if (!end) return false;
    if (power_of_two_ && is_exact_up_to(end->high + Rational(1))) return true;
    const Range wider{n.low, add(n.high, Ball(1), kSearchBits), true};
    const auto size_of = [&](const Expr& e) {
      const Range values = over_block(e, wider, kSearchBits, context_.budget());
      return RangeOperations(kSearchBits).call(theory::Function::abs, {values});
    };
    const Range steps = size_of(slope_);
    const Range sizes = size_of(function_);
    const auto most = sizes.high.ends();
    if (!sizes.defined || !steps.defined || !most || most->high.is_zero()) return false;
    const std::int64_t e = exponent_of(most->high);
    if (e > format_.emax) return false;
    return Ball(spacing_at(e, format_), kSearchBits).surely_less(steps.low);
  }

  // Whether c·n is a number of the format for all n up to this one: n has its bits, and c is neither too
  // small nor c·n too large.
  bool is_exact_up_to(const Rational& n) const {
    return n <= Rational(2).pow(format_.precision) &&
           *power_of_two_ >= spacing_at(1 - format_.emax, format_) &&
           exponent_of(*power_of_two_ * n) <= format_.emax;
  }

  Rational value_in_format(const Rational& n) const {
    for (long bits = kSearchBits; bits <= 4096; bits *= 2) {
      const auto ends = evaluate(function_, {{theory::kIndex, Ball(n, bits)}}, bits).ends();
      if (!ends) continue;
      const auto low = rounded(ends->low, format_);
      if (low == rounded(ends->high, format_)) return low;
    }
    const theory::Form exact = to_form(substitute(function_, theory::kIndex, Expr(n)), context_);
    if (exact.rational() != nullptr) return rounded(*exact.rational(), format_);
    throw theory::Undecided("a value too close to the middle of two floating-point numbers");
  }

  bool apart_at(const Rational& n) const {
    if (value_in_format(n) != value_in_format(n + Rational(1))) return true;
    const auto at = [&](const Rational& k) {
      return to_form(substitute(function_, theory::kIndex, Expr(k)), context_);
    };
    return context_.is_zero(at(n) - at(n + Rational(1)));  // equal numbers need not be told apart
  }

  Expr function_;
  Expr slope_;
  FloatFormat format_;
  const Context& context_;
  std::optional<Rational> power_of_two_;  ///< |c|
};

// A function with conditions or tables: one by one until it has settled to a constant.
BigCount limit_of_steps(const Expr& function, const theory::ScoreFunction& law, const FloatFormat& format,
                        const Context& context) {
  const MonotoneTail tail = monotone_tail(function, law.first, context);
  if (tail.score.mentions(theory::kIndex))
    throw theory::Undecided("a function with steps that never settles");
  for (std::int64_t n = law.first; n < tail.from && (!law.last() || n < *law.last()); ++n) {
    context.check_time();
    const auto at = [&](std::int64_t k) {
      return to_form(substitute(function, theory::kIndex, Expr(k)), context);
    };
    const theory::Form here = at(n);
    const theory::Form there = at(n + 1);
    if (here.rational() == nullptr || there.rational() == nullptr)
      throw theory::Undecided("steps that are not fractions");
    if (!(here == there) && rounded(*here.rational(), format) == rounded(*there.rational(), format)) {
      return BigCount::of(Rational(n));
    }
  }
  return BigCount::none();
}

BigCount limit_of(const Expr& function, const theory::ScoreFunction& law, const FloatFormat& format,
                  const Context& context) {
  if (!function.mentions(theory::kIndex)) return BigCount::none();
  const auto search = [&] {
    if (!theory::attempt([&] { return theory::derivative(function, theory::kIndex); }))
      return limit_of_steps(function, law, format, context);
    const std::optional<Rational> last = law.last() ? std::optional(Rational(*law.last() - 1)) : std::nullopt;
    const SearchResult found = Search(function, format, context).run(law.first, last);
    if (found.fails_at) return BigCount::of(*found.fails_at);
    if (found.proved_everywhere) return BigCount::unbounded();
    return BigCount::unknown("settled only below n = " + found.checked_below.str());
  };
  return attempt_all(search).or_else(BigCount::unknown);
}

}  // namespace

FloatFormat float_format(const std::string& option, const std::string& name) {
  if (name == "bf16") return {name, 8, 127};
  if (name == "fp16") return {name, 11, 15};
  if (name == "fp32") return {name, 24, 127};
  throw theory::SpecError(option + ": '" + name + "' is not known; expected bf16, fp16 or fp32");
}

Rational rounded(const Rational& x, const FloatFormat& format) {
  if (x.is_zero()) return Rational(0);
  const Rational spacing = spacing_at(exponent_of(x), format);
  const Rational steps = x / spacing;
  Rational whole = steps.floor();
  const Rational rest = steps - whole;
  const Rational half(1, 2);
  if (rest > half || (rest == half && !whole.is_even_integer())) whole += Rational(1);
  const Rational result = whole * spacing;
  const Rational infinity = Rational(2).pow(format.emax + 1);
  if (result.abs() < infinity) return result;
  return result.sign() < 0 ? -infinity : infinity;
}

DtypeLimit dtype_limit(const theory::ScoreFunction& law, const FloatFormat& format, const Context& whole) {
  const Context context = whole.question();
  DtypeLimit result{format, BigCount::none(), BigCount::none(), 0};
  if (law.bias.mentions(theory::kLength)) {
    result.bias = BigCount::unknown("the bias depends on L");
  } else {
    result.bias = limit_of(simplify_if_settled(law.bias, context), law, format, context);
  }
  if (!law.turns()) return result;
  if (theory::mentions_cut_entropy(law.rotation.angle) || law.rotation.angle.mentions(theory::kLength) ||
      law.rotation.angle.mentions("alpha")) {
    result.angle = BigCount::unknown("the angle is not a closed function of n");
    return result;
  }
  for (int j = 0; j < law.head_dim / 2; ++j) {
    const Expr angle = simplify_if_settled(substitute(law.rotation.angle, "j", Expr(j)), context);
    const BigCount one = limit_of(angle, law, format, context);
    if (one.kind == BigCount::Kind::unknown) {
      result.angle = one;
      return result;
    }
    if (one.kind != BigCount::Kind::number) continue;
    if (result.angle.kind != BigCount::Kind::number || one.number < result.angle.number) {
      result.angle = one;
      result.angle_block = j;
    }
  }
  return result;
}

}  // namespace gpe::checks
