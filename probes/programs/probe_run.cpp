#include "probes/programs/probe_run.h"
// Tests: tests/probes/probe_attention_test.py
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "checks/arb/expr_ball.h"
#include "checks/cli/command_line.h"
#include "checks/cli/progress_line.h"
#include "checks/cli/version.h"
#include "checks/cli/write_file.h"
#include "checks/report/json_number.h"
#include "model/evaluation/certified_window.h"
#include "model/interop/open_model.h"
#include "model/programs/model_options.h"
#include "probes/report/audit_entropy.h"
#include "probes/report/head_law_json.h"
#include "probes/report/report_json.h"
#include "probes/report/serving_windows.h"
#include "probes/run/continued_contexts.h"
#include "probes/run/transformer_probe.h"
#include "theory/source/spec_error.h"

namespace gpe::probes {

namespace {

using model::LoadedModel;
using theory::SpecError;

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

std::vector<std::int64_t> lengths_of(const ProbeRun& o, const model::TsmConfig& config) {
  std::vector<std::int64_t> result = model::token_lengths(o.lengths);
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
  return result;
}

// Windows of `length` tokens that share no token with the others, spread evenly over the file.
std::vector<model::Window> other_windows(const model::TokenFile& file,
                                         const std::vector<model::Window>& others, std::size_t length,
                                         std::size_t count, const std::string& source) {
  std::vector<model::Window> free;
  for (const model::Window& window : model::packed_windows(file.documents(), length, kAll, source)) {
    const bool apart = std::ranges::all_of(others, [&](const model::Window& other) {
      return window.begin > other.begin + other.length || other.begin > window.begin + window.length;
    });
    if (apart) free.push_back(window);
  }
  if (free.size() <= count) return free;
  std::vector<model::Window> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(free[i * free.size() / count]);
  return result;
}

// What windows of the fit say of greater lengths; by [layer][head].
struct Extrapolations {
  std::size_t windows = 0;
  std::string reason;  ///< not empty: there are none, and why
  std::vector<std::vector<std::vector<LengthExtrapolation>>> heads;
};

Extrapolations extrapolations(const ProbeRun& o, const LoadedModel& model,
                              const std::vector<std::vector<theory::ScoreFunction>>& laws,
                              const model::TokenFile& file, const std::vector<model::Window>& read,
                              const std::vector<std::int64_t>& lengths, const model::DistanceBuckets& buckets,
                              const theory::ConstantOracle& oracle, checks::ProgressLine& line) {
  Extrapolations result;
  std::vector<std::int64_t> below;
  std::vector<std::int64_t> beyond;
  for (const std::int64_t length : lengths) (length < o.fit ? below : beyond).push_back(length);
  below.push_back(o.fit);
  if (!beyond.empty() && beyond.front() == o.fit) beyond.erase(beyond.begin());
  if (beyond.empty() || o.fit_windows == 0) {
    result.reason = beyond.empty() ? "not beyond the fit" : "--fit-windows 0";
    return result;
  }
  const auto windows = other_windows(file, read, static_cast<std::size_t>(o.fit), o.fit_windows, o.tokens);
  result.windows = windows.size();
  if (windows.size() < 2) {
    result.reason = "the windows that are read leave too little other text";
    return result;
  }
  const Measurement fit = measure(model, laws, file, windows, below, buckets, oracle,
                                  [&](double part) { line.show("fitting", part); });
  const auto continued =
      continued_contexts(model, file, windows, beyond, [&](double part) { line.show("reading on", part); });
  for (std::size_t l = 0; l < laws.size(); ++l) {
    auto& layer = result.heads.emplace_back();
    for (std::size_t h = 0; h < laws[l].size(); ++h) {
      layer.push_back(extrapolate(laws[l][h], fit.heads[l][h], buckets, beyond, continued[l][h], oracle));
      line.show("predicting from the fit", static_cast<double>(l + 1) / static_cast<double>(laws.size()));
    }
  }
  return result;
}

// What a report says before its heads: what was read, and how.
Json report_head(const ProbeRun& o, const LoadedModel& model, const model::Accelerator* accelerator,
                 const model::TokenFile& file, const std::vector<std::int64_t>& lengths,
                 const model::DistanceBuckets& buckets, const PredictionOptions& options,
                 const Extrapolations& further) {
  const model::PositionSetting& setting = model.positions->setting();
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
  if (accelerator != nullptr) report["device"] = accelerator->name;
  report["tokens"] = {{"file", o.tokens}, {"sha256", file.sha256() ? Json(*file.sha256()) : Json(nullptr)}};
  report["lengths"] = lengths;
  report["buckets"] = std::vector(buckets.edges().begin(), buckets.edges().end());
  report["content_bound"] = o.content_bound;
  report["epsilon"] = options.epsilon.str();
  report["weight"] = options.weight.str();
  report["threshold"] = options.threshold.str();
  report["fit"] = {
      {"tokens", o.fit}, {"windows", further.windows}, {"reason", checks::json_text_or_null(further.reason)}};
  report["aggregation"] = {{"last_row", "row T - 1, over windows"},
                           {"second_half", "rows T/2 ... T - 1, over rows and windows"},
                           {"extrapolation", "rows T/2 ... T - 1, over rows and windows"},
                           {"tested", "row T - 1 in double precision, over windows"},
                           {"distances", "all pairs of all rows of all windows, at the greatest T"}};
  return report;
}

void write(const ProbeRun& o, const Json& report) {
  if (!o.serving_windows.empty())
    checks::write_file(o.serving_windows, report["serving_windows"].dump(2) + "\n");
  checks::write_output(o.output, o.format == "json" ? report.dump(2) + "\n" : report_text(report));
  for (const Json& one : report["contradictions"])
    checks::say("probe-attention", one["text"].get<std::string>());
}

}  // namespace

int run(const ProbeRun& o) {
  const checks::BallOracle oracle;
  checks::require_different({{"--serving-windows", o.serving_windows}, {"--output", o.output}});
  std::optional<AuditEntry> audit;
  if (!o.audit.empty()) audit = audit_entry("--audit", o.audit);
  if (o.threads > 0) at::set_num_threads(o.threads);
  PredictionOptions options = prediction_options(o);
  const auto accelerator = model::accelerator_option(o.device);  // before LibTorch is asked for anything
  const LoadedModel model = model::open_model(o.checkpoint, oracle, o.dtype);
  model.transformer->to(accelerator);
  const std::vector<std::int64_t> lengths = lengths_of(o, model.config);
  const model::DistanceBuckets buckets = buckets_of(o.buckets, lengths.back());
  std::vector<std::vector<double>> bounds;
  if (o.content_bound != "measured") bounds = model::content_bounds_option(o.content_bound, model);
  const model::TokenFile file(o.tokens);
  const std::vector<model::Window> windows =
      model::packed_windows(file.documents(), static_cast<std::size_t>(lengths.back()), o.windows, o.tokens);

  const model::PositionSetting& setting = model.positions->setting();
  std::vector<std::vector<theory::ScoreFunction>> laws(static_cast<std::size_t>(setting.layers));
  std::vector<Json> parameters;  // by layer and head
  for (int layer = 0; layer < setting.layers; ++layer) {
    for (int head = 0; head < setting.heads; ++head) {
      const theory::ScoreFunction law = head_law(model, layer, head, oracle);
      parameters.push_back(parameters_json(law.parameters));
      laws[static_cast<std::size_t>(layer)].push_back(at_values(law));
    }
  }
  checks::ProgressLine line("probe-attention");
  const Measurement measured = measure(model, laws, file, windows, lengths, buckets, oracle,
                                       [&](double part) { line.show("reading", part); });

  const Extrapolations further =
      extrapolations(o, model, laws, file, windows, lengths, buckets, oracle, line);

  Json report = report_head(o, model, accelerator.get(), file, lengths, buckets, options, further);
  report["windows"] = windows.size();
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
      Json& entry = report["heads"].emplace_back(
          head_json(layer, head, laws[l][h], of, predicted, buckets, options, oracle));
      entry["parameters"] = parameters[static_cast<std::size_t>(layer * setting.heads + head)];
      entry["extrapolation"] =
          further.heads.empty() ? Json::array() : extrapolation_json(further.heads[l][h], of);
      for (const Contradiction& one :
           contradictions(layer, head, laws[l][h], of, predicted, options,
                          content_allowance(o.content_bound, model.config.training.dtype), oracle))
        report["contradictions"].push_back(contradiction_json(one));
      tested += lengths.size() * windows.size();
      line.show("predicting", static_cast<double>(layer * setting.heads + head + 1) / all);
    }
  }
  report["tested_rows"] = tested;
  report["encoding_toml"] = model.encoding.toml;
  if (audit) add_to_audit(*audit, report);
  report["serving_windows"] = serving_windows(report);
  write(o, report);
  return report["contradictions"].empty() ? checks::kDone : checks::kRequirementFailed;
}

}  // namespace gpe::probes
