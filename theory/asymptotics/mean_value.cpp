#include "theory/asymptotics/mean_value.h"

#include <algorithm>

#include "theory/asymptotics/limit.h"
#include "theory/asymptotics/near_infinity.h"
#include "theory/exact/form_expr.h"

namespace gpe::theory {

std::optional<bool> is_whole_turn(const Form& angle, const Context& context) {
  if (angle.is_zero()) return true;
  const Form turns = angle * Form::power(Kernel::pi(), -1) * Form(Rational(1, 2));
  if (const Rational* number = turns.rational()) return number->is_integer();
  if (angle.rational() != nullptr) return false;  // a nonzero rational is no multiple of the irrational 2π
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

namespace {

// ω and φ of an angle ω·n + φ; nothing when it is not linear in n.
std::optional<std::pair<Form, Form>> linear_angle(const Form& angle) {
  Form slope;
  Form offset;
  for (const Term& term : angle.terms()) {
    const Form part = Form::of_terms({term});
    if (!part.mentions(kIndex)) {
      offset = offset + part;
      continue;
    }
    const Form rate = part * Form::power(Kernel::symbol(kIndex), -1);
    if (rate.mentions(kIndex)) return std::nullopt;
    slope = slope + rate;
  }
  return std::pair(slope, offset);
}

}  // namespace

namespace {

// a cos(angle) + b sin(angle).
struct Wave {
  Form angle;
  Form cosine;
  Form sine;
};

}  // namespace

std::optional<MeanValue> mean_value(const Expr& score, const Context& context) {
  MeanValue result{Form(0), false};
  std::vector<Wave> waves;
  for (const Term& term : to_form(near_infinity(score, context), context).terms()) {
    const Form part = Form::of_terms({term});
    if (!part.mentions(kIndex)) {
      result.mean = result.mean + part;
      continue;
    }
    const auto circular = std::ranges::find_if(term.powers, [](const KernelPower& power) {
      const auto kind = power.kernel->kind;
      return (kind == Kernel::Kind::sin || kind == Kernel::Kind::cos) &&
             power.kernel->argument.mentions(kIndex);
    });
    if (circular == term.powers.end()) {
      const LimitBounds bounds = limit(to_expr(part), context);
      if (!bounds.settled() || bounds.low.kind != Limit::Kind::finite) return std::nullopt;
      result.mean = result.mean + bounds.low.value;
      continue;
    }
    const Form amplitude = part * Form::power(circular->kernel, -circular->exponent);
    if (!circular->exponent.is_one() || amplitude.mentions(kIndex)) return std::nullopt;
    const Form& angle = circular->kernel->argument;
    auto wave = std::ranges::find(waves, angle, &Wave::angle);
    if (wave == waves.end()) wave = waves.insert(waves.end(), {angle, Form(0), Form(0)});
    Form& side = circular->kernel->kind == Kernel::Kind::cos ? wave->cosine : wave->sine;
    side = side + amplitude;
  }
  std::vector<Form> frequencies;
  for (const Wave& wave : waves) {
    const bool absent = wave.sine.is_zero()     ? context.is_zero(wave.cosine)
                        : wave.cosine.is_zero() ? context.is_zero(wave.sine)
                                                : context.is_zero(wave.cosine * wave.cosine + wave.sine * wave.sine);
    if (absent) continue;
    const auto angle = linear_angle(wave.angle);
    if (!angle || is_whole_turn(angle->first, context) != false) return std::nullopt;
    frequencies.push_back(angle->first);
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
