#include "checks/arb/expr_ball.h"

namespace gpe::checks {

using theory::Function;
using theory::Rational;
using theory::Relation;

Ball BallOperations::pow(const Ball& base, const Ball& exponent, const Rational* literal) const {
  return literal != nullptr ? checks::pow(base, *literal, bits_) : checks::pow(base, exponent, bits_);
}

Ball BallOperations::call(Function function, const std::vector<Ball>& arguments) const {
  const Ball& x = arguments.front();
  switch (function) {
    case Function::log:
      return checks::log(x, bits_);
    case Function::exp:
      return checks::exp(x, bits_);
    case Function::abs:
      return checks::abs(x);
    case Function::floor:
      return checks::floor(x, bits_);
    case Function::sin:
      return checks::sin(x, bits_);
    case Function::cos:
      return checks::cos(x, bits_);
    case Function::atan:
      return checks::atan(arguments.back(), bits_);
    case Function::erfc:
      return checks::erfc(arguments.back(), bits_);
    case Function::lgamma:
      return checks::lgamma(arguments.back(), bits_);
    case Function::polygamma:
      return checks::polygamma(x, arguments.back(), bits_);
    case Function::min:
    case Function::max: {
      Ball result = x;
      for (std::size_t i = 1; i < arguments.size(); ++i) {
        result = function == Function::min ? checks::min(result, arguments[i], bits_)
                                           : checks::max(result, arguments[i], bits_);
      }
      return result;
    }
  }
  return Ball::unknown();
}

std::optional<bool> BallOperations::compare(Relation relation, const Ball& a, const Ball& b) const {
  const bool less = a.surely_less(b);
  const bool greater = b.surely_less(a);
  const bool at_most = less || a.surely_at_most(b);
  const bool at_least = greater || b.surely_at_most(a);
  const bool equal = at_most && at_least;
  const auto answer = [](bool yes, bool no) -> std::optional<bool> {
    if (yes) return true;
    if (no) return false;
    return std::nullopt;
  };
  switch (relation) {
    case Relation::less:
      return answer(less, at_least);
    case Relation::less_equal:
      return answer(at_most, greater);
    case Relation::greater:
      return answer(greater, at_most);
    case Relation::greater_equal:
      return answer(at_least, less);
    case Relation::equal:
      return answer(equal, less || greater);
    case Relation::not_equal:
      return answer(less || greater, equal);
  }
  return std::nullopt;
}

std::optional<std::int64_t> BallOperations::integer(const Ball& value) const {
  if (!value.is_exact()) return std::nullopt;
  const auto ends = value.ends();
  return ends ? ends->low.to_int64() : std::nullopt;
}

Ball BallOperations::cut_entropy(const Ball& /*at*/) const {
  throw theory::EvaluationError("H(n) has no value here");
}

Ball evaluate(const theory::Expr& expression, const std::map<std::string, Ball>& values, long bits) {
  BallEvaluator evaluator{BallOperations(bits)};
  for (const auto& [name, value] : values) evaluator.bind(name, value);
  return evaluator(expression);
}

namespace {

std::optional<Ball> closed_value(const theory::Expr& closed, int bits) {
  try {
    Ball value = evaluate(closed, {}, bits);
    if (!value.is_finite()) return std::nullopt;
    return value;
  } catch (const theory::EvaluationError&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<int> BallOracle::sign(const theory::Expr& closed, int bits) const {
  const auto value = closed_value(closed, bits);
  if (!value) return std::nullopt;
  if (value->surely_positive()) return 1;
  if (value->surely_negative()) return -1;
  if (value->surely_zero()) return 0;
  return std::nullopt;
}

std::optional<theory::RationalInterval> BallOracle::enclose(const theory::Expr& closed, int bits) const {
  const auto value = closed_value(closed, bits);
  return value ? value->ends() : std::nullopt;
}

theory::Context ball_context(const theory::Budget& budget) {
  static const BallOracle oracle;
  return {oracle, budget};
}

}  // namespace gpe::checks
