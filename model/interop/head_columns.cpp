#include "model/interop/head_columns.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "theory/source/spec_error.h"

namespace gpe::model {

namespace {

bool is_wanted(const ScoreProgram& program, std::size_t output) {
  const bool turns = program.content() == Content::rotation || program.content() == Content::hyperbolic;
  switch (output) {
    case ScoreProgram::kCosine:
    case ScoreProgram::kSine:
      return turns;
    case ScoreProgram::kSoftcap:
      return program.has_softcap();
    case ScoreProgram::kSink:
      return program.has_sink();
    default:
      return true;
  }
}

// What alpha = "measured" reads, the last number held beyond its end.
std::vector<double> measured_of(const LoadedModel& model, int layer, int head, std::int64_t positions) {
  const PositionSetting& setting = model.positions->setting();
  const std::vector<double>& all = model.transformer->measured();
  const std::size_t rows = all.size() / static_cast<std::size_t>(setting.layers * setting.heads);
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(
                                       static_cast<std::size_t>(layer * setting.heads + head) * rows);
  std::vector<double> result(begin, begin + static_cast<std::ptrdiff_t>(rows));
  result.resize(static_cast<std::size_t>(positions), result.back());
  return result;
}

[[noreturn]] void refuse(const LoadedModel& model) {
  throw theory::SpecError(
      "the encoding '" + model.positions->name() +
      "' reads L, the index of the query, and not in a gain alone: its scores are not a table");
}

// The gain at each L, which has to be the same at every n.
std::vector<float> gain_by_query(const LoadedModel& model, const ScoreProgram& program,
                                 std::span<const double> parameters, std::int64_t positions) {
  TapeEvaluator run(program.program(), 0, positions, program.blocks(), {ScoreProgram::kGain});
  std::vector<float> result;
  for (std::int64_t query = 0; query < positions; ++query) {
    run.evaluate(parameters, static_cast<double>(query), query + 1);
    const auto gains = run.output(ScoreProgram::kGain).first(static_cast<std::size_t>(query + 1));
    if (!std::ranges::all_of(gains, [&](double gain) { return gain == gains[0]; })) refuse(model);
    result.push_back(static_cast<float>(gains[0]));
  }
  return result;
}

}  // namespace

HeadColumns head_columns(const LoadedModel& model, int layer, int head, std::int64_t positions) {
  const ScoreProgram& program = model.positions->program(layer, head);
  const std::vector<double> parameters =
      model.positions->values(layer, head, model.transformer->raw_numbers());
  HeadColumns result;
  result.first = program.first();
  result.last = program.last();
  std::vector<std::size_t> wanted;
  for (std::size_t output = 0; output < ScoreProgram::kOutputs; ++output) {
    if (!is_wanted(program, output)) continue;
    if (!program.program().depends_on_length(output)) {
      wanted.push_back(output);
    } else if (output == ScoreProgram::kGain && result.first == 0) {
      result.query_gain = gain_by_query(model, program, parameters, positions);
    } else {
      refuse(model);
    }
  }
  const std::int64_t distances = std::max<std::int64_t>(positions - result.first, 1);
  TapeEvaluator run(program.program(), result.first, distances, program.blocks(), wanted);
  if (program.measures_entropy()) {
    const std::vector<double> measured = measured_of(model, layer, head, result.first + distances);
    run.set_column(0, std::span(measured).subspan(static_cast<std::size_t>(result.first)));
  }
  run.evaluate(parameters, 0, distances);
  for (const std::size_t output : wanted) {
    const auto values = run.output(output);
    // -inf is a weight of 0; nothing else that is not a number is a score.
    const bool may_vanish = output == ScoreProgram::kBias || output == ScoreProgram::kSink;
    if (!std::ranges::all_of(values, [&](double value) {
          return std::isfinite(static_cast<float>(value)) || (may_vanish && value < 0);
        }))
      throw std::runtime_error("the encoding '" + model.positions->name() +
                               "' gives scores that are not numbers within " + std::to_string(positions) +
                               " positions");
    const double neutral = output == ScoreProgram::kGain ? 1 : 0;
    const bool is_column = output == ScoreProgram::kBias || output == ScoreProgram::kGain;
    if (is_column && std::ranges::all_of(values, [&](double value) { return value == neutral; })) continue;
    std::vector<float>& to = result.values[output];
    if (output == ScoreProgram::kSoftcap || output == ScoreProgram::kSink) {
      to = {static_cast<float>(values[0])};
      continue;
    }
    const std::int64_t blocks = is_column ? 1 : program.blocks();
    to.assign(static_cast<std::size_t>(blocks * positions), 0.0F);
    for (std::int64_t j = 0; j < blocks; ++j) {
      for (std::int64_t i = 0; i < std::min(distances, positions - result.first); ++i) {
        to[static_cast<std::size_t>(j * positions + result.first + i)] =
            static_cast<float>(values[static_cast<std::size_t>(j * distances + i)]);
      }
    }
  }
  return result;
}

}  // namespace gpe::model
