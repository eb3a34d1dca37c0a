// CPU time and memory of attention with an encoding's scores, float32, one thread, as JSON on standard
// output. For tests/bench/model/speed.py.
//
//   attention_bench ENCODING TOKENS HEADS HEAD_DIM REPEATS
//
// Making the columns of the encoding is part of forward.
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/bench/one_layer.h"

using namespace gpe;
using namespace gpe::model;
using namespace gpe::bench;

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const OneLayer layer(argv[1], std::atoll(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
  const int repeats = std::atoi(argv[5]);
  const AttentionShape& shape = layer.shape;
  const std::size_t size = layer.size();
  const auto q = normal_numbers(size, 1);
  const auto k = normal_numbers(size, 2);
  const auto v = normal_numbers(size, 3);
  const auto out_gradient = normal_numbers(size, 4);
  std::vector<float> out(size);
  std::vector<float> dq(size);
  std::vector<float> dk(size);
  std::vector<float> dv(size);
  std::vector<float> log_normalizer(static_cast<std::size_t>(shape.heads * shape.queries));
  const auto tensor = [&](auto* data) { return layer.tensor(data); };
  const std::int64_t before = peak_bytes();
  nlohmann::json forward = nlohmann::json::array();
  nlohmann::json backward = nlohmann::json::array();
  const std::vector<std::span<double>> parameters(static_cast<std::size_t>(shape.heads));
  for (int i = 0; i < repeats; ++i) {
    const double start = processor_seconds();
    const FreshScores scores(layer);
    attention_forward<float, float>(shape, scores.heads, tensor(q.data()), tensor(k.data()), tensor(v.data()),
                                    tensor(out.data()), {log_normalizer.data(), nullptr}, one_thread());
    const double middle = processor_seconds();
    const float* result = out.data();
    attention_backward<float, float>(
        shape, scores.heads, tensor(q.data()), tensor(k.data()), tensor(v.data()), tensor(result),
        tensor(out_gradient.data()), log_normalizer.data(),
        {tensor(dq.data()), tensor(dk.data()), tensor(dv.data())}, parameters, one_thread());
    forward.push_back(middle - start);
    backward.push_back(processor_seconds() - middle);
  }
  std::cout << nlohmann::json{{"forward", forward}, {"backward", backward}, {"bytes", peak_bytes() - before}}
            << "\n";
  return 0;
}
