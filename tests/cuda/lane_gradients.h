// The backward pass as the device does it, on the CPU: what stands around the two kernels, one thread
// after the other.
#pragma once

#include "model/cuda/key_gradient_kernel.h"
#include "model/cuda/loss_row.h"
#include "model/cuda/query_gradient_kernel.h"
#include "tests/cuda/machine.h"

namespace gpe::tests {

template <cuda::Route kRoute, int kDim, class Element>
void gradients_by_lanes(const gpe_gradient_problem& problem) {
  const gpe_shape& shape = problem.shape;
  const gpe_score_tables& tables = problem.scores;
  const auto rows = static_cast<std::size_t>(shape.batch * shape.heads * shape.queries);
  std::vector<float> delta(rows), by_score(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const auto row = static_cast<std::int64_t>(i);
    const std::int64_t b = row / (shape.heads * shape.queries), h = row / shape.queries % shape.heads,
                       t = row % shape.queries;
    const auto at = [&](const gpe_tensor& tensor) {
      return static_cast<const Element*>(tensor.data) + b * tensor.batch + h * tensor.head + t * tensor.token;
    };
    const bool reads_out = problem.out_gradient.data != nullptr;
    const auto from = [&](const float* numbers) { return numbers == nullptr ? 0.0F : numbers[i]; };
    const float sink =
        tables.sink == nullptr ? cuda::kMasked : tables.sink[cuda::table_of(tables, static_cast<int>(h))];
    const cuda::LossOfRow loss = cuda::loss_of_row(
        reads_out ? cuda::row_product(at(problem.out), at(problem.out_gradient), shape.head_dim) : 0.0F, sink,
        problem.log_normalizer[i], from(problem.entropy), from(problem.row_gradients.log_normalizer),
        from(problem.row_gradients.entropy));
    delta[i] = loss.delta;
    by_score[i] = loss.by_score;
  }
  const auto length = static_cast<std::size_t>(tables.length);
  const auto tiles_of_head = static_cast<std::size_t>((shape.queries + 63) / 64);
  const std::size_t parts = static_cast<std::size_t>(shape.batch * shape.heads) * tiles_of_head;
  const auto transform_rows = static_cast<std::size_t>(shape.head_dim);
  std::vector<float> gain(problem.gain != nullptr ? parts * length : 0),
      bias(problem.bias != nullptr ? parts * length : 0),
      transform(problem.transform != nullptr ? parts * length * transform_rows : 0);
  const auto of = [](std::vector<float>& numbers) { return numbers.empty() ? nullptr : numbers.data(); };
  const auto typed = cuda::typed<Element>(problem, {problem.log_normalizer, delta.data(), by_score.data()},
                                          {of(gain), of(bias), of(transform)});
  run_on_processor<cuda::QueryGradientKernel<kRoute, kDim, Element>>(typed, static_cast<int>(tiles_of_head));
  run_on_processor<cuda::KeyGradientKernel<kRoute, kDim, Element>>(typed, static_cast<int>(tiles_of_head));
  // by [batch][head][tile][row of a table][n]
  const auto sum = [&](const std::vector<float>& from, double* to, std::size_t of_table) {
    if (to == nullptr) return;
    const auto heads = static_cast<std::size_t>(shape.heads);
    const std::size_t tables_there = tables.table_heads == 1 ? 1 : heads;
    std::fill_n(to, tables_there * of_table * length, 0.0);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::size_t row = i / length % of_table,
                        head = i / (length * of_table * tiles_of_head) % heads % tables_there;
      to[(head * of_table + row) * length + i % length] += static_cast<double>(from[i]);
    }
  };
  sum(gain, problem.gain, 1);
  sum(bias, problem.bias, 1);
  sum(transform, problem.transform, transform_rows);
}

}  // namespace gpe::tests
