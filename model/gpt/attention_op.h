// Attention as a step of LibTorch's differentiation.
#pragma once

#include <memory>

#include "model/attention/statistics.h"
#include "model/gpt/attention_layer.h"
#include "model/gpt/torch.h"

namespace gpe::model {

/// @param qkv  [batch, tokens, 3·width]: queries, keys, values, each head by head
/// @param raw  the learned numbers of the model, float64; gets a gradient
/// @return     [batch, tokens, width], of the type of qkv
at::Tensor attend(const at::Tensor& qkv, const at::Tensor& raw,
                  const std::shared_ptr<const AttentionLayer>& layer);

/// The same with queries that are the last of the keys, without differentiation: q [batch, queries, width], k
/// and v [batch, keys, width].
at::Tensor attend_to_cache(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           const AttentionLayer& layer);

/// The statistics of queries [begin, end) among the keys [0, end), computed as `attend` would, of a softmax.
/// @param qkv  as in attend, in one piece
AttentionStatistics statistics(const at::Tensor& qkv, const AttentionLayer& layer, std::int64_t begin,
                               std::int64_t end, const DistanceBuckets* buckets);

}  // namespace gpe::model
