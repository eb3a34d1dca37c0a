// AdamW with decoupled weight decay (Loshchilov and Hutter, ICLR 2019, algorithm 2), on matrices and tables
// only, as nanoGPT has it. Tests: tests/model/pytorch_reference_test.py, tests/model/gpt/transformer_test.cpp
#pragma once

#include <cstdint>
#include <vector>

#include "model/gpt/transformer.h"

namespace gpe::model {

class AdamW {
 public:
  /// @param model  must outlive the result
  AdamW(const Transformer& model, const TsmConfig::Training& training);

  /// Scales all gradients by min(1, most/(norm + 1e-6)); 0: leaves them.
  /// @return  the Euclidean norm of all gradients together, before
  double clip(double most);
  /// One update from the gradients, which are gone afterwards.
  /// @param step  1 for the first: the bias correction depends on it
  void step(double learning_rate, std::int64_t step);

  /// The same on a device, for all but the learned numbers of the encoding, without waiting for it; gradients
  /// stay. Steps are counted there, from what count_steps said.
  /// @param learning_rate  a float32 scalar there
  void step_on_device(const at::Tensor& learning_rate);
  /// So many were done.
  void count_steps(std::int64_t done);
  /// One update of the learned numbers of the encoding alone, as step.
  void step_raw(double learning_rate, std::int64_t step);

  /// The two moments of every weight: "first.NAME", "second.NAME".
  const std::vector<NamedTensor>& moments() const { return moments_; }

 private:
  struct Group {
    std::vector<at::Tensor> weights, first, second;
    std::vector<at::Tensor> steps;  ///< on a device
    double decay = 0;
  };
  void step(Group& group, double learning_rate, std::int64_t step);

  std::vector<Group> groups_;
  std::vector<NamedTensor> moments_;
  double beta1_, beta2_;
};

}  // namespace gpe::model
