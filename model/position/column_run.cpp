// The steps of a ColumnProgram forwards (values) and backwards (adjoints).
#include <algorithm>
#include <cassert>
#include <cmath>

#include "model/position/column_step.h"
#include "theory/exact/context.h"
#include "theory/expression/spec_error.h"

namespace gpe::model {

namespace {

using Kind = ColumnProgram::Step::Kind;

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

ColumnRun::ColumnRun(const ColumnProgram& program, std::int64_t first, std::int64_t capacity,
                     std::int64_t blocks, const std::vector<std::size_t>& wanted)
    : program_(&program),
      first_(first),
      capacity_(capacity),
      blocks_(blocks),
      outputs_(program.outputs_.size(), wanted.empty()),
      needed_(program.steps_.size(), false),
      values_(program.steps_.size()),
      adjoints_(program.steps_.size()) {
  assert(capacity >= 1 && blocks >= 1);
  for (const std::size_t k : wanted) outputs_[k] = true;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    if (outputs_[k]) needed_[program.outputs_[k].step] = true;
  }
  for (std::size_t at = needed_.size(); at-- > 0;) {
    if (!needed_[at]) continue;
    values_[at].resize(static_cast<std::size_t>(capacity_of(at)));
    for (const std::size_t operand : program.steps_[at].of) needed_[operand] = true;
  }
  columns_.assign(program.columns_.size(), std::vector<double>(static_cast<std::size_t>(capacity), 0.0));
}

void ColumnRun::set_column(std::size_t k, std::span<const double> numbers) {
  assert(numbers.size() == columns_[k].size());
  columns_[k].assign(numbers.begin(), numbers.end());
  new_columns_ = true;
}

std::int64_t ColumnRun::capacity_of(std::size_t step) const {
  const ColumnProgram::Step& s = program_->steps_[step];
  return (s.by_block ? blocks_ : 1) * (s.by_distance ? capacity_ : 1);
}

// What depends on L is wanted at count_ distances only; the rest stays for later calls, so it is computed at
// all.
ColumnRun::Extent ColumnRun::extent(std::size_t step) const {
  const ColumnProgram::Step& s = program_->steps_[step];
  Extent result;
  if (s.by_distance) {
    result.distances = s.by_length ? count_ : capacity_;
    result.by_distance = 1;
  }
  if (s.by_block) {
    result.blocks = blocks_;
    result.by_block = s.by_distance ? capacity_ : 1;
  }
  return result;
}

void ColumnRun::evaluate(std::span<const double> parameters, double length, std::int64_t count) {
  assert(parameters.size() == program_->parameters_.size() && count >= 1 && count <= capacity_);
  const bool same_parameters = started_ && std::ranges::equal(parameters, parameters_);
  const bool same_length = started_ && length == length_ && count == count_;
  parameters_.assign(parameters.begin(), parameters.end());
  length_ = length;
  count_ = count;
  for (std::size_t at = 0; at < program_->steps_.size(); ++at) {
    const ColumnProgram::Step& step = program_->steps_[at];
    const bool kept = started_ && (!step.by_parameter || same_parameters) &&
                      (!step.by_length || same_length) && !(step.by_column && new_columns_);
    if (needed_[at] && !kept) compute(at);
  }
  started_ = true;
  new_columns_ = false;
  for (std::size_t k = 0; k < outputs_.size(); ++k) {
    if (!outputs_[k]) continue;
    const ColumnProgram::Output& output = program_->outputs_[k];
    const Extent e = extent(output.step);
    for (std::int64_t j = 0; j < e.blocks; ++j) {
      for (std::int64_t n = 0; n < std::min(e.distances, e.by_distance != 0 ? count_ : 1); ++n) {
        const double value = values_[output.step][static_cast<std::size_t>(j * e.by_block + n)];
        if (std::isfinite(value)) continue;
        throw theory::SpecError(output.name + " is " + (std::isnan(value) ? "undefined" : "infinite") +
                                (e.by_distance != 0 ? " at n = " + std::to_string(first_ + n) : ""));
      }
    }
  }
}

std::span<const double> ColumnRun::output(std::size_t k) const { return values_[program_->outputs_[k].step]; }

// Not separated at this many bits means equal, as far as doubles can mean it.
int ColumnRun::settle(const theory::Expr& closed, std::int64_t j, std::int64_t n) const {
  theory::Expr at = substitute(closed, theory::kIndex, theory::Expr(n));
  at = substitute(at, "j", theory::Expr(j));
  at = substitute(at, theory::kLength, theory::Expr(static_cast<std::int64_t>(length_)));
  return program_->oracle_->sign(at, kSettleBits).value_or(0);
}

bool ColumnRun::holds(const ColumnProgram::Step& step, double left, double right, std::int64_t j,
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

double ColumnRun::whole_part(const ColumnProgram::Step& step, double value, std::int64_t j,
                             std::int64_t n) const {
  const double nearest = std::nearbyint(value);
  if (!step.closed || std::abs(nearest) > 1e15 ||
      std::abs(value - nearest) > kNearStep * std::max(1.0, std::abs(value))) {
    return std::floor(value);
  }
  const theory::Expr above = *step.closed - theory::Expr(static_cast<std::int64_t>(nearest));
  return settle(above, j, n) < 0 ? nearest - 1 : nearest;
}

void ColumnRun::compute(std::size_t at) {
  const ColumnProgram::Step& step = program_->steps_[at];
  if (step.kind == Kind::entropy) {
    compute_entropy(at);
    return;
  }
  std::vector<double>& result = values_[at];
  const Extent out = extent(at);
  const auto operand = [&](std::size_t k) {
    const Extent e = extent(step.of[k]);
    return [data = values_[step.of[k]].data(), e](std::int64_t j, std::int64_t n) {
      return data[j * e.by_block + n * e.by_distance];
    };
  };
  const auto fill = [&](const auto& value) {
    for (std::int64_t j = 0; j < out.blocks; ++j) {
      double* row = result.data() + j * out.by_block;
      for (std::int64_t n = 0; n < out.distances; ++n) row[n] = value(j, n);
    }
  };
  const auto unary = [&](const auto& f) {
    fill([&f, x = operand(0)](std::int64_t j, std::int64_t n) { return f(x(j, n)); });
  };
  const auto binary = [&](const auto& f) {
    fill(
        [&f, x = operand(0), y = operand(1)](std::int64_t j, std::int64_t n) { return f(x(j, n), y(j, n)); });
  };
  switch (step.kind) {
    case Kind::number:
      result.front() = step.value;
      break;
    case Kind::distance:
      fill([&](std::int64_t, std::int64_t n) { return static_cast<double>(first_ + n); });
      break;
    case Kind::block:
      fill([](std::int64_t j, std::int64_t) { return static_cast<double>(j); });
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
      break;
  }
}

// lse_n = log Σ_{m<=n} e^{b_m} and E_n, the mean of b under the weights up to n, one m at a time; H = lse -
// E.
void ColumnRun::compute_entropy(std::size_t at) {
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

// dH_n/db_m = -p_n(m) (b_m - E_n) with p_n(m) = e^{b_m - lse_n}, summed over n >= m by two sums from the end:
// U_m = Σ_{n>=m} g_n e^{lse_m - lse_n}, V_m the same with g_n E_n; the adjoint of b_m is -e^{b_m - lse_m}
// (b_m U_m - V_m).
void ColumnRun::propagate_entropy(std::size_t at) {
  const std::size_t of = program_->steps_[at].of[0];
  const std::vector<double>& b = values_[of];
  const std::vector<double>& h = values_[at];
  const std::vector<double>& g = adjoints_[at];
  double u = 0;
  double v = 0;
  for (std::size_t m = b.size(); m-- > 0;) {
    if (m + 1 < b.size()) {
      const double shrink = std::exp(log_normalizer_[m] - log_normalizer_[m + 1]);
      u *= shrink;
      v *= shrink;
    }
    u += g[m];
    v += g[m] * (log_normalizer_[m] - h[m]);
    adjoints_[of][m] -= std::exp(b[m] - log_normalizer_[m]) * (b[m] * u - v);
  }
}

void ColumnRun::back(std::span<const std::span<const double>> adjoints, std::span<double> gradient) {
  assert(adjoints.size() == program_->outputs_.size() && gradient.size() == parameters_.size());
  for (std::size_t at = 0; at < adjoints_.size(); ++at) {
    if (needed_[at] && program_->steps_[at].by_parameter) adjoints_[at].assign(values_[at].size(), 0.0);
  }
  for (std::size_t k = 0; k < adjoints.size(); ++k) {
    const std::size_t at = program_->outputs_[k].step;
    if (!outputs_[k] || adjoints[k].empty() || !program_->steps_[at].by_parameter) continue;
    const Extent e = extent(at);
    for (std::int64_t j = 0; j < e.blocks; ++j) {
      for (std::int64_t n = 0; n < std::min(e.distances, e.by_distance != 0 ? count_ : 1); ++n) {
        const auto slot = static_cast<std::size_t>(j * e.by_block + n);
        adjoints_[at][slot] += adjoints[k][slot];
      }
    }
  }
  for (std::size_t at = program_->steps_.size(); at-- > 0;) {
    if (needed_[at] && program_->steps_[at].by_parameter) propagate(at, gradient);
  }
}

void ColumnRun::propagate(std::size_t at, std::span<double> gradient) {
  const ColumnProgram::Step& step = program_->steps_[at];
  if (step.kind == Kind::parameter) {
    gradient[step.index] += adjoints_[at].front();
    return;
  }
  if (step.kind == Kind::entropy) {
    propagate_entropy(at);
    return;
  }
  const Extent out = extent(at);
  // Adds weight(j, n, slot of the result)·adjoint to operand k. An adjoint of zero adds nothing, whatever the
  // weight: the branch that was not taken may be undefined.
  const auto give = [&](std::size_t k, const auto& weight) {
    if (!program_->steps_[step.of[k]].by_parameter) return;
    const Extent e = extent(step.of[k]);
    double* to = adjoints_[step.of[k]].data();
    for (std::int64_t j = 0; j < out.blocks; ++j) {
      for (std::int64_t n = 0; n < out.distances; ++n) {
        const auto slot = static_cast<std::size_t>(j * out.by_block + n);
        const double g = adjoints_[at][slot];
        if (g != 0) to[j * e.by_block + n * e.by_distance] += g * weight(j, n, slot);
      }
    }
  };
  const auto value = [&](std::size_t k) {
    const Extent e = extent(step.of[k]);
    return [data = values_[step.of[k]].data(), e](std::int64_t j, std::int64_t n) {
      return data[j * e.by_block + n * e.by_distance];
    };
  };
  const std::vector<double>& result = values_[at];
  const auto one = [](std::int64_t, std::int64_t, std::size_t) { return 1.0; };
  using Int = std::int64_t;
  switch (step.kind) {
    case Kind::add:
      give(0, one);
      give(1, one);
      break;
    case Kind::multiply:
      give(0, [y = value(1)](Int j, Int n, std::size_t) { return y(j, n); });
      give(1, [x = value(0)](Int j, Int n, std::size_t) { return x(j, n); });
      break;
    case Kind::power:
      give(0, [x = value(0), y = value(1)](Int j, Int n, std::size_t) {
        return y(j, n) == 0 ? 0.0 : y(j, n) * std::pow(x(j, n), y(j, n) - 1);
      });
      give(1, [&, x = value(0)](Int j, Int n, std::size_t slot) {
        return x(j, n) > 0 ? result[slot] * std::log(x(j, n)) : 0.0;
      });
      break;
    case Kind::log:
      give(0, [x = value(0)](Int j, Int n, std::size_t) { return 1 / x(j, n); });
      break;
    case Kind::exp:
      give(0, [&](Int, Int, std::size_t slot) { return result[slot]; });
      break;
    case Kind::abs:
      give(0, [x = value(0)](Int j, Int n, std::size_t) { return x(j, n) < 0 ? -1.0 : 1.0; });
      break;
    case Kind::sin:
      give(0, [x = value(0)](Int j, Int n, std::size_t) { return std::cos(x(j, n)); });
      break;
    case Kind::cos:
      give(0, [x = value(0)](Int j, Int n, std::size_t) { return -std::sin(x(j, n)); });
      break;
    case Kind::min:
      give(0,
           [x = value(0), y = value(1)](Int j, Int n, std::size_t) { return y(j, n) < x(j, n) ? 0.0 : 1.0; });
      give(1,
           [x = value(0), y = value(1)](Int j, Int n, std::size_t) { return y(j, n) < x(j, n) ? 1.0 : 0.0; });
      break;
    case Kind::max:
      give(0,
           [x = value(0), y = value(1)](Int j, Int n, std::size_t) { return y(j, n) > x(j, n) ? 0.0 : 1.0; });
      give(1,
           [x = value(0), y = value(1)](Int j, Int n, std::size_t) { return y(j, n) > x(j, n) ? 1.0 : 0.0; });
      break;
    case Kind::choose: {
      const auto chosen = [&, left = value(0), right = value(1)](Int j, Int n) {
        return holds(step, left(j, n), right(j, n), j, first_ + n);
      };
      give(2, [&](Int j, Int n, std::size_t) { return chosen(j, n) ? 1.0 : 0.0; });
      give(3, [&](Int j, Int n, std::size_t) { return chosen(j, n) ? 0.0 : 1.0; });
      break;
    }
    case Kind::spread:
      give(0, one);
      break;
    case Kind::floor:  // constant almost everywhere, as is a choice of an entry
    case Kind::entry:
    case Kind::number:
    case Kind::distance:
    case Kind::block:
    case Kind::length:
    case Kind::parameter:
    case Kind::column:
    case Kind::entropy:
      break;
  }
}

}  // namespace gpe::model
