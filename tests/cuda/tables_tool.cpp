// The score tables of an encoding's heads for tests/bench/device: what the kernels take, as a safetensors
// file.
//
//   tables_tool ENCODING LENGTH HEADS HEAD_DIM FILE [EPSILON CONTENT_BOUND]
//
// gain, bias [head][n] (times log2 e); cosine, sine [head][block][n] where pairs are turned, with
// series_terms and series [head][tile][...] to 2^-10; angles [block] where q and k are turned by position;
// first, last [head]; with EPSILON, windows [head]: W(EPSILON) of each head at that bound on its content, -1
// where there is none.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "checks/arb/expr_ball.h"
#include "checks/cli/command_line.h"
#include "checks/content/effective_window.h"
#include "model/cuda/head_tables.h"
#include "model/cuda/turn_series.h"
#include "model/data/safetensors.h"
#include "model/position/score_cache.h"
#include "tests/in_time.h"
#include "theory/score/spec_parse.h"
#include "theory/source/spec_error.h"

namespace {

using namespace gpe;
using namespace gpe::model;

struct Writer {
  std::vector<TensorView> views;

  template <class T>
  void add(const std::string& name, const std::vector<T>& numbers, std::vector<std::int64_t> shape) {
    if (numbers.empty()) return;
    TensorType type = std::is_floating_point_v<T> ? TensorType::f32 : TensorType::i32;
    if (sizeof(T) == 8) type = TensorType::f64;
    views.push_back({name, type, std::move(shape), std::as_bytes(std::span(numbers))});
  }
};

int run(char** argv, bool with_windows) {
  const std::int64_t length = std::atoll(argv[2]);
  const int heads = std::atoi(argv[3]), head_dim = std::atoi(argv[4]);
  const checks::BallOracle oracle;
  const EncodingFiles files = read_encoding_files(argv[1]);
  const PositionSetting setting{.layers = 1, .heads = heads, .head_dim = head_dim, .learned = {}};
  const Positions positions(files, setting, oracle);
  ScoreCache<double> cache(positions);
  std::vector<const HeadScores<double>*> scores;
  for (const auto& head : cache.at({}, {}, length).front()) scores.push_back(head.get());
  const HeadTables tables = head_tables(scores);
  const std::int64_t blocks = head_dim / 2;
  std::vector<std::int32_t> terms, windows;
  std::vector<float> coefficients;
  std::int64_t tiles = 0;
  const auto size = static_cast<std::size_t>(blocks * length);
  for (std::size_t h = 0; tables.turns_pairs && h < scores.size(); ++h) {
    const auto of_head = [&](const std::vector<float>& all) {
      return std::span(all).subspan(h * size, size);
    };
    const TurnSeries series = turn_series(of_head(tables.cosine), of_head(tables.sine), blocks, length,
                                          0x1p-10, static_cast<int>(blocks / 4));
    terms.insert(terms.end(), series.terms.begin(), series.terms.end());
    coefficients.insert(coefficients.end(), series.coefficients.begin(), series.coefficients.end());
    tiles = series.tiles;
  }
  std::vector<double> angles;
  for (std::int64_t j = 0; scores.front()->turns_separately() && j < blocks; ++j)
    angles.push_back(std::atan2(scores.front()->position_sine(1)[j], scores.front()->position_cosine(1)[j]));
  for (int h = 1; with_windows && h <= heads; ++h) {
    const theory::Encoding encoding = parse_files(files, {h, heads, 1, 1});
    const theory::ScoreFunction law =
        at_values(instantiate(encoding, {head_dim, h, heads, 1, 1}, {}, oracle));
    const checks::BigCount window = checks::effective_window(law, checks::number_option("EPSILON", argv[6]),
                                                             checks::number_option("CONTENT_BOUND", argv[7]),
                                                             std::nullopt, gpe::testing::in_time());
    const auto number =
        window.kind == checks::BigCount::Kind::number ? window.number.to_int64() : std::nullopt;
    windows.push_back(number ? static_cast<std::int32_t>(std::min<std::int64_t>(*number, length)) : -1);
  }
  const std::int64_t count = heads;
  Writer writer;
  writer.add("gain", tables.gain, {count, length});
  writer.add("bias", tables.bias, {count, length});
  writer.add("cosine", tables.cosine, {count, blocks, length});
  writer.add("sine", tables.sine, {count, blocks, length});
  writer.add("first", tables.first, {count});
  writer.add("last", tables.last, {count});
  writer.add("softcap", tables.softcap, {count});
  writer.add("sink", tables.sink, {count});
  writer.add("series_terms", terms, {count, tiles, (blocks + 7) / 8});
  writer.add("series", coefficients, {count, tiles, blocks, 3});
  writer.add("angles", angles, {blocks});
  writer.add("windows", windows, {count});
  write_safetensors(argv[5], writer.views);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6 && argc != 8) return 2;
  try {
    return run(argv, argc == 8);
  } catch (const theory::SpecError& error) {
    std::fprintf(stderr, "tables_tool: %s\n", error.what());
    return 2;
  }
}
