#include "checks/growth_error.h"

#include <algorithm>

#include "checks/decimal.h"
#include "checks/expr_ball.h"
#include "theory/expr_print.h"
#include "theory/form_expr.h"

namespace gpe::checks {

using theory::Expr;
using theory::Rational;

namespace {

std::optional<Ball> value_at(const Expr& law, const Rational& length, long bits) {
  const Ball value = evaluate(law, {{theory::kLength, Ball(length, bits)}}, bits);
  return value.is_finite() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<std::string> GrowthLaw::z_text(int digits) const {
  if (frozen_) return proved_decimal(frozen_->z_over_length, digits).text + "*L";
  if (laws_.z) return theory::to_text(*laws_.z);
  return std::nullopt;
}

std::optional<std::string> GrowthLaw::entropy_text(int digits) const {
  if (frozen_) {
    const bool negative = frozen_->entropy_less_log.surely_negative();
    const Ball size = negative ? neg(frozen_->entropy_less_log) : frozen_->entropy_less_log;
    return (negative ? "log(L) - " : "log(L) + ") + proved_decimal(size, digits).text;
  }
  if (laws_.entropy) return theory::to_text(*laws_.entropy);
  return std::nullopt;
}

std::optional<Ball> GrowthLaw::z_error(const Ball& z, const Rational& length, long bits) const {
  std::optional<Ball> law;
  if (frozen_) {
    law = mul(frozen_->z_over_length, Ball(length, bits), bits);
  } else if (laws_.z) {
    law = value_at(*laws_.z, length, bits);
  }
  if (!law || !law->surely_positive()) return std::nullopt;
  return sub(div(z, *law, bits), Ball(1), bits);
}

std::optional<Ball> GrowthLaw::entropy_error(const Ball& entropy, const Rational& length, long bits) const {
  std::optional<Ball> law;
  if (frozen_) {
    law = add(frozen_->entropy_less_log, log(Ball(length, bits), bits), bits);
  } else if (laws_.entropy) {
    law = value_at(*laws_.entropy, length, bits);
  }
  if (!law) return std::nullopt;
  return sub(entropy, *law, bits);
}

std::optional<FrozenGrowth> frozen_growth_of(const theory::Law& law, std::uint64_t seed,
                                             const Rational& bound, long bits,
                                             const theory::ConstantOracle& oracle) {
  const theory::Context context(oracle);
  const bool turns = law.transform == theory::Transform::rotation && law.has_content && !law.softcap &&
                     !law.window && law.rotation.alpha == theory::Alpha::absent;
  if (!turns || law.depends_on_length() || law.gain.mentions(theory::kIndex)) return std::nullopt;
  try {
    if (!context.is_zero(to_form(law.bias, context))) return std::nullopt;
    std::vector<Ball> frequencies;
    for (std::int64_t j = 0; j < law.head_dim / 2; ++j) {
      const Expr frequency =
          simplify(substitute(law.rotation.angle, "j", Expr(j)) / Expr::symbol(theory::kIndex), context);
      if (frequency.mentions(theory::kIndex)) return std::nullopt;
      const Ball value = evaluate(frequency, {}, bits);
      if (!value.is_finite() || !value.surely_nonzero()) return std::nullopt;
      if (std::ranges::any_of(frequencies,
                              [&](const Ball& other) { return abs(other).overlaps(abs(value)); }))
        return std::nullopt;
      frequencies.push_back(value);
    }
    const Ball gain = evaluate(law.gain, {}, bits);
    if (!gain.is_finite()) return std::nullopt;
    return frozen_growth(frozen_pair(seed, law.head_dim), law.rotation.layout,
                         mul(gain, Ball(bound, bits), bits), bits);
  } catch (const theory::Undecided&) {
    return std::nullopt;
  }
}

}  // namespace gpe::checks
