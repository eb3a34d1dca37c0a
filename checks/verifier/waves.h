// Biases that oscillate: a mean and waves, b = mean + Σ a cos(ω n + φ) + o(1).
// Tests: tests/certificates/hypotheses_test.cpp, tests/certificates/forged_rules.py
#pragma once

#include "checks/verifier/evaluate.h"

namespace gpe::verifier {

/// Whether b stays away from 0 again and again: its mean is positive (or negative, for `literal`), or 0 with
/// one wave unlike the others; no ω is a multiple of 2π. @param law  the evaluator of the law
bool oscillates(const Calculus& calculus, Evaluator law, bool literal);

}  // namespace gpe::verifier
