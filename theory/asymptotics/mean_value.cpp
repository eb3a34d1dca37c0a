#include "theory/asymptotics/mean_value.h"

#include "theory/asymptotics/waves.h"

namespace gpe::theory {

std::optional<bool> is_whole_turn(const Form& angle, const Context& context) {
  if (angle.is_zero()) return true;
  const Form turns = angle * Form::power(Kernel::pi(), -1) * Form(Rational(1, 2));
  if (const Rational* number = turns.rational()) return number->is_integer();
  if (angle.rational() != nullptr) return false;  // a nonzero rational is not a multiple of the irrational 2π
  if (angle.has_symbols()) {
    // between 0 and 2π in size, whatever the parameters are
    const Form two_pi = Form(2) * Form::power(Kernel::pi());
    const SignSet below = context.constraints().signs(angle);
    if (below.zero || (below.negative && below.positive)) return std::nullopt;
    const Form magnitude = below.negative ? -angle : angle;
    // 6 < 2π keeps the comparison rational
    const SignSet gap = context.constraints().signs(Form(6) - magnitude);
    if (!gap.negative && !gap.zero) return false;
    return std::nullopt;
  }
  const auto interval = context.enclose(turns, 256);
  if (!interval) return std::nullopt;
  if (interval->low.floor() == interval->high.floor() && interval->low > interval->low.floor()) return false;
  if (cleared(turns - Form(interval->high.floor())).is_zero()) return true;
  return std::nullopt;
}

std::optional<MeanValue> mean_value(const Expr& score, const Context& context) {
  const auto sum = wave_sum(score, context);
  if (!sum) return std::nullopt;
  MeanValue result{sum->mean, false};
  std::vector<Form> frequencies;
  for (const Wave& wave : sum->waves) {
    if (is_whole_turn(wave.frequency, context) != false) return std::nullopt;
    frequencies.push_back(wave.frequency);
  }
  // One frequency that no other equals, up to sign and whole turns, has a positive mean square of its own.
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    bool alone = is_whole_turn(Form(2) * frequencies[i], context) == false;
    for (std::size_t k = 0; k < frequencies.size() && alone; ++k) {
      if (k == i) continue;
      alone = is_whole_turn(frequencies[i] - frequencies[k], context) == false &&
              is_whole_turn(frequencies[i] + frequencies[k], context) == false;
    }
    if (alone) {
      result.has_oscillation = true;
      break;
    }
  }
  return result;
}

}  // namespace gpe::theory
