// What attention needs of a layer and of the pass through it. Tests: tests/model/gpt/transformer_test.cpp
#pragma once

#include <span>
#include <vector>

#include "model/gpt/device_pass.h"
#include "model/position/score_cache.h"

namespace gpe::model {

/// The scores of one layer, and what belongs to them.
struct AttentionLayer {
  const Positions* positions = nullptr;
  int layer = 0;
  std::vector<double> raw;          ///< what the scores were made of
  LayerScores<float> scores;        ///< for tensors of type float32 and bfloat16
  LayerScores<double> exact;        ///< for float64, and for weights that are not a softmax
  std::span<double> entropy;        ///< [head][query]: forward writes the mean over the batch, unless empty
  std::span<double> largest_score;  ///< [head]: forward writes that of all rows of the batch, unless empty
  DevicePass device;                ///< on a device, instead of all but the first two
};

}  // namespace gpe::model
