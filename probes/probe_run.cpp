#include "probes/probe_run.h"

#include <unistd.h>

#include <cstdio>

#include "checks/command_line.h"
#include "checks/expr_ball.h"
#include "checks/version.h"
#include "model/tsm/certified_window.h"
#include "probes/report_json.h"
#include "probes/transformer_probe.h"
#include "theory/spec_error.h"

namespace gpe::probes {

namespace {

using model::LoadedModel;
using theory::SpecError;

void progress(const std::string& what, double part) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, part < 1 ? "\r\033[K%s %.0f %%" : "\r\033[K", what.c_str(), 100 * part);
}

std::vector<std::int64_t> lengths_of(const ProbeRun& o, const model::TsmConfig& config) {
  std::vector<std::int64_t> result;
  for (const theory::Rational& length : checks::lengths_option("--lengths", o.lengths)) {
    const auto number = length.to_int64();
    if (!number || *number < 2 || *number > (1 << 24))
      throw SpecError("--lengths: expected 2 to 16777216 tokens");
    if (!result.empty() && *number <= result.back())
      throw SpecError("--lengths: expected increasing lengths");
    result.push_back(*number);
  }
  const std::int64_t table = config.model.position_table;
  if (table > 0 && result.back() > table) {
    throw SpecError("--lengths: the model has a table of " + std::to_string(table) +
                    " positions, and knows none beyond");
  }
  return result;
}

model::DistanceBuckets buckets_of(const std::string& text, std::int64_t length) {
  if (text == "doubling") return model::DistanceBuckets::doubling(length);
  if (text == "exact") return model::DistanceBuckets::each(length);
  std::vector<std::int64_t> edges;
  for (const theory::Rational& edge : checks::list_option("--buckets", text)) {
    const auto number = edge.to_int64();
    if (!number || (edges.empty() ? *number != 0 : *number <= edges.back()))
      throw SpecError("--buckets: expected doubling, exact, or distances 0,N,... that increase");
    edges.push_back(*number);
  }
  return model::DistanceBuckets(std::move(edges));
}

// How far rounding may carry |q||k| beyond B from the weights: an entry of Wx is within N u Σ|W||x| of itself
// (N = width, u the unit of the type), a vector of d within √d times that of ‖W‖‖x‖.
double content_allowance(const std::string& content_bound, const std::string& dtype) {
  if (content_bound != "weights" || dtype == "float64") return kRelativeAllowance;
  return dtype == "bfloat16" ? 0x1p-3 : 0x1p-10;
}

PredictionOptions prediction_options(const ProbeRun& o) {
  PredictionOptions result;
  result.epsilon = model::epsilon_option(o.epsilon);
  result.weight = checks::number_option("--weight", o.weight);
  if (result.weight.sign() <= 0 || result.weight >= theory::Rational(1))
    throw SpecError("--weight: expected a number between 0 and 1");
  result.threshold = checks::number_option("--threshold", o.threshold);
  if (result.threshold.sign() <= 0) throw SpecError("--threshold: expected a positive number");
  result.fit = o.fit;
  return result;
}

}  // namespace

int run(const ProbeRun& o) {
  const checks::BallOracle oracle;
  if (o.threads > 0) at::set_num_threads(o.threads);
  PredictionOptions options = prediction_options(o);
  const LoadedModel model = model::load_model(o.checkpoint, oracle, o.dtype);
  const std::vector<std::int64_t> lengths = lengths_of(o, model.config);
  const model::DistanceBuckets buckets = buckets_of(o.buckets, lengths.back());
  std::vector<std::vector<double>> bounds;
  if (o.content_bound != "measured") bounds = model::content_bounds_option(o.content_bound, model);
  const model::TokenFile file(o.tokens);
  const std::vector<model::Window> windows =
      model::packed_windows(file.documents(), static_cast<std::size_t>(lengths.back()), o.windows, o.tokens);

  const model::PositionSetting& setting = model.positions->setting();
  std::vector<std::vector<theory::Law>> laws(static_cast<std::size_t>(setting.layers));
  for (int layer = 0; layer < setting.layers; ++layer) {
    for (int head = 0; head < setting.heads; ++head)
      laws[static_cast<std::size_t>(layer)].push_back(head_law(model, layer, head, oracle));
  }
  const Measurement measured = measure(model, laws, file, windows, lengths, buckets, oracle,
                                       [](double part) { progress("reading", part); });

  Json report = {{"schema", 1},
                 {"generator", {{"program", "probe-attention"}, {"version", std::string(kVersion)}}},
                 {"checkpoint", o.checkpoint},
                 {"encoding", model.positions->name()},
                 {"iteration", model.iteration},
                 {"context", model.config.training.context},
                 {"dtype", model.config.training.dtype},
                 {"layers", setting.layers},
                 {"heads_per_layer", setting.heads},
                 {"head_dim", setting.head_dim}};
  report["tokens"] = {{"file", o.tokens}, {"sha256", file.sha256() ? Json(*file.sha256()) : Json(nullptr)}};
  report["windows"] = windows.size();
  report["lengths"] = lengths;
  report["buckets"] = std::vector(buckets.edges().begin(), buckets.edges().end());
  report["content_bound"] = o.content_bound;
  report["epsilon"] = options.epsilon.str();
  report["weight"] = options.weight.str();
  report["threshold"] = options.threshold.str();
  report["fit"] = options.fit;
  report["aggregation"] = {{"last_row", "row T - 1, over windows"},
                           {"second_half", "rows T/2 ... T - 1, over rows and windows"},
                           {"tested", "row T - 1 in double precision, over windows"},
                           {"distances", "all pairs of all rows of all windows, at the greatest T"}};
  report["heads"] = Json::array();
  report["contradictions"] = Json::array();
  std::size_t tested = 0;
  const double all = static_cast<double>(setting.layers * setting.heads);
  for (int layer = 0; layer < setting.layers; ++layer) {
    for (int head = 0; head < setting.heads; ++head) {
      const auto l = static_cast<std::size_t>(layer);
      const auto h = static_cast<std::size_t>(head);
      const HeadMeasurement& of = measured.heads[l][h];
      if (!bounds.empty()) options.content_bound = bounds[l][h];
      const HeadPredictions predicted = predict(laws[l][h], of, buckets, options, oracle);
      report["heads"].push_back(head_json(layer, head, laws[l][h], of, predicted, buckets, options, oracle));
      for (const Contradiction& one :
           contradictions(layer, head, laws[l][h], of, predicted, options,
                          content_allowance(o.content_bound, model.config.training.dtype), oracle))
        report["contradictions"].push_back(contradiction_json(one));
      tested += lengths.size() * windows.size();
      progress("predicting", static_cast<double>(layer * setting.heads + head + 1) / all);
    }
  }
  report["tested_rows"] = tested;
  checks::write_output(o.output, o.format == "json" ? report.dump(2) + "\n" : report_text(report));
  for (const Json& one : report["contradictions"])
    std::fprintf(stderr, "probe-attention: %s\n", one["text"].get<std::string>().c_str());
  return report["contradictions"].empty() ? checks::kDone : checks::kRequirementFailed;
}

}  // namespace gpe::probes
