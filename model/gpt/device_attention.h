// Attention on a device as a step of LibTorch's differentiation.
#pragma once

#include "model/gpt/device_pass.h"

namespace gpe::model {

/// As attend (attention_op.h), of float32 or bfloat16.
/// @param qkv  [batch, tokens, 3·width] on the device
at::Tensor attend_on_device(const at::Tensor& qkv, const DevicePass& pass);

}  // namespace gpe::model
