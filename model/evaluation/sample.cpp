#include "model/evaluation/sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/data/random.h"

namespace gpe::model {

Token draw(const at::Tensor& logits, std::int64_t vocabulary, const SampleOptions& options,
           std::uint64_t index) {
  const float* numbers = logits.const_data_ptr<float>();
  std::vector<Token> order(static_cast<std::size_t>(vocabulary));
  std::iota(order.begin(), order.end(), 0);
  std::int64_t kept = options.top_k == 0 ? vocabulary : std::min(options.top_k, vocabulary);
  if (options.temperature == 0) kept = 1;
  std::partial_sort(order.begin(), order.begin() + kept, order.end(), [&](Token a, Token b) {
    return numbers[a] != numbers[b] ? numbers[a] > numbers[b] : a < b;
  });
  if (kept == 1) return order.front();
  std::vector<double> sums;
  double sum = 0;
  for (std::int64_t i = 0; i < kept; ++i) {
    sum +=
        std::exp(static_cast<double>(numbers[order[static_cast<std::size_t>(i)]] - numbers[order.front()]) /
                 options.temperature);
    sums.push_back(sum);
  }
  const double at = static_cast<double>(random_bits(options.seed, 0, index) >> 11) * 0x1p-53 * sum;
  const auto chosen = std::ranges::upper_bound(sums, at) - sums.begin();
  return order[static_cast<std::size_t>(std::min<std::ptrdiff_t>(chosen, kept - 1))];
}

void sample(Transformer& model, BoundedReader* bounded, const std::vector<Token>& prompt,
            const SampleOptions& options, const std::function<void(const SampleStep&)>& next) {
  const std::int64_t all = model.config().model.vocabulary;
  const std::int64_t vocabulary = options.vocabulary > 0 ? std::min(options.vocabulary, all) : all;
  at::Tensor inputs = at::empty({1, static_cast<std::int64_t>(prompt.size())}, at::kLong);
  std::ranges::copy(prompt, inputs.mutable_data_ptr<std::int64_t>());
  KeyValueCache cache;
  for (std::int64_t i = 0; i < options.tokens; ++i) {
    SampleStep step;
    at::Tensor logits = model.next_logits(inputs, cache);
    if (bounded != nullptr) {
      const at::Tensor others = bounded->next_logits(inputs);
      step.logits_difference = (others - logits).narrow(0, 0, vocabulary).abs().max().item<double>();
      logits = others;
    }
    step.token = draw(logits, vocabulary, options, static_cast<std::uint64_t>(i));
    next(step);
    if (options.end && step.token == *options.end) return;
    inputs = at::full({1, 1}, static_cast<std::int64_t>(step.token), at::kLong);
  }
}

}  // namespace gpe::model
