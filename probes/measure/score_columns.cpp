#include "probes/measure/score_columns.h"
// Tests: tests/probes/measure/tested_rows_test.cpp
#include <algorithm>
#include <cmath>

namespace gpe::probes {

namespace {

enum Output : std::size_t { kBias, kGain, kNorm, kSoftcap, kSink };

std::vector<model::ProgramOutput> outputs_of(const theory::ScoreFunction& law) {
  const theory::Expr none(0);
  const theory::Expr norm = law.has_content ? law.norm : none;
  return {{"the bias", law.bias, model::Shape::by_distance},
          {"the gain", law.gain, model::Shape::by_distance},
          {"the norm of W", norm, model::Shape::by_distance},
          {"the soft cap", law.softcap.value_or(none), model::Shape::scalar},
          {"the sink", law.sink.value_or(none), model::Shape::scalar}};
}

double capped(double content, double softcap) {
  return softcap == 0 ? content : softcap * std::tanh(content / softcap);
}

}  // namespace

double ScoreColumns::score(std::size_t at, double content) const {
  return gain[at] * capped(content, softcap) + bias[at];
}

double ScoreColumns::amplitude(std::size_t at, double content_bound) const {
  return std::abs(gain[at]) * capped(content_bound * norm[at], softcap);
}

HeadColumns::HeadColumns(const theory::ScoreFunction& law, const theory::ConstantOracle& oracle)
    : first_(law.first),
      last_(law.last().value_or(std::numeric_limits<std::int64_t>::max())),
      has_softcap_(law.softcap.has_value()),
      has_sink_(law.sink.has_value()),
      program_(outputs_of(law), law.bias, {}, oracle) {}

ScoreColumns HeadColumns::at(std::int64_t query) const {
  ScoreColumns result;
  result.first = first_;
  const std::int64_t count = std::min(last_, query) - first_ + 1;
  if (count <= 0) return result;
  model::TapeEvaluator run(program_, first_, count, 1);
  run.evaluate({}, static_cast<double>(query), count);
  const auto column = [&](Output output) {
    const auto numbers = run.output(output).first(static_cast<std::size_t>(count));
    return std::vector<double>(numbers.begin(), numbers.end());
  };
  result.bias = column(kBias);
  result.gain = column(kGain);
  result.norm = column(kNorm);
  if (has_softcap_) result.softcap = run.output(kSoftcap)[0];
  if (has_sink_) result.sink = run.output(kSink)[0];
  return result;
}

}  // namespace gpe::probes
