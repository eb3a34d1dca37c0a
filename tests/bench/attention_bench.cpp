// Processor time and memory of attention with an encoding's scores, float32, one thread, as JSON on standard
// output. For tests/bench/model/speed.py.
//
//   attention_bench ENCODING TOKENS HEADS HEAD_DIM REPEATS
//
// Making the columns of the encoding is part of forward.
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "checks/expr_ball.h"
#include "model/attention/attention.h"
#include "model/attention/score_cache.h"
#include "tests/bench/measured.h"

namespace {

using namespace gpe;
using namespace gpe::model;
using namespace gpe::bench;

template <class Element>
Strided<Element> strided(Element* data, std::int64_t heads, std::int64_t tokens, std::int64_t head_dim) {
  return {data, heads * tokens * head_dim, tokens * head_dim, head_dim};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const std::int64_t tokens = std::atoll(argv[2]);
  const int heads = std::atoi(argv[3]);
  const int head_dim = std::atoi(argv[4]);
  const int repeats = std::atoi(argv[5]);
  const checks::BallOracle oracle;
  const EncodingFiles files = read_encoding_files(argv[1]);
  const Positions positions(files, std::filesystem::path(files.source).parent_path(),
                            {.layers = 1, .heads = heads, .head_dim = head_dim, .learned = {}}, oracle);
  const AttentionShape shape{
      .batch = 1, .heads = heads, .queries = tokens, .keys = tokens, .head_dim = head_dim};
  const auto size = static_cast<std::size_t>(heads * tokens * head_dim);
  const auto q = normal_numbers(size, 1);
  const auto k = normal_numbers(size, 2);
  const auto v = normal_numbers(size, 3);
  const auto out_gradient = normal_numbers(size, 4);
  std::vector<float> out(size);
  std::vector<float> dq(size);
  std::vector<float> dk(size);
  std::vector<float> dv(size);
  std::vector<float> log_normalizer(static_cast<std::size_t>(heads * tokens));
  const auto tensor = [&](auto* data) { return strided(data, heads, tokens, head_dim); };
  const std::int64_t before = peak_bytes();
  nlohmann::json forward = nlohmann::json::array();
  nlohmann::json backward = nlohmann::json::array();
  const std::vector<std::span<double>> parameters(static_cast<std::size_t>(heads));
  for (int i = 0; i < repeats; ++i) {
    const double start = processor_seconds();
    ScoreCache<float> cache(positions);
    std::vector<const HeadScores<float>*> scores;
    for (const auto& head : cache.at({}, {}, tokens).front()) scores.push_back(head.get());
    attention_forward<float, float>(shape, scores, tensor(q.data()), tensor(k.data()), tensor(v.data()),
                                    tensor(out.data()), {log_normalizer.data(), nullptr}, one_thread());
    const double middle = processor_seconds();
    const float* result = out.data();
    attention_backward<float, float>(shape, scores, tensor(q.data()), tensor(k.data()), tensor(v.data()),
                                     tensor(result), tensor(out_gradient.data()), log_normalizer.data(),
                                     {tensor(dq.data()), tensor(dk.data()), tensor(dv.data())}, parameters,
                                     one_thread());
    forward.push_back(middle - start);
    backward.push_back(processor_seconds() - middle);
  }
  std::cout << nlohmann::json{{"forward", forward}, {"backward", backward}, {"bytes", peak_bytes() - before}}
            << "\n";
  return 0;
}
