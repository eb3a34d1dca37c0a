// The kernels of gpe_kernels.h on the CPU, lane by lane: what a device would compute, in the memory of
// the CPU. Heads of up to 16 coordinates, float32 and bfloat16.
#pragma once

#include <memory>

#include "model/cuda/device_kernels.h"

namespace gpe::tests {

std::shared_ptr<const model::DeviceKernels> lane_kernels();

}  // namespace gpe::tests
