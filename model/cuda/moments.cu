// Moments by class of distance, of all types of element. Tests: tests/cuda/moments_kernel_test.cpp
#include "model/cuda/launch.cuh"
#include "model/cuda/moments_kernel.h"

namespace gpe::cuda {

template <class Element>
const char* attention_moments(const gpe_rows_problem& from, float* moments, void* stream) {
  const MomentsProblem<Element> problem{typed<Element>(from), moments};
  return by_head_dim(from.shape.head_dim, [&]<int kDim>() {
    using Products = ProductContents<kDim, Element>;
    using Turned = TurnedContents<kDim, Element>;
    const int queries = from.shape.queries;
    if (from.scores.cosine != nullptr)
      return launch<MomentsKernel<Turned, Element>>(problem, queries, stream);
    return launch<MomentsKernel<Products, Element>>(problem, queries, stream);
  });
}

template const char* attention_moments<BFloat16>(const gpe_rows_problem&, float*, void*);
template const char* attention_moments<Half>(const gpe_rows_problem&, float*, void*);
template const char* attention_moments<float>(const gpe_rows_problem&, float*, void*);

}  // namespace gpe::cuda
