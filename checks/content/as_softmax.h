// Weights of a normalizer as those of a softmax, with other scores.
#pragma once

#include <optional>

#include "theory/score/score_function.h"

namespace gpe::checks {

/// The law whose softmax are the weights, with contents up to `bound` (0: without content); nothing where
/// there is none. Weights of sigmoid are those of scores log σ(A), which rise with A: where A(n) is anywhere
/// between b - a and b + a, they are anywhere between log σ(b - a) and log σ(b + a).
std::optional<theory::ScoreFunction> as_softmax(const theory::ScoreFunction& law,
                                                const theory::Rational& bound);

}  // namespace gpe::checks
