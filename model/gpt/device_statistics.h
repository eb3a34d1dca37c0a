// The statistics of attention computed on a device.
#pragma once

#include "model/attention/statistics.h"
#include "model/gpt/device_attention.h"

namespace gpe::model {

/// As statistics (attention_op.h): queries [begin, end) among the keys [0, end).
/// @param qkv      [batch, tokens, 3·width] on the device, in one piece
/// @param buckets  at most 32, or null
/// @throws theory::SpecError  more classes of distances than that
AttentionStatistics statistics_on_device(const at::Tensor& qkv, const DevicePass& pass, std::int64_t begin,
                                         std::int64_t end, const DistanceBuckets* buckets);

}  // namespace gpe::model
