// The backward pass of one pair of a query and a key, from its content and from ∂loss/∂p, where the loss may
// read the output, the log-normalizer and the entropy of a row (attention.h).
// Tests: tests/cuda/gradient_kernels_test.cpp
#pragma once

#include "model/cuda/score_tile.h"

namespace gpe::cuda {

/// What the backward pass knows of a row: ∂loss/∂A = p·(∂loss/∂p - delta + by_score·(A - log_normalizer)).
struct RowOfLoss {
  Lanes<float> log_normalizer;  ///< times log2 e
  Lanes<float> delta;
  Lanes<float> by_score;
};

struct PairGradient {
  Lanes<float> weight;      ///< p
  Lanes<float> by_score;    ///< ∂loss/∂A
  Lanes<float> by_gain;     ///< ∂loss/∂gain(n)
  Lanes<float> by_content;  ///< ∂loss/∂(q'W(n)k), with gain, soft cap and 1/√d
};

/// @param gain, bias  times log2 e
/// @param by_weight   ∂loss/∂p
GPE_KERNEL PairGradient pair_gradient(Lanes<float> content, Lanes<float> by_weight, Lanes<float> gain,
                                      Lanes<float> bias, const RowOfLoss& row, float scale, float softcap) {
  content *= Lanes<float>(scale);
  Lanes<float> slope(scale * kLn2);
  if (softcap > 0) {
    const Lanes<float> t = tanh_of(content * Lanes<float>(1 / softcap));
    content = Lanes<float>(softcap) * t;
    slope *= Lanes<float>(1.0F) - t * t;
  }
  const Lanes<float> below = multiply_add(gain, content, bias) - row.log_normalizer;
  PairGradient result;
  result.weight = exp2_of(below);
  result.by_score = result.weight * (by_weight - row.delta + row.by_score * Lanes<float>(kLn2) * below);
  result.by_gain = result.by_score * content;
  result.by_content = result.by_score * gain * slope;
  return result;
}

}  // namespace gpe::cuda
