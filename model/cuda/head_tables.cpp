#include "model/cuda/head_tables.h"
// Tests: tests/cuda/rows_kernel_test.cpp
#include <algorithm>
#include <limits>
#include <numbers>

#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

void refuse_length(const ScoreProgram& program) {
  static constexpr const char* kNames[] = {"bias", "gain", "even part", "odd part", "softcap", "sink"};
  for (std::size_t output = 0; output < ScoreProgram::kOutputs; ++output) {
    if (program.program().depends_on_length(output)) {
      throw theory::SpecError("score: the " + std::string(kNames[output]) +
                              " depends on L, so that every query needs a table of its own; the device "
                              "has one per head. Use the CPU");
    }
  }
}

}  // namespace

HeadTables head_tables(std::span<const HeadScores<double>* const> heads) {
  HeadTables result;
  const HeadScores<double>& front = *heads.front();
  result.length = front.length();
  result.turns_pairs = front.turns_pairs();
  result.interleaved = front.program().layout() == theory::Layout::interleaved;
  result.hyperbolic = front.program().content() == Content::hyperbolic;
  result.no_content = front.program().content() == Content::none;
  constexpr auto log2e = std::numbers::log2e;
  for (const HeadScores<double>* head : heads) {
    const ScoreProgram& program = head->program();
    refuse_length(program);
    TileRows<double> tile;
    tile.rows = 1;
    double sink = 0;
    HeadRows<double> rows(*head);
    rows.begin(head->length() - 1, tile, &sink);
    const std::int64_t first = program.first();
    const auto column = [&](const double* values, double without, double factor, std::vector<float>& to) {
      for (std::int64_t n = 0; n < result.length; ++n) {
        double value = 0;
        if (n >= first) value = values == nullptr ? without : values[result.length - 1 - n];
        to.push_back(static_cast<float>(value * factor));
      }
    };
    column(tile.bias[0], 0, log2e, result.bias);
    column(tile.gain[0], 1, log2e, result.gain);
    if (result.turns_pairs) {
      for (std::int64_t j = 0; j < program.blocks(); ++j) {
        column(tile.cosine[0] + j * tile.block_stride, 0, 1, result.cosine);
        column(tile.sine[0] + j * tile.block_stride, 0, 1, result.sine);
      }
    }
    const std::int64_t farthest = std::numeric_limits<std::int32_t>::max();
    result.first.push_back(static_cast<std::int32_t>(std::min(first, farthest)));
    result.last.push_back(static_cast<std::int32_t>(std::min(program.last(), farthest)));
    if (program.has_softcap()) result.softcap.push_back(static_cast<float>(tile.softcap));
    if (program.has_sink()) result.sink.push_back(static_cast<float>(sink * log2e));
  }
  return result;
}

void add_table_gradients(const HeadScores<double>& head, const TableGradientSpans& tables,
                         std::span<double> parameters) {
  ScoreAdjoints<double> sums = head.adjoints();
  TileRows<double> tile;
  tile.rows = 1;
  TileAdjoints<double> adjoints;
  double sink = 0;
  HeadRows<double> rows(head);
  rows.begin(head.length() - 1, tile, &sink);
  rows.begin_back(sums, adjoints);
  const std::int64_t length = head.length(), first = head.program().first();
  const auto take = [&](double* to, std::span<const double> from) {
    if (to == nullptr || from.empty()) return;
    for (std::int64_t block = 0; block < std::ssize(from) / length; ++block) {
      for (std::int64_t n = first; n < length; ++n)
        to[block * tile.block_stride + length - 1 - n] = from[static_cast<std::size_t>(block * length + n)];
    }
  };
  take(adjoints.gain[0], tables.gain);
  take(adjoints.bias[0], tables.bias);
  take(adjoints.cosine[0], tables.cosine);
  take(adjoints.sine[0], tables.sine);
  sums.softcap = tables.softcap;
  head.back(std::span(&sums, 1), parameters);
}

const char* not_learned_on_device(const ScoreProgram& program) {
  if (program.program().depends_on_parameters(ScoreProgram::kSoftcap)) return "softcap";
  if (program.program().depends_on_parameters(ScoreProgram::kSink)) return "sink";
  return nullptr;
}

}  // namespace gpe::model
