#include "model/cuda/rows.cuh"

namespace gpe::cuda {

template const char* attention_rows<BFloat16>(const gpe_rows_problem&, void*);

}  // namespace gpe::cuda
