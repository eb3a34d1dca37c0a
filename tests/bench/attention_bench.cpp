// Processor time and memory of attention with an encoding's scores, and of its statistics, float32, one
// thread, as JSON on standard output. For tests/bench/model/speed.py and tests/bench/probes/speed.py.
//
//   attention_bench ENCODING TOKENS HEADS HEAD_DIM REPEATS
//
// Making the columns of the encoding is part of forward.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "checks/expr_ball.h"
#include "model/attention/attention.h"
#include "model/attention/score_cache.h"
#include "model/attention/statistics.h"

namespace {

using namespace gpe;
using namespace gpe::model;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The most memory this program has had: getrusage would begin with that of the one that started it.
std::int64_t peak_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::atoll(line.c_str() + 6) * 1024;
  }
  return 0;
}

template <class Element>
Strided<Element> strided(Element* data, std::int64_t heads, std::int64_t tokens, std::int64_t head_dim) {
  return {data, heads * tokens * head_dim, tokens * head_dim, head_dim};
}

std::vector<float> normal_numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> result(count);
  std::ranges::generate(result, [&] { return normal(random); });
  return result;
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
  nlohmann::json rows = nlohmann::json::array();
  nlohmann::json rows_and_buckets = nlohmann::json::array();
  const DistanceBuckets buckets = DistanceBuckets::doubling(std::int64_t{1} << 15);  // 16 of them
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
    const double end = processor_seconds();
    backward.push_back(end - middle);
    const float* queries = q.data();
    const float* keys = k.data();
    attention_statistics<float, float>(shape, scores, tensor(queries), tensor(keys), {}, nullptr,
                                       one_thread());
    const double without = processor_seconds();
    rows.push_back(without - end);
    attention_statistics<float, float>(shape, scores, tensor(queries), tensor(keys), {}, &buckets,
                                       one_thread());
    rows_and_buckets.push_back(processor_seconds() - without);
  }
  std::cout << nlohmann::json{{"forward", forward},
                              {"backward", backward},
                              {"rows", rows},
                              {"rows_and_buckets", rows_and_buckets},
                              {"bytes", peak_bytes() - before}}
            << "\n";
  return 0;
}
