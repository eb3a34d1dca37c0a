// The last linear map and the cross entropy in one step: the logits of all tokens are never in memory
// together.
#pragma once

#include "model/gpt/torch.h"

namespace gpe::model {

/// scale·Σ_i loss_i with loss_i = -log softmax(x_i Wᵀ)[target_i], in nats. The gradients come with the
/// forward pass.
/// @param x        [tokens, width], float32, float64 or bfloat16: the type of the matrix products
/// @param weight   [vocabulary, width], float32 or float64
/// @param targets  [tokens], int64
/// @return a float64 scalar
at::Tensor head_loss(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& targets, double scale);

/// loss_i of every token, float64, without differentiation.
at::Tensor token_losses(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& targets);

}  // namespace gpe::model
