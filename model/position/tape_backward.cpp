// Adjoints of the steps of an expression tape. Tests: tests/model/position/expression_tape_test.cpp
#include <cmath>

#include "checks/arb/special_double.h"
#include "model/position/tape_step.h"

namespace gpe::model {

using checks::special_slope;
using Kind = ExpressionTape::Step::Kind;

// Adds weight(j, n, slot of the result)·adjoint to operand k. An adjoint of zero adds nothing, whatever the
// weight: the branch that was not taken may be undefined.
template <class Weight>
void TapeEvaluator::give_adjoint(std::size_t at, std::size_t k, const Weight& weight) {
  const std::size_t operand = program_->steps_[at].of[k];
  if (!program_->steps_[operand].by_parameter) return;
  const Extent out = extent(at);
  const Extent e = extent(operand);
  double* to = adjoints_[operand].data();
  for (std::int64_t j = 0; j < out.blocks; ++j) {
    for (std::int64_t n = 0; n < out.distances; ++n) {
      const auto slot = static_cast<std::size_t>(j * out.by_block + n);
      const double g = adjoints_[at][slot];
      if (g != 0) to[j * e.by_block + n * e.by_distance] += g * weight(j, n, slot);
    }
  }
}

void TapeEvaluator::propagate(std::size_t at, std::span<double> gradient) {
  const ExpressionTape::Step& step = program_->steps_[at];
  const auto give = [&](std::size_t k, const auto& weight) { give_adjoint(at, k, weight); };
  const auto value = [&](std::size_t k) { return values_of(step.of[k]); };
  const std::vector<double>& result = values_[at];
  const auto one = [](std::int64_t, std::int64_t, std::size_t) { return 1.0; };
  using Int = std::int64_t;
  switch (step.kind) {
    case Kind::parameter:
      gradient[step.index] += adjoints_[at].front();
      break;
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
    case Kind::special:
      give(0, [&, x = value(0)](Int j, Int n, std::size_t) {
        return special_slope(step.function, step.order, x(j, n));
      });
      break;
    case Kind::min:
    case Kind::max: {
      const auto second = [x = value(0), y = value(1), least = step.kind == Kind::min](Int j, Int n) {
        return least ? y(j, n) < x(j, n) : y(j, n) > x(j, n);
      };
      give(0, [&](Int j, Int n, std::size_t) { return second(j, n) ? 0.0 : 1.0; });
      give(1, [&](Int j, Int n, std::size_t) { return second(j, n) ? 1.0 : 0.0; });
      break;
    }
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
    case Kind::floor:  // constant almost everywhere, like the choice of an entry
    case Kind::entry:
    case Kind::number:
    case Kind::distance:
    case Kind::block:
    case Kind::length:
    case Kind::column:
      break;
    case Kind::entropy:
      propagate_entropy(at);
      break;
  }
}

// dH_n/db_m = -p_n(m) (b_m - E_n) with p_n(m) = e^{b_m - lse_n}, summed over n >= m by two sums from the end:
// U_m = Σ_{n>=m} g_n e^{lse_m - lse_n}, V_m the same with g_n E_n; the adjoint of b_m is -e^{b_m - lse_m}
// (b_m U_m - V_m).
void TapeEvaluator::propagate_entropy(std::size_t at) {
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

}  // namespace gpe::model
