#include "tests/cuda/lane_kernels.h"

#include "model/cuda/cross_entropy_kernel.h"
#include "model/cuda/moments_kernel.h"
#include "model/cuda/rows_kernel.h"
#include "model/cuda/series_contents.h"
#include "model/cuda/turn_tokens.h"
#include "tests/cuda/lane_distances.h"
#include "tests/cuda/lane_gradients.h"

namespace gpe::tests {

namespace {

using cuda::BFloat16;

template <class F>
const char* by_element(gpe_element element, const F& f) {
  if (element == GPE_FLOAT32) return f(0.0F);
  if (element == GPE_BFLOAT16) return f(BFloat16{});
  return "float32 or bfloat16";
}

constexpr int kDim = 16;

const char* too_wide(const gpe_shape& shape) {
  return shape.head_dim > kDim ? "heads of up to 16 coordinates" : nullptr;
}

const char* rows(const gpe_rows_problem* from, gpe_element element, void*) {
  if (const char* error = too_wide(from->shape)) return error;
  return by_element(element, [&]<class Element>(Element) -> const char* {
    const auto problem = cuda::typed<Element>(*from);
    const int tiles = (from->shape.queries + 63) / 64;
    using Products = cuda::ProductContents<kDim, Element>;
    using Turned = cuda::TurnedContents<kDim, Element>;
    using Series = cuda::SeriesContents<kDim, Element>;
    const bool turned = from->scores.cosine != nullptr;
    const auto run = [&]<class Contents>() {
      if (from->out.data != nullptr) {
        run_on_processor<cuda::RowsKernel<Contents, kDim, Element, true>>(problem, tiles);
      } else {
        run_on_processor<cuda::RowsKernel<Contents, kDim, Element, false>>(problem, tiles);
      }
    };
    if (turned && from->scores.series != nullptr) {
      run.template operator()<Series>();
    } else if (turned) {
      run.template operator()<Turned>();
    } else {
      run.template operator()<Products>();
    }
    return nullptr;
  });
}

const char* moments(const gpe_rows_problem* from, float* to, gpe_element element, void*) {
  if (const char* error = too_wide(from->shape)) return error;
  return by_element(element, [&]<class Element>(Element) -> const char* {
    const cuda::MomentsProblem<Element> problem{cuda::typed<Element>(*from), to};
    const int tiles = (from->shape.queries + 63) / 64;
    if (from->scores.cosine != nullptr) {
      run_on_processor<cuda::MomentsKernel<cuda::TurnedContents<kDim, Element>, Element>>(problem, tiles);
    } else {
      run_on_processor<cuda::MomentsKernel<cuda::ProductContents<kDim, Element>, Element>>(problem, tiles);
    }
    return nullptr;
  });
}

std::int64_t distances_workspace(const gpe_rows_problem*) { return 1; }

const char* distances(const gpe_rows_problem* from, float*, double* sums, gpe_element element, void*) {
  if (const char* error = too_wide(from->shape)) return error;
  return by_element(element, [&]<class Element>(Element) -> const char* {
    if (from->scores.cosine != nullptr) {
      distances_by_lanes<cuda::TurnedContents<kDim, Element>, Element>(*from, sums);
    } else {
      distances_by_lanes<cuda::ProductContents<kDim, Element>, Element>(*from, sums);
    }
    return nullptr;
  });
}

std::int64_t workspace(const gpe_gradient_problem*) { return 1; }

const char* gradients(const gpe_gradient_problem* from, gpe_element element, void*) {
  if (const char* error = too_wide(from->shape)) return error;
  return by_element(element, [&]<class Element>(Element) -> const char* {
    using cuda::Route;
    if (from->scores.cosine == nullptr) {
      gradients_by_lanes<Route::products, kDim, Element>(*from);
    } else if (from->scores.series == nullptr) {
      gradients_by_lanes<Route::turned, kDim, Element>(*from);
    } else {
      gradients_by_lanes<Route::series, kDim, Element>(*from);
    }
    return nullptr;
  });
}

const char* cross_entropy(const gpe_cross_entropy_problem* problem, gpe_element element, void*) {
  return by_element(element, [&]<class Element>(Element) -> const char* {
    using Kernel = cuda::CrossEntropyKernel<Element>;
    for (std::int64_t row = 0; row < problem->rows; ++row) {
      typename Kernel::Shared shared;
      std::memset(&shared, 0xFF, sizeof shared);
      cuda::Block block(Kernel::kWarps);
      Kernel{*problem, shared, static_cast<int>(row)}.run(block);
    }
    return nullptr;
  });
}

const char* turn(const gpe_shape* shape, const gpe_tensor* tokens, int32_t heads, int32_t count,
                 int32_t first, const double* angles, int32_t interleaved, int32_t sign, gpe_element element,
                 void*) {
  return by_element(element, [&]<class Element>(Element) -> const char* {
    const auto tensor = cuda::writing<Element>(*tokens);
    const int blocks = shape->head_dim / 2;
    for (int batch = 0; batch < shape->batch; ++batch) {
      for (int head = 0; head < heads; ++head) {
        for (int token = 0; token < count; ++token) {
          Element* data = tensor.data + batch * tensor.batch + head * tensor.head + token * tensor.token;
          for (int j = 0; j < blocks; ++j)
            cuda::turn_block(data, j, blocks, sign * angles[j] * (first + token), interleaved != 0);
        }
      }
    }
    return nullptr;
  });
}

}  // namespace

std::shared_ptr<const model::DeviceKernels> lane_kernels() {
  auto result = std::make_shared<model::DeviceKernels>();
  result->attention_rows = rows;
  result->attention_moments = moments;
  result->distances_workspace = distances_workspace;
  result->attention_distances = distances;
  result->gradient_workspace = workspace;
  result->attention_gradients = gradients;
  result->cross_entropy = cross_entropy;
  result->turn = turn;
  return result;
}

}  // namespace gpe::tests
