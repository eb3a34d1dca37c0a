// One thread, one row: what the backward pass knows of a query before it looks at keys.
// Tests: tests/cuda/cross_entropy_kernel_test.cpp
#pragma once

#include "model/cuda/gradient_problem.h"

namespace gpe::cuda {

template <class Element>
GPE_KERNEL float row_product(const Element* a, const Element* b, int count) {
  float sum = 0;
  for (int c = 0; c < count; ++c) sum += Planes<Element>::value(a[c]) * Planes<Element>::value(b[c]);
  return sum;
}

/// delta and by_score of ∂loss/∂A = p·(∂loss/∂p - delta + by_score·(A - log_normalizer)).
struct LossOfRow {
  float delta, by_score;
};

/// @param product         output·∂loss/∂output
/// @param sink            times log2 e; -2e30 without one
/// @param log_normalizer  minus infinity where the row sees nothing
/// @param by_normalizer, by_entropy  ∂loss/∂ either; 0 where the loss does not read it
GPE_KERNEL LossOfRow loss_of_row(float product, float sink, float log_normalizer, float entropy,
                                 float by_normalizer, float by_entropy) {
  if (!(log_normalizer > -INFINITY)) return {0, 0};
  LossOfRow result{product - by_normalizer, 0};
  const float tokens = -expm1f(sink * kLn2 - log_normalizer);  // the part of the weight that tokens have
  if (by_entropy != 0 && tokens > 0) {
    // ∂H/∂A_j = -p_j/tokens·(A_j - log_normalizer of the tokens + H)
    result.by_score = -by_entropy / tokens;
    result.delta -= result.by_score * (entropy - logf(tokens));
  }
  return result;
}

}  // namespace gpe::cuda
