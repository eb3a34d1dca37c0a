// Exact laws of the content under `sphere`: q and the keys independent and uniform on spheres in R^d
// (docs/readings.md). x = qᵀk/(|q||k|) has the density ∝ (1 - x²)^((d-3)/2) on [-1, 1].
// Tests: tests/checks/content/content_laws_test.cpp
#pragma once

#include "theory/score/score_function.h"

namespace gpe::theory {

/// E x^(2k) = 1·3·…·(2k-1)/(d(d+2)…(d+2k-2)); odd moments vanish. @pre d >= 1, k >= 0.
Rational sphere_moment(std::int64_t d, std::int64_t k);

/// The coefficient of u^(2k) in E e^{ux} = 0F1(; d/2; u²/4): 1/(4^k k! (d/2)(d/2+1)…(d/2+k-1)).
Rational sphere_mgf_coefficient(std::int64_t d, std::int64_t k);

/// Var A(n) = f(n)² s² ‖W(n)‖_F²/d², s = |q||k|/√d, for every W; for W = σ(n)·orthogonal this is f² w² s²/d.
/// An expression in n.
/// @param scale  s
/// @throws Undecided  under a soft cap
Expr sphere_variance(const ScoreFunction& law, const Expr& scale);

}  // namespace gpe::theory
