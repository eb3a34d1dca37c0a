// Tests: tests/cuda/device_model_test.cpp
#include "model/gpt/device_head.h"

namespace gpe::model {

namespace {

// Calls f(first, count) for parts of about equal size.
template <class F>
void by_parts(std::int64_t tokens, std::int64_t vocabulary, std::int64_t most, const F& f) {
  const std::int64_t rows = std::max<std::int64_t>(1, most / vocabulary);
  const std::int64_t parts = (tokens + rows - 1) / rows;
  const std::int64_t count = (tokens + parts - 1) / parts;
  for (std::int64_t first = 0; first < tokens; first += count) f(first, std::min(count, tokens - first));
}

// losses[i] of each row; the logits become their gradients unless scale is 0.
void cross_entropy(const Accelerator& accelerator, const at::Tensor& logits, const at::Tensor& targets,
                   const at::Tensor& losses, double scale) {
  TORCH_CHECK(logits.scalar_type() == at::kFloat || logits.scalar_type() == at::kBFloat16,
              "the cross entropy on a device: of float32 and bfloat16 only");
  const gpe_cross_entropy_problem problem{.logits = logits.data_ptr(),
                                          .targets = targets.const_data_ptr<std::int64_t>(),
                                          .losses = losses.mutable_data_ptr<float>(),
                                          .rows = logits.size(0),
                                          .vocabulary = logits.size(1),
                                          .scale = static_cast<float>(scale)};
  const gpe_element element = logits.scalar_type() == at::kFloat ? GPE_FLOAT32 : GPE_BFLOAT16;
  Accelerator::check(accelerator.kernels->cross_entropy(&problem, element, accelerator.stream()));
}

}  // namespace

at::Tensor add_head_gradients(const Accelerator& accelerator, const at::Tensor& x, const at::Tensor& weight,
                              const at::Tensor& targets, double scale, at::Tensor& x_gradient,
                              at::Tensor& weight_gradient, std::int64_t most) {
  const at::NoGradGuard no_gradients;
  const at::Tensor narrow = weight.to(x.scalar_type()), ordered = targets.contiguous();
  const at::Tensor losses = at::empty({x.size(0)}, x.options().dtype(at::kFloat));
  by_parts(x.size(0), weight.size(0), most, [&](std::int64_t first, std::int64_t count) {
    const at::Tensor part = x.narrow(0, first, count);
    const at::Tensor logits = at::mm(part, narrow.t());
    cross_entropy(accelerator, logits, ordered.narrow(0, first, count), losses.narrow(0, first, count),
                  scale);
    at::Tensor x_part = x_gradient.narrow(0, first, count);
    at::mm_out(x_part, logits, narrow);
    if (part.scalar_type() == weight_gradient.scalar_type()) {
      weight_gradient.addmm_(logits.t(), part);
    } else {
      weight_gradient.add_(at::mm(logits.t(), part));
    }
  });
  return losses.to(at::kDouble).sum() * scale;
}

at::Tensor device_token_losses(const Accelerator& accelerator, const at::Tensor& x, const at::Tensor& weight,
                               const at::Tensor& targets, std::int64_t most) {
  const at::NoGradGuard no_gradients;
  const at::Tensor narrow = weight.to(x.scalar_type()), ordered = targets.contiguous();
  const at::Tensor losses = at::empty({x.size(0)}, x.options().dtype(at::kFloat));
  by_parts(x.size(0), weight.size(0), most, [&](std::int64_t first, std::int64_t count) {
    cross_entropy(accelerator, at::mm(x.narrow(0, first, count), narrow.t()), ordered.narrow(0, first, count),
                  losses.narrow(0, first, count), 0);
  });
  return losses.to(at::kDouble);
}

}  // namespace gpe::model
