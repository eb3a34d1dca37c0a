// The score of one query and one key at a distance, certified: what a kernel must compute.
// Tests: tests/checks/testing/testing_test.cpp
#pragma once

#include <span>
#include <vector>

#include "checks/arb/ball.h"
#include "theory/score/score_function.h"

namespace gpe::checks {

/// Numbers as a computer holds them, exactly. @pre finite
std::vector<Ball> exact_balls(std::span<const double> numbers);

/// A(n) = f(n) cap(qᵀ W(n) k/√d) + b(n) of the last query of n + 1 … tokens: L is its index.
/// @param law  with its parameters' values in (theory::at_values)
/// @param q, k  d numbers each
/// @param n  law.first <= n <= L
/// @throws theory::Undecided  an angle with H(n), or with a measured alpha: it depends on more than n
Ball score_at(const theory::ScoreFunction& law, std::span<const Ball> q, std::span<const Ball> k,
              std::int64_t n, std::int64_t length, long bits);

/// cap tanh(x/cap). @pre cap > 0
Ball capped(const Ball& x, const Ball& cap, long bits);

}  // namespace gpe::checks
