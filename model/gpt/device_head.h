// The last linear map and the cross entropy on a device (head_loss.h is that of the CPU): the logits of
// all tokens are never in memory together.
#pragma once

#include "model/gpt/accelerator.h"

namespace gpe::model {

/// At once, 412 MB in bfloat16: enough that adding up ∂loss/∂weight part by part costs little.
inline constexpr std::int64_t kDeviceLogits = 206'000'000;

/// scale·Σ_i loss_i with loss_i = -log softmax(x_i Wᵀ)[target_i], in nats: a float64 scalar on the device.
/// @param x                [tokens, width], float32 or bfloat16
/// @param weight           [vocabulary, width], float32
/// @param targets          [tokens], int64
/// @param x_gradient       written: ∂/∂x
/// @param weight_gradient  as weight: ∂/∂W is added
/// @param most             logits at once
at::Tensor add_head_gradients(const Accelerator& accelerator, const at::Tensor& x, const at::Tensor& weight,
                              const at::Tensor& targets, double scale, at::Tensor& x_gradient,
                              at::Tensor& weight_gradient, std::int64_t most = kDeviceLogits);

/// loss_i of every token, float64, on the device, without differentiation.
at::Tensor device_token_losses(const Accelerator& accelerator, const at::Tensor& x, const at::Tensor& weight,
                               const at::Tensor& targets, std::int64_t most = kDeviceLogits);

}  // namespace gpe::model
