// What a model has before anything was learned. Tests: tests/model/gpt/transformer_test.cpp
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/gpt/torch.h"
#include "model/position/positions.h"

namespace gpe::model {

/// Box and Muller's normal numbers, from the seed and the tensor's place (`stream`) alone.
void fill_normal(const at::Tensor& tensor, double mean, double deviation, std::uint64_t seed,
                 std::uint64_t stream);

/// The entropy of n + 1 equal weights times the bias, by [layer][head][n]: what alpha = "measured" begins
/// with, before anything was measured.
std::vector<double> bias_entropies(const Positions& positions, std::span<const double> raw,
                                   std::int64_t context);

}  // namespace gpe::model
