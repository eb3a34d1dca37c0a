// Gradients and numbers of one step, added up over the ranks that train together.
#pragma once

#include <span>
#include <vector>

#include "model/gpt/transformer.h"
#include "model/training/ranks.h"

namespace gpe::model {

class GradientSum {
 public:
  /// @param model  must outlive the result
  GradientSum(const Transformer& model, Ranks& ranks);

  /// Every gradient of the model becomes its sum over all ranks, in one exchange; so do the numbers.
  void operator()(std::span<double> numbers);
  /// Whether all ranks have the same weights, to the bit.
  bool same_weights();

 private:
  std::vector<at::Tensor> weights_;
  Ranks& ranks_;
  std::vector<float> flat_;
  std::vector<double> exact_;
};

}  // namespace gpe::model
