// How many keys each head of a trained model needs, with proof.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/training/checkpoint.h"
#include "theory/source/rational.h"

namespace gpe::model {

/// |q||k|/√d of each head, by [layer][head], for every input: queries and keys are linear maps of a
/// normalized vector, whose Euclidean norm is at most √width, so |q| <= √width·‖W_q diag(γ)‖₂ + |W_q β + b|,
/// in exact arithmetic. The singular values are computed in double precision and rounded up by 1e-9 of
/// themselves.
std::vector<std::vector<double>> content_bounds(const LoadedModel& model);

/// |q||k|/√d of each head for what a cache has read: greatest query times greatest key, those that were
/// dropped included, rounded up by 1e-9. Proves something of that text alone (a posteriori).
std::vector<std::vector<double>> content_bounds(const LoadedModel& model, const KeyValueCache& cache);

/// W(ε) + 1 keys of each head (docs/readings.md): what is left out has weight at most ε in every row,
/// whatever is read.
/// @param model   whose heads see what their encoding lets them: its windows are not in question
/// @param bounds  by [layer][head]
/// @throws theory::SpecError  a head whose weights do not sum up, or where W is not determined: it names the
/// head and says why
std::vector<std::vector<std::int64_t>> certified_keys(const LoadedModel& model,
                                                      const theory::Rational& epsilon,
                                                      const std::vector<std::vector<double>>& bounds,
                                                      const theory::ConstantOracle& oracle);

/// From now on `model` has this encoding, and no head sees more than `keys`, by [layer][head].
void restrict_keys(LoadedModel& model, const EncodingFiles& encoding,
                   const std::vector<std::vector<std::int64_t>>& keys, const theory::ConstantOracle& oracle);

/// "weights": from the weights; or a number, the same for every head, which is assumed and not proved.
/// @throws theory::SpecError
std::vector<std::vector<double>> content_bounds_option(const std::string& text, const LoadedModel& model);
/// "1e-4". @throws theory::SpecError  not between 0 and 1
theory::Rational epsilon_option(const std::string& text);

}  // namespace gpe::model
