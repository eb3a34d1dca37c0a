#include "model/training/optimizer.h"

#include <cmath>

namespace gpe::model {

namespace {

constexpr double kEpsilon = 1e-8;

}  // namespace

AdamW::AdamW(const Transformer& model, const TsmConfig::Training& training)
    : groups_(3), beta1_(training.beta1), beta2_(training.beta2) {
  groups_[0].decay =
      training.weight_decay;  // groups of one type each: matrices, vectors, numbers of the encoding
  const auto add = [&](Group& group, const std::string& name, const at::Tensor& weight) {
    group.weights.push_back(weight);
    group.first.push_back(at::zeros_like(weight));
    group.second.push_back(at::zeros_like(weight));
    moments_.push_back({"first." + name, group.first.back()});
    moments_.push_back({"second." + name, group.second.back()});
  };
  for (const NamedTensor& weight : model.weights())
    add(groups_[weight.tensor.dim() >= 2 ? 0 : 1], weight.name, weight.tensor);
  if (model.raw().numel() > 0) add(groups_[2], "position.raw", model.raw());
}

double AdamW::clip(double most) {
  double squares = 0;
  for (const Group& group : groups_) {
    for (const at::Tensor& weight : group.weights) {
      const double norm = at::linalg_vector_norm(weight.grad()).item<double>();
      squares += norm * norm;
    }
  }
  const double norm = std::sqrt(squares);
  const double factor = most / (norm + 1e-6);
  if (most > 0 && factor < 1) {
    for (Group& group : groups_) {
      for (at::Tensor& weight : group.weights) weight.mutable_grad().mul_(factor);
    }
  }
  return norm;
}

void AdamW::step(double learning_rate, std::int64_t step) {
  for (Group& group : groups_) this->step(group, learning_rate, step);
}

void AdamW::step_raw(double learning_rate, std::int64_t step) { this->step(groups_[2], learning_rate, step); }

void AdamW::step(Group& group, double learning_rate, std::int64_t step) {
  const at::NoGradGuard no_gradients;
  std::vector<at::Tensor> gradients;
  std::vector<at::Tensor> steps;
  for (at::Tensor& weight : group.weights) {
    gradients.push_back(weight.grad());
    steps.push_back(at::full({}, static_cast<double>(step), at::kFloat));
  }
  if (gradients.empty()) return;
  at::_fused_adamw_(group.weights, gradients, group.first, group.second, {}, steps, learning_rate, beta1_,
                    beta2_, group.decay, kEpsilon, false, false);
  for (at::Tensor& weight : group.weights) weight.mutable_grad().reset();
}

void AdamW::count_steps(std::int64_t done) {
  for (std::size_t g = 0; g < 2; ++g) {
    Group& group = groups_[g];
    group.steps.clear();
    for (const at::Tensor& weight : group.weights) {
      group.steps.push_back(
          at::full({}, static_cast<double>(done), at::TensorOptions(at::kFloat).device(weight.device())));
    }
  }
}

void AdamW::step_on_device(const at::Tensor& learning_rate) {
  const at::NoGradGuard no_gradients;
  for (std::size_t g = 0; g < 2; ++g) {
    Group& group = groups_[g];
    std::vector<at::Tensor> gradients;
    for (const at::Tensor& weight : group.weights) gradients.push_back(weight.grad());
    at::_foreach_add_(group.steps, 1);
    at::_fused_adamw_(group.weights, gradients, group.first, group.second, {}, group.steps, learning_rate,
                      beta1_, beta2_, group.decay, kEpsilon, false, false);
  }
}

}  // namespace gpe::model
