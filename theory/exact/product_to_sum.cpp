#include "theory/exact/product_to_sum.h"

#include <vector>

#include "theory/exact/form_functions.h"

namespace gpe::theory {

bool is_circular(const Kernel& kernel) {
  return kernel.kind == Kernel::Kind::sin || kernel.kind == Kernel::Kind::cos;
}

namespace {

constexpr std::int64_t kMaxWaveDegree = 8;
constexpr std::size_t kMaxWaves = 10000;

struct Wave {
  Form amplitude;
  bool is_cosine;
  Form angle;
};

std::vector<Wave> times(const std::vector<Wave>& waves, bool by_cosine, const Form& angle) {
  std::vector<Wave> result;
  for (const Wave& wave : waves) {
    const Form half = Form(Rational(1, 2)) * wave.amplitude;
    const bool is_cosine = wave.is_cosine == by_cosine;
    const bool minus_sum = !by_cosine && !wave.is_cosine;        // sin a sin b
    const bool minus_difference = !by_cosine && wave.is_cosine;  // cos a sin b
    result.push_back({minus_sum ? -half : half, is_cosine, wave.angle + angle});
    result.push_back({minus_difference ? -half : half, is_cosine, wave.angle - angle});
  }
  return result;
}

// Times the sines and cosines that divide a term, which are not zero where the form is defined.
Form without_divisors(Form form) {
  for (const Term& term : form.terms()) {
    for (const KernelPower& power : term.powers) {
      if (is_circular(*power.kernel) && power.exponent.sign() < 0)
        return without_divisors(form * Form::power(power.kernel, -power.exponent));
    }
  }
  return form;
}

}  // namespace

Form product_to_sum(const Form& form) {
  std::vector<Term> result;
  const auto add = [&](const Form& part) {
    for (const Term& term : part.terms()) result.push_back(term);
  };
  for (const Term& term : form.terms()) {
    std::vector<KernelPower> circular;
    Form rest(term.coefficient);
    std::int64_t degree = 0;
    for (const KernelPower& power : term.powers) {
      const auto times = power.exponent.to_int64();
      if (is_circular(*power.kernel) && times && *times > 0 && *times <= kMaxWaveDegree) {
        circular.push_back(power);
        degree += *times;
      } else {
        rest = rest * Form::power(power.kernel, power.exponent);
      }
    }
    if (degree < 2 || degree > kMaxWaveDegree || result.size() > kMaxWaves) {
      result.push_back(term);
      continue;
    }
    std::vector<Wave> waves = {{rest, true, Form(0)}};
    for (const KernelPower& power : circular) {
      for (std::int64_t i = 0; i < *power.exponent.to_int64(); ++i)
        waves = times(waves, power.kernel->kind == Kernel::Kind::cos, power.kernel->argument);
    }
    for (const Wave& wave : waves) add(wave.amplitude * (wave.is_cosine ? cos(wave.angle) : sin(wave.angle)));
  }
  return Form::of_terms(std::move(result));
}

bool cancels(const Form& form) {
  const Form numerator = cleared(form);
  return numerator.is_zero() || cleared(product_to_sum(without_divisors(numerator))).is_zero();
}

}  // namespace gpe::theory
