// The largest value of a trigonometric polynomial on a torus: in closed form, or between bounds.
// Tests: tests/theory/asymptotics/limit_points_test.cpp
#pragma once

#include <optional>
#include <vector>

#include "theory/exact/context.h"

namespace gpe::theory {

/// cosine·cos(k·θ) + sine·sin(k·θ), not zero, with k in Z^r.
struct Harmonic {
  std::vector<Rational> k;
  Form cosine;
  Form sine;
};

/// low <= maximum <= high; the same where it is known exactly.
struct MaximumBounds {
  Form low;
  Form high;
};

/// √(cosine² + sine²)
Form amplitude(const Form& cosine, const Form& sine, const Context& context);

/// Of Σ waves over θ in R^r. Each k occurs once, up to sign, and the first r of them are multiples of the r
/// unit vectors. Exact for one wave; for those of one θ up to 3 times as fast that are a polynomial in one
/// cosine; and where all reach their amplitudes together at quarter turns of the first r. Nothing for several
/// waves with free parameters.
/// @throws as Context::sign
std::optional<MaximumBounds> maximum(const std::vector<Harmonic>& waves, const Context& context);

}  // namespace gpe::theory
