#include "checks/arb/range.h"

#include <array>

#include "checks/arb/expr_ball.h"
#include "theory/exact/context.h"

namespace gpe::checks {

using theory::Function;
using theory::Rational;
using theory::Relation;

namespace {

Ball infinity(int sign) {
  Ball result;
  if (sign > 0) {
    arb_pos_inf(result.raw());
  } else {
    arb_neg_inf(result.raw());
  }
  return result;
}

bool is_nan(const Ball& x) { return arf_is_nan(arb_midref(x.raw())) != 0; }

// The lower end of a ball as an exact number; -infinity when nothing is known.
Ball floor_end(const Ball& x, long bits) {
  if (is_nan(x)) return infinity(-1);
  const Ball end = x.lower(bits);
  return is_nan(end) ? infinity(-1) : end;
}
Ball ceil_end(const Ball& x, long bits) {
  if (is_nan(x)) return infinity(1);
  const Ball end = x.upper(bits);
  return is_nan(end) ? infinity(1) : end;
}

int order(const Ball& a, const Ball& b) {
  return arf_cmp(arb_midref(a.raw()), arb_midref(b.raw()));
}  // exact ends
const Ball& smaller(const Ball& a, const Ball& b) { return order(a, b) <= 0 ? a : b; }
const Ball& larger(const Ball& a, const Ball& b) { return order(a, b) >= 0 ? a : b; }
int sign(const Ball& end) { return arf_sgn(arb_midref(end.raw())); }
bool is_infinite(const Ball& end) { return arf_is_inf(arb_midref(end.raw())) != 0; }

// A product of ends; 0·∞ is 0, as no point of the block is infinite.
Ball product(const Ball& a, const Ball& b, long bits) {
  if (sign(a) == 0 || sign(b) == 0) return Ball(0);
  if (is_infinite(a) || is_infinite(b)) return infinity(sign(a) * sign(b));
  return mul(a, b, bits);
}

}  // namespace

Range Range::point(const Ball& value, long bits) {
  return {floor_end(value, bits), ceil_end(value, bits), value.is_finite()};
}

Range Range::everything() { return {infinity(-1), infinity(1), false}; }

Range RangeOperations::add(const Range& a, const Range& b) const {
  if (budget_ != nullptr) budget_->check();
  const auto end = [&](const Ball& x, const Ball& y, int toward) {
    if (is_infinite(x) || is_infinite(y)) return infinity(toward);
    return toward < 0 ? floor_end(checks::add(x, y, bits_), bits_)
                      : ceil_end(checks::add(x, y, bits_), bits_);
  };
  Range result{end(a.low, b.low, -1), end(a.high, b.high, 1), a.defined && b.defined};
  if (is_infinite(a.low) && sign(a.low) > 0)
    result.low = infinity(-1);  // an empty sum of infinities says nothing
  return result;
}

Range RangeOperations::mul(const Range& a, const Range& b) const {
  const std::array<Ball, 4> corners = {product(a.low, b.low, bits_), product(a.low, b.high, bits_),
                                       product(a.high, b.low, bits_), product(a.high, b.high, bits_)};
  Range result{floor_end(corners[0], bits_), ceil_end(corners[0], bits_), a.defined && b.defined};
  for (const Ball& corner : corners) {
    result.low = smaller(result.low, floor_end(corner, bits_));
    result.high = larger(result.high, ceil_end(corner, bits_));
  }
  return result;
}

Range RangeOperations::rational_power(const Range& base, const Rational& exponent) const {
  if (exponent.is_zero())
    return {Ball(1), Ball(1), base.defined && (base.surely_positive() || base.surely_negative())};
  if (exponent.sign() < 0) {
    const Range positive = rational_power(base, -exponent);
    if (!positive.surely_positive() && !positive.surely_negative()) {
      Range result = Range::everything();
      if (positive.surely_nonnegative()) result.low = Ball(0);
      return result;
    }
    const auto reciprocal = [&](const Ball& end) {
      return is_infinite(end) ? Ball(0) : div(Ball(1), end, bits_);
    };
    return {floor_end(reciprocal(positive.high), bits_), ceil_end(reciprocal(positive.low), bits_),
            positive.defined};
  }
  const auto power = [&](const Ball& end) {
    if (is_infinite(end)) return exponent.is_integer() && !exponent.is_even_integer() ? end : infinity(1);
    return checks::pow(end, exponent, bits_);
  };
  if (exponent.is_integer() && !exponent.is_even_integer()) {
    return {floor_end(power(base.low), bits_), ceil_end(power(base.high), bits_), base.defined};
  }
  if (exponent.is_integer()) {
    const Ball a = power(base.low);
    const Ball b = power(base.high);
    const bool straddles = sign(base.low) < 0 && sign(base.high) > 0;
    const Ball least = straddles ? Ball(0) : smaller(floor_end(a, bits_), floor_end(b, bits_));
    return {least, larger(ceil_end(a, bits_), ceil_end(b, bits_)), base.defined};
  }
  if (sign(base.high) < 0) return Range::everything();
  const Ball low = sign(base.low) < 0 ? Ball(0) : base.low;
  return {floor_end(power(low), bits_), ceil_end(power(base.high), bits_),
          base.defined && sign(base.low) >= 0};
}

Range RangeOperations::pow(const Range& base, const Range& exponent, const Rational* literal) const {
  if (literal != nullptr) return rational_power(base, *literal);
  if (order(exponent.low, exponent.high) == 0 && !is_infinite(exponent.low)) {
    // an exact exponent: a dyadic rational of moderate size
    if (const auto ends = exponent.low.ends(); ends && ends->low.bits() < 200) {
      Range result = rational_power(base, ends->low);
      result.defined = result.defined && exponent.defined;
      return result;
    }
  }
  if (sign(base.low) == 0 && sign(base.high) == 0) {  // 0^p = 0 for p > 0
    return {Ball(0), Ball(0), base.defined && exponent.defined && exponent.surely_positive()};
  }
  if (!base.surely_positive()) {
    if (!base.surely_nonnegative() || !exponent.surely_positive()) return Range::everything();
    Range positive = base;
    // [0, h]^p with p > 0: from 0 up to the largest corner
    const Range top =
        call(Function::exp, {mul(exponent, call(Function::log, {Range{base.high, base.high, true}}))});
    positive.low = Ball(0);
    positive.high = larger(top.high, Ball(0));
    positive.defined = base.defined && exponent.defined;
    return positive;
  }
  return call(Function::exp, {mul(exponent, call(Function::log, {base}))});
}

Range RangeOperations::call(Function function, const std::vector<Range>& arguments) const {
  const Range& x = arguments.front();
  switch (function) {
    case Function::exp: {
      const auto value = [&](const Ball& end) {
        if (is_infinite(end)) return sign(end) > 0 ? end : Ball(0);
        return checks::exp(end, bits_);
      };
      Range result{floor_end(value(x.low), bits_), ceil_end(value(x.high), bits_), x.defined};
      if (sign(result.low) < 0) result.low = Ball(0);
      return result;
    }
    case Function::log: {
      const auto value = [&](const Ball& end) {
        if (sign(end) <= 0) return infinity(-1);
        return is_infinite(end) ? end : checks::log(end, bits_);
      };
      return {floor_end(value(x.low), bits_), ceil_end(value(x.high), bits_),
              x.defined && x.surely_positive()};
    }
    case Function::abs: {
      if (x.surely_nonnegative()) return x;
      const Range flipped{neg(x.high), neg(x.low), x.defined};
      if (sign(x.high) <= 0) return flipped;
      return {Ball(0), larger(x.high, flipped.high), x.defined};
    }
    case Function::floor: {
      const auto value = [&](const Ball& end) { return is_infinite(end) ? end : checks::floor(end, bits_); };
      return {floor_end(value(x.low), bits_), ceil_end(value(x.high), bits_), x.defined};
    }
    case Function::sin:
    case Function::cos: {
      const Range bounds{Ball(-1), Ball(1), x.defined};
      if (is_infinite(x.low) || is_infinite(x.high)) return bounds;
      const Ball hull = Ball::hull(x.low, x.high, bits_);
      const Ball value = function == Function::sin ? checks::sin(hull, bits_) : checks::cos(hull, bits_);
      if (is_nan(value)) return bounds;
      return {larger(floor_end(value, bits_), bounds.low), smaller(ceil_end(value, bits_), bounds.high),
              x.defined};
    }
    case Function::atan:
    case Function::erfc:
    case Function::lgamma:
    case Function::polygamma:
      return special(function, arguments);
    case Function::min:
    case Function::max: {
      Range result = x;
      for (std::size_t i = 1; i < arguments.size(); ++i) {
        const Range& y = arguments[i];
        const bool least = function == Function::min;
        result = {least ? smaller(result.low, y.low) : larger(result.low, y.low),
                  least ? smaller(result.high, y.high) : larger(result.high, y.high),
                  result.defined && y.defined};
      }
      return result;
    }
  }
  return Range::everything();
}

// Monotone, but for lgamma, which falls up to a place between 7/5 and 3/2, to more than -1/8.
Range RangeOperations::special(Function function, const std::vector<Range>& arguments) const {
  const Range& x = arguments.back();
  const Ball& degree = arguments.front().low;  // of polygamma
  const bool everywhere = function == Function::atan || function == Function::erfc;
  if (!everywhere && sign(x.high) <= 0) return Range::everything();
  const auto even = [&] { return degree.ends()->low.is_even_integer(); };
  const bool rises = function == Function::atan || (function == Function::polygamma && even());
  const auto at_end = [&](int side) {  // of the domain
    if (function == Function::atan)
      return checks::mul(Ball::pi(bits_), Ball(Rational(side, 2), bits_), bits_);
    if (function == Function::erfc) return Ball(1 - side);
    if (function == Function::lgamma) return infinity(1);
    if (side < 0) return infinity(rises ? -1 : 1);
    return degree.surely_zero() ? infinity(1) : Ball(0);
  };
  const auto value = [&](const Ball& end) {
    if (is_infinite(end)) return at_end(sign(end));
    if (!everywhere && sign(end) <= 0) return at_end(-1);
    return BallOperations(bits_).call(function, {degree, end});  // the order is that of polygamma alone
  };
  const Ball first = value(x.low);
  const Ball second = value(x.high);
  const Ball least = smaller(floor_end(first, bits_), floor_end(second, bits_));
  Range result{least, larger(ceil_end(first, bits_), ceil_end(second, bits_)),
               x.defined && (everywhere || x.surely_positive())};
  const bool turns = function == Function::lgamma && order(x.low, Ball(Rational(3, 2), bits_)) < 0 &&
                     order(x.high, Ball(Rational(7, 5), bits_)) > 0;
  if (turns) result.low = smaller(result.low, Ball(Rational(-1, 8), bits_));
  return result;
}

std::optional<bool> RangeOperations::compare(Relation relation, const Range& a, const Range& b) const {
  if (!a.defined || !b.defined) throw theory::EvaluationError("a condition may have no value on the block");
  const int low = order(a.low, b.high);  // a >= this far above b
  const int high = order(a.high, b.low);
  const auto answer = [](bool yes, bool no) -> std::optional<bool> {
    if (yes) return true;
    if (no) return false;
    return std::nullopt;
  };
  const bool equal = low == 0 && high == 0;
  switch (relation) {
    case Relation::less:
      return answer(high < 0, low >= 0);
    case Relation::less_equal:
      return answer(high <= 0, low > 0);
    case Relation::greater:
      return answer(low > 0, high <= 0);
    case Relation::greater_equal:
      return answer(low >= 0, high < 0);
    case Relation::equal:
      return answer(equal, high < 0 || low > 0);
    case Relation::not_equal:
      return answer(high < 0 || low > 0, equal);
  }
  return std::nullopt;
}

Range RangeOperations::either(const Range& a, const Range& b) const {
  return {smaller(a.low, b.low), larger(a.high, b.high), a.defined && b.defined};
}

std::optional<std::int64_t> RangeOperations::integer(const Range& value) const {
  if (is_infinite(value.low) || order(value.low, value.high) != 0) return std::nullopt;
  const auto ends = value.low.ends();
  return ends ? ends->low.to_int64() : std::nullopt;
}

Range RangeOperations::entries(const theory::Table& table, const Range& indices) const {
  constexpr std::int64_t kMaxEntries = 1000;
  Range result = Range::everything();
  const Ball first(table.first_index);
  const Ball last(table.last_index());
  result.defined = indices.defined && order(first, indices.low) <= 0 &&
                   (table.beyond == theory::Beyond::constant || order(indices.high, last) <= 0);
  if (!result.defined) return result;
  const auto place = [&](const Ball& end) {  // in the table, whose last entry holds for all later indices
    if (order(last, end) <= 0) return table.last_index();
    return *end.ends()->low.floor().to_int64();
  };
  const std::int64_t from = place(indices.low);
  const std::int64_t to = place(indices.high);
  if (to - from >= kMaxEntries) return result;
  const auto at = [&](std::int64_t index) {
    return number(table.values[static_cast<std::size_t>(index - table.first_index)]);
  };
  result = at(from);
  for (std::int64_t index = from + 1; index <= to; ++index) result = either(result, at(index));
  return result;
}

Range RangeOperations::cut_entropy(const Range& at) const {
  // 0 <= H(n) <= log(n + 1)
  const Range count = add(at, Range{Ball(1), Ball(1), true});
  Range result = call(Function::log, {count});
  result.low = Ball(0);
  return result;
}

Range block(const Rational& first, const std::optional<Rational>& last, long bits) {
  return {floor_end(Ball(first, bits), bits), last ? ceil_end(Ball(*last, bits), bits) : infinity(1), true};
}

Range over_block(const theory::Expr& expression, const Range& n, long bits, const theory::Budget& budget) {
  return over_blocks(expression, {{theory::kIndex, n}}, bits, budget);
}

Range over_blocks(const theory::Expr& expression, const std::vector<std::pair<std::string, Range>>& blocks,
                  long bits, const theory::Budget& budget) {
  RangeEvaluator evaluator{RangeOperations(bits, &budget)};
  for (const auto& [name, range] : blocks) evaluator.bind(name, range);
  try {
    return evaluator(expression);
  } catch (const theory::EvaluationError&) {
    return Range::everything();
  }
}

}  // namespace gpe::checks
