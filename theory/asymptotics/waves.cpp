#include "theory/asymptotics/waves.h"

#include <algorithm>

#include "theory/asymptotics/asymptotic_enclosure.h"
#include "theory/asymptotics/limit.h"
#include "theory/asymptotics/near_infinity.h"
#include "theory/exact/attempt.h"
#include "theory/exact/form_expr.h"
#include "theory/exact/form_functions.h"
#include "theory/exact/product_to_sum.h"

namespace gpe::theory {

namespace {

bool oscillates(const KernelPower& power) {
  return is_circular(*power.kernel) && power.kernel->argument.mentions(kIndex);
}

// The rate of an angle that is linear in n.
std::optional<Form> rate_of(const Form& angle) {
  Form rate;
  for (const Term& term : angle.terms()) {
    const Form part = Form::of_terms({term});
    if (!part.mentions(kIndex)) continue;
    rate = rate + part * Form::power(Kernel::symbol(kIndex), -1);
  }
  return rate.mentions(kIndex) ? std::nullopt : std::optional(rate);
}

bool is_absent(const Wave& wave, const Context& context) {
  if (wave.sine.is_zero()) return context.is_zero(wave.cosine);
  if (wave.cosine.is_zero()) return context.is_zero(wave.sine);
  return context.is_zero(product_to_sum(wave.cosine * wave.cosine + wave.sine * wave.sine));
}

}  // namespace

Form form_near_infinity(const Expr& expression, const Context& context) {
  const Expr settled = rewrite(near_infinity(expression, context), [&](const Expr& e) {
    const auto* called = e.as<node::Call>();
    if (called == nullptr || (called->function != Function::sin && called->function != Function::cos))
      return e;
    return call(called->function,
                {to_expr(without_whole_turns(to_form(called->arguments.front(), context)))});
  });
  return product_to_sum(to_form(settled, context));
}

std::optional<Form> amplitude_of(const Term& term) {
  const auto circular = std::ranges::find_if(term.powers, oscillates);
  if (circular == term.powers.end() || !circular->exponent.is_one()) return std::nullopt;
  const Form rest = Form::of_terms({term}) * Form::power(circular->kernel, -1);
  const bool alone = std::ranges::none_of(circular + 1, term.powers.end(), oscillates);
  return alone ? std::optional(rest) : std::nullopt;
}

std::optional<WaveSum> wave_sum(const Expr& expression, const Context& context) {
  WaveSum result;
  for (const Term& term : form_near_infinity(expression, context).terms()) {
    const Form part = Form::of_terms({term});
    const std::optional<Form> amplitude = amplitude_of(term);
    if (!amplitude || varies(*amplitude)) {
      const auto bounds = attempt_in_time([&] { return limit(to_expr(part), context); });
      if (!bounds || !bounds->settled() || bounds->low.kind != Limit::Kind::finite) return std::nullopt;
      result.mean = result.mean + bounds->low.value;
      continue;
    }
    const Kernel& kernel = *std::ranges::find_if(term.powers, oscillates)->kernel;
    auto wave = std::ranges::find(result.waves, kernel.argument, &Wave::angle);
    if (wave == result.waves.end()) {
      const auto rate = rate_of(kernel.argument);
      if (!rate) return std::nullopt;
      wave = result.waves.insert(result.waves.end(), {kernel.argument, Form(0), Form(0), *rate});
    }
    Form& side = kernel.kind == Kernel::Kind::cos ? wave->cosine : wave->sine;
    side = side + *amplitude;
  }
  std::erase_if(result.waves, [&](const Wave& wave) { return is_absent(wave, context); });
  return result;
}

std::vector<Wave> each_frequency_once(const std::vector<Wave>& waves, const Context& context) {
  std::vector<Wave> result;
  for (const Wave& wave : waves) {
    const auto constant = [&](const Wave& other, int turn) {
      return !(wave.angle - Form(turn) * other.angle).mentions(kIndex);
    };
    const auto same = std::ranges::find_if(
        result, [&](const Wave& other) { return constant(other, 1) || constant(other, -1); });
    if (same == result.end()) {
      result.push_back(wave);
      continue;
    }
    const Form turn = constant(*same, 1) ? Form(1) : Form(-1);
    const Form phase = wave.angle - turn * same->angle;
    same->cosine = same->cosine + wave.cosine * cos(phase) + wave.sine * sin(phase);
    same->sine = same->sine + turn * (wave.sine * cos(phase) - wave.cosine * sin(phase));
  }
  std::erase_if(result, [&](const Wave& wave) { return is_absent(wave, context); });
  return result;
}

}  // namespace gpe::theory
