// Queries, keys and values of a layer on a device, as the kernels take them.
// Tests: tests/cuda/device_model_test.cpp, tests/cuda/device_statistics_test.cpp
#pragma once

#include "model/gpt/device_pass.h"

namespace gpe::model {

/// @throws c10::Error  neither float32 nor bfloat16
gpe_element element_of(const at::Tensor& tensor);
/// Part `part` of the last dimension, cut into heads.
gpe_tensor heads_of(const at::Tensor& tensor, std::int64_t part, std::int64_t width, std::int64_t head_dim);
/// Of all tokens of qkv [batch, tokens, 3·width].
gpe_shape shape_of(const at::Tensor& qkv, const DeviceLayer& layer);
/// Turns q and k by their positions, where the encoding does that, in place; backwards with sign -1.
void turn(const at::Tensor& qkv, const DevicePass& pass, int sign);
/// The same, forwards, on a copy where anything is turned; in one piece.
at::Tensor turned(const at::Tensor& qkv, const DevicePass& pass);

}  // namespace gpe::model
