// The backward pass on elements of float32, compiled. Tests: tests/cuda/gradient_kernels_test.cpp
#include "model/cuda/gradients.cuh"

namespace gpe::cuda {

template const char* attention_gradients<float>(const gpe_gradient_problem&, void*);

}  // namespace gpe::cuda
