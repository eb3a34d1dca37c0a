// Attention of weights that are not a softmax, in LibTorch's own operations: on a device as on the CPU, with
// all weights of a head in memory at once.
#pragma once

#include "model/gpt/attention_layer.h"
#include "model/gpt/torch.h"

namespace gpe::model {

/// As attend and attend_to_cache (attention_op.h), for every normalizer that models are trained with
/// (docs/specification.md): o_i = Σ_j p_ij v_j, p_ij = w(A_ij)/Σ_j w(A_ij). A query whose weights are all 0
/// gives 0. Without gradients, pieces of queries are computed one after the other.
/// @param q    [batch, queries, width], the last of the keys; k, v [batch, keys, width]
/// @param raw  the learned numbers of the model: a backward pass adds to their gradient, or on a device to
///             what the layer collects
/// @pre  a score that depends neither on L nor has a sink; layer.exact on the CPU
at::Tensor attend_composed(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           const at::Tensor& raw, const AttentionLayer& layer);

}  // namespace gpe::model
