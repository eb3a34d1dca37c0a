// What attention needs of a layer and of the pass through it, on a device.
// Tests: tests/cuda/device_model_test.cpp
#pragma once

#include "model/gpt/device_scores.h"

namespace gpe::model {

/// A layer of a forward pass on a device.
struct DevicePass {
  std::shared_ptr<const Accelerator> accelerator;
  std::shared_ptr<DeviceLayer> layer;
  bool collects = false;     ///< whether the backward pass adds to by_gain, by_bias and by_transform
  at::Tensor entropy;        ///< [head][query], float64: the mean over the batch is added, unless undefined
  at::Tensor largest_score;  ///< [head], float32: raised to the largest of all rows, unless undefined
};

}  // namespace gpe::model
