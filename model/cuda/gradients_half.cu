// The backward pass on elements of float16, compiled. Tests: tests/cuda/gradient_kernels_test.cpp
#include "model/cuda/gradients.cuh"

namespace gpe::cuda {

template const char* attention_gradients<Half>(const gpe_gradient_problem&, void*);

}  // namespace gpe::cuda
