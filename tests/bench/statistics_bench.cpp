// CPU time, memory and accuracy of the statistics of attention, float32, one thread, as JSON on
// standard output. For tests/bench/model/speed.py.
//
//   statistics_bench ENCODING TOKENS HEADS HEAD_DIM DEVIATION REPEATS [FOLDER]
//
// Contents are those of normal queries and keys, of this deviation. FOLDER gets queries, keys (float32,
// [head][token][coordinate]) and the entropies and log-normalizers of all rows (float64, [head][token]).
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "model/attention/statistics.h"
#include "tests/bench/one_layer.h"

namespace {

using namespace gpe;
using namespace gpe::model;
using namespace gpe::bench;

template <class Number>
void write_numbers(const std::string& file, const std::vector<Number>& numbers) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers.data()),
             static_cast<std::streamsize>(numbers.size() * sizeof(Number)));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7 || argc > 8) return 2;
  const OneLayer layer(argv[1], std::atoll(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]));
  const int repeats = std::atoi(argv[6]);
  const AttentionShape& shape = layer.shape;
  const std::size_t size = layer.size();
  std::vector<float> q = normal_numbers(size, 1);
  for (float& x : q) x *= static_cast<float>(std::atof(argv[5]));  // q'k/√d of unit normals has deviation 1
  const std::vector<float> k = normal_numbers(size, 2);
  const Strided<const float> q_tensor = layer.tensor<const float>(q.data());
  const Strided<const float> k_tensor = layer.tensor<const float>(k.data());
  const DistanceBuckets buckets = DistanceBuckets::doubling(std::int64_t{1} << 15);  // 16 of them
  const std::int64_t before = peak_bytes();
  nlohmann::json rows = nlohmann::json::array();
  nlohmann::json rows_and_buckets = nlohmann::json::array();
  AttentionStatistics found;
  std::int64_t bytes = 0;
  for (int i = 0; i < repeats; ++i) {
    const double start = processor_seconds();
    const FreshScores scores(layer);
    found = attention_statistics<float, float>(shape, scores.heads, q_tensor, k_tensor, {}, nullptr,
                                               one_thread());
    const double middle = processor_seconds();
    rows.push_back(middle - start);
    bytes = std::max(bytes, peak_bytes() - before);
    attention_statistics<float, float>(shape, scores.heads, q_tensor, k_tensor, {}, &buckets, one_thread());
    rows_and_buckets.push_back(processor_seconds() - middle);
  }
  if (argc == 8) {
    const std::string folder = argv[7];
    std::vector<double> entropy;
    std::vector<double> log_normalizer;
    for (const RowStatistics& row : found.rows) {
      entropy.push_back(row.entropy);
      log_normalizer.push_back(row.log_normalizer);
    }
    write_numbers(folder + "/q", q);
    write_numbers(folder + "/k", k);
    write_numbers(folder + "/entropy", entropy);
    write_numbers(folder + "/log_normalizer", log_normalizer);
  }
  std::cout << nlohmann::json{{"rows", rows},
                              {"rows_and_buckets", rows_and_buckets},
                              {"bytes", bytes},
                              {"bytes_with_buckets", peak_bytes() - before},
                              {"input_bytes", 2 * size * sizeof(float)}}
            << "\n";
  return 0;
}
