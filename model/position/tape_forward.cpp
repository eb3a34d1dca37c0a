// Values of the steps of an expression tape. Tests: tests/model/position/expression_tape_test.cpp
#include <algorithm>
#include <cassert>
#include <cmath>

#include "checks/arb/special_double.h"
#include "model/position/tape_step.h"
#include "theory/exact/context.h"

namespace gpe::model {

using Kind = ExpressionTape::Step::Kind;

namespace {

constexpr double kNearStep =
    1e-9;  // relative: far above the rounding of a few operations, far below what is meant
constexpr int kSettleBits = 192;

double power(double base, double exponent) {
  if (exponent == -1) return 1 / base;
  if (exponent == 0.5) return std::sqrt(base);
  if (exponent == 2) return base * base;
  return std::pow(base, exponent);
}

}  // namespace

// Not separated at this many bits means equal, as far as doubles can mean it.
int TapeEvaluator::settle(const theory::Expr& closed, std::int64_t j, std::int64_t n) const {
  theory::Expr at = substitute(closed, theory::kIndex, theory::Expr(n));
  at = substitute(at, "j", theory::Expr(j));
  at = substitute(at, theory::kLength, theory::Expr(static_cast<std::int64_t>(length_)));
  return program_->oracle_->sign(at, kSettleBits).value_or(0);
}

bool TapeEvaluator::holds(const ExpressionTape::Step& step, double left, double right, std::int64_t j,
                          std::int64_t n) const {
  double difference = left - right;
  if (step.closed && std::abs(difference) <= kNearStep * std::max({1.0, std::abs(left), std::abs(right)})) {
    difference = settle(*step.closed, j, n);
  }
  switch (step.relation) {
    case theory::Relation::less:
      return difference < 0;
    case theory::Relation::less_equal:
      return difference <= 0;
    case theory::Relation::greater:
      return difference > 0;
    case theory::Relation::greater_equal:
      return difference >= 0;
    case theory::Relation::equal:
      return difference == 0;
    case theory::Relation::not_equal:
      return difference != 0;
  }
  return false;
}

double TapeEvaluator::whole_part(const ExpressionTape::Step& step, double value, std::int64_t j,
                                 std::int64_t n) const {
  const double nearest = std::nearbyint(value);
  if (!step.closed || std::abs(nearest) > 1e15 ||
      std::abs(value - nearest) > kNearStep * std::max(1.0, std::abs(value))) {
    return std::floor(value);
  }
  const theory::Expr above = *step.closed - theory::Expr(static_cast<std::int64_t>(nearest));
  return settle(above, j, n) < 0 ? nearest - 1 : nearest;
}

template <class Value>
void TapeEvaluator::fill_step(std::size_t at, const Value& value) {
  const Extent out = extent(at);
  for (std::int64_t j = 0; j < out.blocks; ++j) {
    double* row = values_[at].data() + j * out.by_block;
    for (std::int64_t n = 0; n < out.distances; ++n) row[n] = value(j, n);
  }
}

void TapeEvaluator::compute_operation(std::size_t at) {
  const ExpressionTape::Step& step = program_->steps_[at];
  const auto operand = [&](std::size_t k) { return values_of(step.of[k]); };
  const auto fill = [&](const auto& value) { fill_step(at, value); };
  const auto unary = [&](const auto& f) {
    fill([&f, x = operand(0)](std::int64_t j, std::int64_t n) { return f(x(j, n)); });
  };
  const auto binary = [&](const auto& f) {
    fill(
        [&f, x = operand(0), y = operand(1)](std::int64_t j, std::int64_t n) { return f(x(j, n), y(j, n)); });
  };
  switch (step.kind) {
    case Kind::add:
      binary([](double x, double y) { return x + y; });
      break;
    case Kind::multiply:
      binary([](double x, double y) { return x * y; });
      break;
    case Kind::power:
      binary([](double x, double y) { return power(x, y); });
      break;
    case Kind::log:
      unary([](double x) { return std::log(x); });
      break;
    case Kind::exp:
      unary([](double x) { return std::exp(x); });
      break;
    case Kind::abs:
      unary([](double x) { return std::abs(x); });
      break;
    case Kind::min:
      binary([](double x, double y) { return y < x ? y : x; });
      break;
    case Kind::max:
      binary([](double x, double y) { return y > x ? y : x; });
      break;
    case Kind::sin:
      unary([](double x) { return std::sin(x); });
      break;
    case Kind::cos:
      unary([](double x) { return std::cos(x); });
      break;
    case Kind::special:
      unary([&step](double x) { return checks::special_double(step.function, step.order, x); });
      break;
    case Kind::spread:
      unary([](double x) { return x; });
      break;
    case Kind::floor:
      fill([&, x = operand(0)](std::int64_t j, std::int64_t n) {
        return whole_part(step, x(j, n), j, first_ + n);
      });
      break;
    case Kind::choose:
      fill([&, left = operand(0), right = operand(1), yes = operand(2), no = operand(3)](std::int64_t j,
                                                                                         std::int64_t n) {
        return holds(step, left(j, n), right(j, n), j, first_ + n) ? yes(j, n) : no(j, n);
      });
      break;
    case Kind::entry:
      unary([&step](double index) {
        const double slot = index - static_cast<double>(step.table->first_index);
        const auto last = static_cast<double>(step.entries.size() - 1);
        if (!(slot >= 0) || (slot > last && step.table->beyond == theory::Beyond::error)) return std::nan("");
        return step.entries[static_cast<std::size_t>(std::min(slot, last))];
      });
      break;
    case Kind::entropy:
      compute_entropy(at);
      break;
    case Kind::number:
    case Kind::distance:
    case Kind::block:
    case Kind::length:
    case Kind::parameter:
    case Kind::column:
      assert(false && "a leaf has no operands");
      break;
  }
}

void TapeEvaluator::compute_leaf(std::size_t at) {
  const ExpressionTape::Step& step = program_->steps_[at];
  std::vector<double>& result = values_[at];
  switch (step.kind) {
    case Kind::number:
      result.front() = step.value;
      break;
    case Kind::distance:
      fill_step(at, [&](std::int64_t, std::int64_t n) { return static_cast<double>(first_ + n); });
      break;
    case Kind::block:
      fill_step(at, [](std::int64_t j, std::int64_t) { return static_cast<double>(j); });
      break;
    case Kind::length:
      result.front() = length_;
      break;
    case Kind::parameter:
      result.front() = parameters_[step.index];
      break;
    case Kind::column:
      std::ranges::copy(columns_[step.index], result.begin());
      break;
    default:
      assert(false && "an operation has operands");
  }
}

void TapeEvaluator::compute(std::size_t at) {
  if (program_->steps_[at].of.empty()) {
    compute_leaf(at);
  } else {
    compute_operation(at);
  }
}

// lse_n = log Σ_{m<=n} e^{b_m} and E_n, the mean of b under the weights up to n, one m at a time; H = lse -
// E.
void TapeEvaluator::compute_entropy(std::size_t at) {
  const std::vector<double>& b = values_[program_->steps_[at].of[0]];
  std::vector<double>& h = values_[at];
  log_normalizer_.resize(b.size());
  double lse = b[0];
  double mean = b[0];
  for (std::size_t n = 0; n < b.size(); ++n) {
    if (n > 0) {
      const double high = std::max(lse, b[n]);
      lse = high + std::log1p(std::exp(std::min(lse, b[n]) - high));
      mean += std::exp(b[n] - lse) * (b[n] - mean);
    }
    log_normalizer_[n] = lse;
    h[n] = lse - mean;
  }
}

double number_of(const theory::Expr& closed, const std::string& name) {
  const theory::NoOracle oracle;
  const ExpressionTape program({{name, closed, Shape::scalar}}, theory::Expr(0), {}, oracle);
  TapeEvaluator run(program, 0, 1, 1);
  run.evaluate({}, 0, 1);
  return run.output(0)[0];
}

}  // namespace gpe::model
