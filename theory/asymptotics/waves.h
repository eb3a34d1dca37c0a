// Trigonometric sums in an expression near infinity, wave by wave.
// Tests: tests/theory/asymptotics/limit_points_test.cpp
#pragma once

#include <optional>
#include <vector>

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::theory {

/// cosine·cos(angle) + sine·sin(angle), angle = frequency·n + a constant; not zero.
struct Wave {
  Form angle;
  Form cosine;
  Form sine;
  Form frequency;
};

/// expression(n) = mean + Σ waves + o(1), each angle once.
struct WaveSum {
  Form mean;
  std::vector<Wave> waves;
};

/// Nothing when the expression is not of that shape. @throws as `limit`
std::optional<WaveSum> wave_sum(const Expr& expression, const Context& context);

/// The same sum with each frequency once: of waves whose angles differ by a constant, or add up to one, the
/// first takes the others in.
std::vector<Wave> each_frequency_once(const std::vector<Wave>& waves, const Context& context);

/// The normal form for large n, without whole turns in sines and cosines and with their products as sums.
Form form_near_infinity(const Expr& expression, const Context& context);

/// The product of a sine or cosine of n with something, without it: what may be its amplitude; nothing when
/// there is none, or more than one.
std::optional<Form> amplitude_of(const Term& term);

}  // namespace gpe::theory
