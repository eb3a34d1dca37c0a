// Tests: tests/model/ranks_test.py
#include "model/training/gradient_sum.h"

namespace gpe::model {

namespace {

template <class T>
std::span<T> numbers_of(const at::Tensor& tensor) {
  return {tensor.mutable_data_ptr<T>(), static_cast<std::size_t>(tensor.numel())};
}

// Puts all gradients of one type behind each other, or takes them out again.
template <class T>
void exchange(const std::vector<at::Tensor>& weights, at::ScalarType type, std::vector<T>& flat, bool in) {
  std::size_t at = 0;
  for (const at::Tensor& weight : weights) {
    const at::Tensor gradient = weight.grad();
    if (!gradient.defined() || gradient.scalar_type() != type) continue;
    TORCH_INTERNAL_ASSERT(gradient.is_contiguous());
    const std::span<T> numbers = numbers_of<T>(gradient);
    if (in) {
      flat.insert(flat.end(), numbers.begin(), numbers.end());
    } else {
      std::copy_n(flat.begin() + static_cast<std::ptrdiff_t>(at), numbers.size(), numbers.begin());
    }
    at += numbers.size();
  }
}

}  // namespace

GradientSum::GradientSum(const Transformer& model, Ranks& ranks) : ranks_(ranks) {
  for (const NamedTensor& weight : model.weights()) weights_.push_back(weight.tensor);
  if (model.raw().numel() > 0) weights_.push_back(model.raw());
}

void GradientSum::operator()(std::span<double> numbers) {
  if (ranks_.size() == 1) return;
  flat_.clear();
  exact_.assign(numbers.begin(), numbers.end());
  exchange(weights_, at::kFloat, flat_, true);
  exchange(weights_, at::kDouble, exact_, true);
  ranks_.sum(flat_);
  ranks_.sum(exact_);
  std::copy_n(exact_.begin(), numbers.size(), numbers.begin());
  exact_.erase(exact_.begin(), exact_.begin() + static_cast<std::ptrdiff_t>(numbers.size()));
  exchange(weights_, at::kFloat, flat_, false);
  exchange(weights_, at::kDouble, exact_, false);
}

bool GradientSum::same_weights() {
  if (ranks_.size() == 1) return true;
  std::string bytes;
  for (const at::Tensor& weight : weights_) {
    const at::Tensor here = weight.detach().to(at::kCPU);
    bytes.append(static_cast<const char*>(here.const_data_ptr()), here.nbytes());
  }
  return ranks_.agree(bytes);
}

}  // namespace gpe::model
