// Forward and statistics of elements of float16, compiled. Tests: tests/cuda/rows_kernel_test.cpp
#include "model/cuda/rows.cuh"

namespace gpe::cuda {

template const char* attention_rows<Half>(const gpe_rows_problem&, void*);

}  // namespace gpe::cuda
