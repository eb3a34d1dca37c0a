#include "model/gpt/device_attention.h"
// Tests: tests/cuda/device_model_test.cpp
#include "model/gpt/device_tokens.h"

namespace gpe::model {

namespace {

struct PassHolder : torch::CustomClassHolder {
  explicit PassHolder(DevicePass of) : pass(std::move(of)) {}
  DevicePass pass;
};

// Turned queries and keys, the output, and the log-normalizers.
struct Forward {
  at::Tensor packed, out, log_normalizer;

  Forward(const at::Tensor& qkv, const DevicePass& pass) : packed(turned(qkv, pass)) {
    const DeviceLayer& layer = *pass.layer;
    const gpe_shape shape = shape_of(packed, layer);
    const std::int64_t width = packed.size(2) / 3;
    out = at::empty({packed.size(0), packed.size(1), width}, packed.options());
    const auto row_numbers = [&](bool wanted) {
      return wanted ? at::empty({shape.batch, shape.heads, shape.queries}, packed.options().dtype(at::kFloat))
                    : at::Tensor();
    };
    const auto pointer = [](const at::Tensor& rows) {
      return rows.defined() ? rows.mutable_data_ptr<float>() : nullptr;
    };
    log_normalizer = row_numbers(true);
    const at::Tensor entropy = row_numbers(pass.entropy.defined()),
                     largest = row_numbers(pass.largest_score.defined());
    gpe_rows_problem problem{};
    problem.shape = shape;
    problem.q = heads_of(packed, 0, width, shape.head_dim);
    problem.k = heads_of(packed, 1, width, shape.head_dim);
    problem.v = heads_of(packed, 2, width, shape.head_dim);
    problem.out = heads_of(out, 0, width, shape.head_dim);
    problem.scores = layer.tables(shape.head_dim);
    problem.rows.log_normalizer = pointer(log_normalizer);
    problem.rows.entropy = pointer(entropy);
    problem.rows.largest_score = pointer(largest);
    Accelerator::check(
        pass.accelerator->kernels->attention_rows(&problem, element_of(packed), pass.accelerator->stream()));
    const at::NoGradGuard no_gradients;
    if (entropy.defined()) at::Tensor(pass.entropy).add_(entropy.to(at::kDouble).mean(0));
    if (largest.defined()) {
      at::Tensor so_far = pass.largest_score;
      so_far.copy_(at::maximum(so_far, largest.amax({0, 2})));
    }
  }
};

struct AttendOnDevice : torch::autograd::Function<AttendOnDevice> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& qkv,
                            const DevicePass& pass) {
    const Forward forward(qkv, pass);
    context->save_for_backward({forward.packed, forward.out, forward.log_normalizer});
    context->saved_data["pass"] = c10::IValue::make_capsule(c10::make_intrusive<PassHolder>(pass));
    return forward.out;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const at::Tensor& packed = saved[0];
    const auto capsule = context->saved_data["pass"].toCapsule();
    const DevicePass& pass = static_cast<const PassHolder&>(*capsule).pass;
    const DeviceLayer& layer = *pass.layer;
    const at::Tensor out_gradient = gradients[0].contiguous();
    at::Tensor packed_gradient = at::empty_like(packed);
    const gpe_shape shape = shape_of(packed, layer);
    const std::int64_t width = packed.size(2) / 3;
    const auto part = [&](const at::Tensor& tensor, std::int64_t index) {
      return heads_of(tensor, index, width, shape.head_dim);
    };
    at::Tensor by_gain, by_bias, by_transform;
    const auto wanted = [&](const at::Tensor& sum, at::Tensor& here) {
      if (!pass.collects || !sum.defined()) return static_cast<double*>(nullptr);
      here = at::empty_like(sum);
      return here.mutable_data_ptr<double>();
    };
    gpe_gradient_problem problem{};
    problem.shape = shape;
    problem.q = part(packed, 0);
    problem.k = part(packed, 1);
    problem.v = part(packed, 2);
    problem.out = part(saved[1], 0);
    problem.out_gradient = part(out_gradient, 0);
    problem.q_gradient = part(packed_gradient, 0);
    problem.k_gradient = part(packed_gradient, 1);
    problem.v_gradient = part(packed_gradient, 2);
    problem.scores = layer.tables(shape.head_dim);
    problem.log_normalizer = saved[2].const_data_ptr<float>();
    problem.gain = wanted(layer.by_gain, by_gain);
    problem.bias = wanted(layer.by_bias, by_bias);
    problem.transform = wanted(layer.by_transform, by_transform);
    const DeviceKernels& kernels = *pass.accelerator->kernels;
    const at::Tensor workspace =
        at::empty({kernels.gradient_workspace(&problem)}, packed.options().dtype(at::kFloat));
    problem.workspace = workspace.mutable_data_ptr<float>();
    Accelerator::check(kernels.attention_gradients(&problem, element_of(packed), pass.accelerator->stream()));
    turn(packed_gradient, pass, -1);
    const at::NoGradGuard no_gradients;
    if (by_gain.defined()) at::Tensor(layer.by_gain).add_(by_gain);
    if (by_bias.defined()) at::Tensor(layer.by_bias).add_(by_bias);
    if (by_transform.defined()) at::Tensor(layer.by_transform).add_(by_transform);
    return {packed_gradient, at::Tensor()};
  }
};

}  // namespace

at::Tensor attend_on_device(const at::Tensor& qkv, const DevicePass& pass) {
  if (!at::GradMode::is_enabled()) return Forward(qkv, pass).out;
  return AttendOnDevice::apply(qkv, pass);
}

}  // namespace gpe::model
