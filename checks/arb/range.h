// Interval arithmetic on the extended real line, by end points: what an expression does over a whole block of
// n.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "checks/arb/ball.h"
#include "theory/exact/budget.h"
#include "theory/expression/expr_eval.h"

namespace gpe::checks {

/// Every value lies in [low, high]; the ends are exact numbers or infinities. `defined` is a proof that the
/// expression has a real value at every point of the block.
struct Range {
  Ball low;
  Ball high;
  bool defined = true;

  static Range point(const Ball& value, long bits);
  static Range everything();  ///< no bounds, not known to be defined
  bool surely_positive() const { return low.surely_positive(); }
  bool surely_nonnegative() const { return low.surely_nonnegative(); }
  bool surely_negative() const { return high.surely_negative(); }
};

class RangeOperations {
 public:
  using Value = Range;
  /// @param budget  asked for the time before each sum; TimeUp passes through
  explicit RangeOperations(long bits, const theory::Budget* budget = nullptr)
      : bits_(bits), budget_(budget) {}

  Range number(const theory::Rational& value) const { return Range::point(Ball(value, bits_), bits_); }
  Range pi() const { return Range::point(Ball::pi(bits_), bits_); }
  Range add(const Range& a, const Range& b) const;
  Range mul(const Range& a, const Range& b) const;
  Range pow(const Range& base, const Range& exponent, const theory::Rational* literal) const;
  Range call(theory::Function function, const std::vector<Range>& arguments) const;
  std::optional<bool> compare(theory::Relation relation, const Range& a, const Range& b) const;
  Range either(const Range& a, const Range& b) const;
  std::optional<std::int64_t> integer(const Range& value) const;
  /// The entries at all whole numbers of a range; without bounds where these are more than a thousand.
  Range entries(const theory::Table& table, const Range& indices) const;
  Range cut_entropy(const Range& at) const;

 private:
  Range special(theory::Function function, const std::vector<Range>& arguments) const;
  Range rational_power(const Range& base, const theory::Rational& exponent) const;
  long bits_;
  const theory::Budget* budget_;
};

using RangeEvaluator = theory::Evaluator<RangeOperations>;

/// The integers first … last of n (last absent: no end), as a range.
Range block(const theory::Rational& first, const std::optional<theory::Rational>& last, long bits);
/// An expression in n alone over a block. Anything the evaluation cannot do gives Range::everything().
/// @param budget  a sum of a million terms is evaluated between two questions for the time. @throws TimeUp
Range over_block(const theory::Expr& expression, const Range& n, long bits,
                 const theory::Budget& budget = theory::Budget());
/// The same of several integers, each with its block.
Range over_blocks(const theory::Expr& expression, const std::vector<std::pair<std::string, Range>>& blocks,
                  long bits, const theory::Budget& budget = theory::Budget());

}  // namespace gpe::checks
