#include "model/gpt/head_loss.h"
// Tests: tests/model/gpt/transformer_test.cpp
#include "model/attention/attention_kernel.h"
#include "model/gpt/torch_threads.h"

namespace gpe::model {

namespace {

constexpr std::int64_t kMaxLogits = 20'000'000;  // at once: 80 MB of floats; each part packs the table anew

std::int64_t rows_at_once(std::int64_t tokens, std::int64_t vocabulary) {
  const std::int64_t most = std::max<std::int64_t>(16, kMaxLogits / vocabulary);
  const std::int64_t chunks = (tokens + most - 1) / most;
  return (tokens + chunks - 1) / chunks;  // of about equal size
}

// losses[i] of each row of logits; the logits become their gradients unless scale is 0.
template <class Real>
void losses_of(const at::Tensor& logits, const at::Tensor& targets, double scale, double* losses) {
  constexpr std::int64_t rows_a_task = 8;
  Real* data = logits.mutable_data_ptr<Real>();
  const std::int64_t* target = targets.const_data_ptr<std::int64_t>();
  const std::int64_t rows = logits.size(0);
  const std::int64_t vocabulary = logits.size(1);
  const Kernels<Real>& set = kernels<Real>();
  torch_threads()((rows + rows_a_task - 1) / rows_a_task, [&](std::int64_t task) {
    for (std::int64_t row = task * rows_a_task; row < std::min(rows, (task + 1) * rows_a_task); ++row) {
      losses[row] =
          set.cross_entropy(vocabulary, data + row * vocabulary, target[row], static_cast<Real>(scale));
    }
  });
}

// Logits as numbers that the kernel computes with.
at::Tensor wide_logits(const at::Tensor& x, const at::Tensor& weight) {
  const at::Tensor logits = at::mm(x, weight.t());
  return logits.scalar_type() == at::kBFloat16 ? logits.to(at::kFloat) : logits;
}

void losses_by_type(const at::Tensor& logits, const at::Tensor& targets, double scale, double* losses) {
  if (logits.scalar_type() == at::kDouble) {
    losses_of<double>(logits, targets, scale, losses);
  } else {
    losses_of<float>(logits, targets, scale, losses);
  }
}

struct HeadLoss : torch::autograd::Function<HeadLoss> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x,
                            const at::Tensor& weight, const at::Tensor& targets, double scale) {
    const std::int64_t tokens = x.size(0);
    const std::int64_t rows = rows_at_once(tokens, weight.size(0));
    const at::Tensor narrow = weight.to(x.scalar_type());
    const at::Tensor losses = at::empty({tokens}, at::kDouble);
    at::Tensor x_gradient = at::empty_like(x);
    at::Tensor weight_gradient;
    for (std::int64_t first = 0; first < tokens; first += rows) {
      const std::int64_t here = std::min(rows, tokens - first);
      const at::Tensor part = x.narrow(0, first, here);
      at::Tensor logits = wide_logits(part, narrow);
      losses_by_type(logits, targets.narrow(0, first, here), scale,
                     losses.mutable_data_ptr<double>() + first);
      logits = logits.to(x.scalar_type());
      at::Tensor x_part = x_gradient.narrow(0, first, here);
      at::mm_out(x_part, logits, narrow);
      if (!weight_gradient.defined()) {
        weight_gradient = at::mm(logits.t(), part).to(weight.scalar_type());
      } else if (part.scalar_type() == weight.scalar_type()) {
        weight_gradient.addmm_(logits.t(), part);
      } else {
        weight_gradient.add_(at::mm(logits.t(), part));
      }
    }
    context->save_for_backward({x_gradient, weight_gradient});
    return losses.sum() * scale;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    auto saved = context->get_saved_variables();
    const double factor = gradients[0].item<double>();
    if (factor != 1) {
      for (at::Tensor& gradient : saved) gradient = gradient * factor;
    }
    return {saved[0], saved[1], at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor head_loss(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& targets, double scale) {
  return HeadLoss::apply(x.contiguous(), weight, targets.contiguous(), scale);
}

at::Tensor token_losses(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& targets) {
  const at::NoGradGuard no_gradients;
  const std::int64_t tokens = x.size(0);
  const std::int64_t rows = rows_at_once(tokens, weight.size(0));
  const at::Tensor narrow = weight.to(x.scalar_type());
  const at::Tensor ordered = targets.contiguous();
  at::Tensor losses = at::empty({tokens}, at::kDouble);
  for (std::int64_t first = 0; first < tokens; first += rows) {
    const std::int64_t here = std::min(rows, tokens - first);
    losses_by_type(wide_logits(x.narrow(0, first, here), narrow), ordered.narrow(0, first, here), 0,
                   losses.mutable_data_ptr<double>() + first);
  }
  return losses;
}

}  // namespace gpe::model
