// Attention as a step of LibTorch's differentiation.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/attention/score_cache.h"
#include "model/attention/statistics.h"
#include "model/gpt/device_attention.h"
#include "model/gpt/torch.h"

namespace gpe::model {

/// The scores of one layer, and what belongs to them.
struct AttentionLayer {
  const Positions* positions = nullptr;
  int layer = 0;
  std::vector<double> raw;          ///< what the scores were made of
  LayerScores<float> scores;        ///< for tensors of type float32 and bfloat16
  LayerScores<double> exact;        ///< for float64
  std::span<double> entropy;        ///< [head][query]: forward writes the mean over the batch, unless empty
  std::span<double> largest_score;  ///< [head]: forward writes that of all rows of the batch, unless empty
  DevicePass device;                ///< on a device, instead of all but the first two
};

/// @param qkv  [batch, tokens, 3·width]: queries, keys, values, each head by head
/// @param raw  the learned numbers of the model, float64; gets a gradient
/// @return     [batch, tokens, width], of the type of qkv
at::Tensor attend(const at::Tensor& qkv, const at::Tensor& raw,
                  const std::shared_ptr<const AttentionLayer>& layer);

/// The same with queries that are the last of the keys, without differentiation: q [batch, queries, width], k
/// and v [batch, keys, width].
at::Tensor attend_to_cache(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v,
                           const AttentionLayer& layer);

/// The statistics of queries [begin, end) among the keys [0, end), computed as `attend` would.
/// @param qkv  as in attend, in one piece
AttentionStatistics statistics(const at::Tensor& qkv, const AttentionLayer& layer, std::int64_t begin,
                               std::int64_t end, const DistanceBuckets* buckets);

}  // namespace gpe::model
