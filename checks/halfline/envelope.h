// Bounds of a score without its floors and oscillations.
#pragma once

#include "theory/exact/context.h"
#include "theory/expression/expr.h"

namespace gpe::checks {

/// below(x) <= A(x) <= above(x) for every real x >= from where A is defined.
struct Envelope {
  theory::Expr below;
  theory::Expr above;
};

/// Whether n occurs in e in the arguments of sines and cosines alone.
bool is_wave(const theory::Expr& e);

/// Each floor(g) replaced by an end of (g - 1, g], and what is made of sines and cosines of n alone, such as
/// log(1 + sin(n)^2), by an end of its range.
/// @throws theory::Undecided  unless A is affine in each of them, with a factor whose sign is proved on
/// [from, ∞)
Envelope envelope(const theory::Expr& score, const theory::Rational& from, const theory::Context& context);

}  // namespace gpe::checks
