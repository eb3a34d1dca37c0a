#include "checks/sums/stepped_sum.h"
// Tests: tests/checks/sums/partial_sum_test.cpp
#include <algorithm>
#include <limits>

#include "checks/arb/expr_ball.h"
#include "checks/arb/precision.h"
#include "checks/halfline/envelope.h"
#include "checks/halfline/half_line.h"
#include "checks/halfline/monotone_tail.h"
#include "checks/sums/series_sum.h"
#include "checks/sums/tail_bounds.h"
#include "checks/sums/terms.h"
#include "theory/asymptotics/limit.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/expression/derivative.h"

namespace gpe::checks {

using theory::Context;
using theory::Expr;
using theory::Rational;

namespace {

void collect_floors(const Expr& e, std::vector<Expr>& out) {
  const auto* call = e.as<theory::node::Call>();
  if (call != nullptr && call->function == theory::Function::floor && e.mentions(theory::kIndex)) {
    if (std::ranges::find(out, e) == out.end()) out.push_back(e);
    return;
  }
  for (const Expr& child : children(e)) collect_floors(child, out);
}

Expr replaced(const Expr& e, const Expr& what, const Expr& by) {
  if (e == what) return by;
  std::vector<Expr> parts = children(e);
  bool changed = false;
  for (Expr& part : parts) {
    Expr next = replaced(part, what, by);
    changed = changed || !next.same_object(part);
    part = std::move(next);
  }
  return changed ? with_children(e, std::move(parts)) : e;
}

}  // namespace

SteppedSum::SteppedSum(Expr score, std::int64_t first, int digits, const Context& context)
    : score_(std::move(score)),
      first_(first),
      from_(std::max<std::int64_t>(first, 1)),
      digits_(digits),
      context_(context),
      bits_(working_bits(digits) + 32) {
  std::vector<Expr> floors;
  collect_floors(score_, floors);
  for (const Expr& floor : floors) {
    const Expr argument =
        simplify(floor.as<theory::node::Call>()->arguments.front(), context_from(Rational(from_), context_));
    const int sign = theory::eventual_sign(theory::derivative(argument, theory::kIndex), context_);
    if (sign == 0) throw theory::Undecided("a floor of a constant");
    while (!surely_falls(sign > 0 ? -argument : argument, Rational(0), Rational(from_), context_)) {
      context_.check_time();
      from_ *= 2;
      if (from_ > (std::int64_t{1} << 40))
        throw theory::Undecided("the argument of a floor is not proved monotone");
    }
    steps_.push_back({floor, argument});
  }
  if (steps_.empty()) throw theory::Undecided("no floor steps");
}

// The envelope of A as smooth expressions, and from where it holds.
const SteppedSum::Bounds& SteppedSum::bounds() {
  if (!bounds_) {
    const Envelope around = envelope(score_, Rational(from_), context_);
    const MonotoneTail above = monotone_tail(around.above, from_, context_);
    const MonotoneTail below = monotone_tail(around.below, from_, context_);
    bounds_ = Bounds{below.score, above.score, Rational(std::max(above.from, below.from))};
  }
  return *bounds_;
}

Rational SteppedSum::value_of(const Step& step, const Rational& n) const {
  for (long bits = 64; bits <= 1024; bits *= 2) {
    const Ball value =
        evaluate(step.argument, {{theory::kIndex, Ball(n, bits + static_cast<long>(n.bits()))}},
                 bits + static_cast<long>(n.bits()));
    const auto ends = value.ends();
    if (!ends) continue;
    const Rational low = ends->low.floor();
    if (low == ends->high.floor()) return low;
  }
  return context_.floor(to_form(substitute(step.argument, theory::kIndex, Expr(n)), context_));
}

// The last n with the same floors: doubling steps, then bisection; the floors are monotone from from_ on.
Rational SteppedSum::last_of_block(const Rational& n) const {
  std::optional<Rational> result;
  for (const Step& step : steps_) {
    const Rational value = value_of(step, n);
    Rational width(1);
    while (value_of(step, n + width) == value) {
      context_.check_time();
      width *= Rational(2);
      if (width.bits() > 100000) throw theory::Undecided("a floor stops stepping");
    }
    Rational same = width.is_one() ? Rational(0) : width / Rational(2);
    while (width - same > Rational(1)) {
      const Rational middle = ((same + width) / Rational(2)).floor();
      (value_of(step, n + middle) == value ? same : width) = middle;
    }
    if (!result || n + same < *result) result = n + same;
  }
  return *result;
}

Moments SteppedSum::over_block(const Rational& n, const Rational& last, WantedMoments wanted) const {
  Expr smooth = score_;
  for (const Step& step : steps_) smooth = replaced(smooth, step.floor, Expr(value_of(step, n)));
  smooth = simplify(smooth, context_from(n, context_));
  if (!smooth.mentions(theory::kIndex)) {
    const Ball a = evaluate(smooth, {}, bits_);
    const Ball w = exp(a, bits_);
    const Rational count = last - n + Rational(1);
    Moments result;
    result.z = mul(Ball(count, bits_), w, bits_);
    result.s = mul(a, result.z, bits_);
    result.d = mul(Ball((n + last) * count / Rational(2), bits_), w, bits_);
    return result;
  }
  const auto from = n.to_int64();
  if (!from) throw theory::Undecided("blocks of a score that also varies between its steps, too far out");
  SeriesSum block(smooth, *from, digits_, context_);
  return block.up_to(last, wanted);
}

std::optional<Moments> SteppedSum::remainder_beyond(const Rational& n, WantedMoments wanted) {
  const auto& [below, above, from] = bounds();
  if (n < from) return std::nullopt;
  const auto bound = [&](const Expr& g) { return integral_bound(g, n, bits_, context_); };
  Moments rest;
  const auto z = bound(above);
  if (!z) return std::nullopt;
  rest.z = *z;
  if (wanted.s) {
    if (!surely_below(above, Rational(0), n, context_)) return std::nullopt;
    const auto s = bound(above + theory::log(-below));
    if (!s) return std::nullopt;
    rest.s = *s;
  }
  if (wanted.d) {
    const auto d = bound(above + theory::log(Expr::symbol(theory::kIndex)));
    if (!d) return std::nullopt;
    rest.d = *d;
  }
  return rest;
}

Moments SteppedSum::sum(const std::optional<Rational>& last, WantedMoments wanted) {
  const long accuracy = bits_of_digits(digits_) + 12;
  Moments total;
  std::int64_t end = from_ - 1;  // one by one where the floors are not known to be monotone
  if (last) end = std::min(end, last->to_int64().value_or(end));
  if (end >= first_) total = sum_terms(score_, first_, end, bits_, context_);
  Rational n(std::max(first_, from_));
  std::int64_t next_try = 8;
  std::int64_t blocks = 0;
  for (; !last || n <= *last; ++blocks) {
    context_.check_time();
    Rational block_end = last_of_block(n);
    if (last) block_end = std::min(block_end, *last);
    total = plus(total, over_block(n, block_end, wanted), bits_);
    n = block_end + Rational(1);
    if (blocks != next_try) continue;
    next_try += std::max<std::int64_t>(8, blocks / 8);
    const auto bound = theory::attempt_in_time([&] { return remainder_beyond(block_end, wanted); });
    if (!bound) {
      if (!last) bound.why().raise();
      next_try = std::numeric_limits<std::int64_t>::max();  // a finite sum ends without a bound
    }
    const std::optional<Moments> rest = bound ? *bound : std::nullopt;
    if (rest && small_beside(*rest, sizes(total), accuracy, wanted)) {
      total = with_remainder(total, *rest, wanted, bits_);
      break;
    }
  }
  method_ = "sum of " + std::to_string(blocks) + " blocks between the steps of floors";
  return total;
}

}  // namespace gpe::checks
