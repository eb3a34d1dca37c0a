#include "checks/arb/double_double.h"
// Tests: tests/checks/sums/family_quick_test.cpp
#include "checks/arb/result_of.h"

namespace gpe::checks {

namespace {

constexpr long kBits = 256;

double nearest_double(const Ball& value) { return arf_get_d(arb_midref(value.raw()), ARF_RND_NEAR); }

Ball exactly(double value) { return result_of<Ball>(arb_set_d, value); }

}  // namespace

DoubleDouble nearest(const Ball& value) {
  const double high = nearest_double(value);
  return {high, nearest_double(sub(value, exactly(high), kBits))};
}

ExpMinus::ExpMinus() {
  const Ball step = div(log(Ball(2), kBits), Ball(64), kBits);
  const double scale = 0x1p40;  // log(2)/64 < 2^-6: 34 bits
  step_high_ = std::nearbyint(nearest_double(step) * scale) / scale;
  step_ = nearest(sub(step, exactly(step_high_), kBits));
  for (std::size_t j = 0; j < powers_.size(); ++j) {
    powers_[j] = nearest(exp(mul(step, Ball(static_cast<std::int64_t>(j)), kBits), kBits));
  }
  for (std::size_t q = 0; q < scales_.size(); ++q) scales_[q] = std::ldexp(1.0, -static_cast<int>(q));
}

}  // namespace gpe::checks
