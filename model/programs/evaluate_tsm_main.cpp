// evaluate-tsm: perplexity by length, names recalled by distance, and answers of tasks.
// Tests: tests/model/evaluate_sample_test.py
#include <nlohmann/json.hpp>

#include "checks/arb/expr_ball.h"
#include "checks/cli/program.h"
#include "checks/cli/progress_line.h"
#include "checks/cli/version.h"
#include "model/evaluation/certified_window.h"
#include "model/evaluation/evaluate_report.h"
#include "model/interop/open_model.h"
#include "model/programs/model_options.h"
#include "theory/source/spec_error.h"

namespace gpe::model::evaluate_tsm_program {
namespace {

using nlohmann::json;
using theory::SpecError;

struct Options {
  std::string checkpoint;
  std::vector<std::string> files;
  std::string lengths;
  std::size_t windows = 16;
  bool recall = false;
  bool answers = false;
  std::int64_t every_token = 0;
  std::int64_t window = 0;
  std::string epsilon;
  std::string content_bound = "weights";
  std::string dtype;
  std::string format = "text";
  std::string output;
  std::string device = "cpu";
  int threads = 0;
};

std::vector<checks::Option> options(Options& o) {
  return {checkpoint_option(o.checkpoint),
          {"files", &o.files, "NAME.bin", "token files of prepare-data, make-stories or make-tasks", "",
           checks::Required{}},
          {"--lengths", &o.lengths, "T",
           "tokens read: 64..16384 (doubling; default, as far as the model has positions), or a list",
           "What is measured"},
          {"--windows", &o.windows, "N", "number of windows of the greatest length (default 16)",
           "What is measured", checks::WholeNumbers{1, 1000000}},
          {"--recall", &o.recall, "",
           "how often names asked for are known, by distance: NAME.answers.json beside NAME.bin",
           "What is measured"},
          {"--answers", &o.answers, "",
           "how often answers are known, and their loss, by task and length: NAME.answers.json of "
           "make-tasks beside NAME.bin",
           "What is measured"},
          {"--every-token", &o.every_token, "T",
           "the mean loss over all tokens instead, read in pieces of T, to compare with ngram-baseline",
           "What is measured", checks::WholeNumbers{1, 1 << 24}},
          {"--window", &o.window, "KEYS", "no head sees more than this many keys", "Keys that heads see",
           checks::WholeNumbers{1, 1 << 30}},
          {"--epsilon", &o.epsilon, "E",
           "each head sees its W + 1 nearest keys; all others have at most the weight E together, with proof",
           "Keys that heads see"},
          {"--content-bound", &o.content_bound, "weights|B",
           "the bound |q||k|/sqrt(d) <= B of --epsilon. weights: what the weights allow, for every input "
           "(default); or "
           "a number, which is assumed",
           "Keys that heads see"},
          dtype_option(o.dtype, "Machine"),
          checks::format_option(o.format, "Output"),
          checks::output_option(o.output, "Output"),
          device_option(o.device, "Machine"),
          threads_option(o.threads, "Machine")};
}

std::vector<std::int64_t> lengths_of(const Options& o, const TsmConfig& config) {
  std::vector<std::int64_t> result = token_lengths(o.lengths.empty() ? "64..16384" : o.lengths);
  const std::int64_t table = config.model.position_table;
  if (table > 0 && o.lengths.empty()) {
    std::erase_if(result, [table](std::int64_t length) { return length > table; });
    if (result.empty()) result = {table};
  }
  if (table > 0 && std::max(result.back(), o.every_token) > table) {
    throw SpecError(std::string(o.every_token > 0 ? "--every-token" : "--lengths") +
                    ": the model has a table of " + std::to_string(table) +
                    " positions, and knows none beyond");
  }
  return result;
}

// What the options say about the keys that heads see; null when nothing.
json restrict(const Options& o, LoadedModel& model, const theory::ConstantOracle& oracle) {
  if (o.window == 0 && o.epsilon.empty()) return nullptr;
  if (o.window != 0 && !o.epsilon.empty()) throw SpecError("--window and --epsilon exclude each other");
  const auto layers = static_cast<std::size_t>(model.config.model.layers);
  const auto heads = static_cast<std::size_t>(model.config.model.heads);
  std::vector<std::vector<std::int64_t>> keys(layers, std::vector<std::int64_t>(heads, o.window));
  json result = {{"epsilon", nullptr}, {"content_bound", nullptr}, {"content_bounds", nullptr}};
  if (!o.epsilon.empty()) {
    const auto bounds = content_bounds_option(o.content_bound, model);
    keys = certified_keys(model, epsilon_option(o.epsilon), bounds, oracle);
    result = {{"epsilon", o.epsilon}, {"content_bound", o.content_bound}, {"content_bounds", bounds}};
  }
  result["keys"] = keys;
  restrict_keys(model, EncodingFiles(model.encoding), keys, oracle);
  return result;
}

int run(const Options& o) {
  const checks::BallOracle oracle;
  if (o.threads > 0) at::set_num_threads(o.threads);
  if (o.recall && o.every_token > 0) throw SpecError("--recall and --every-token exclude each other");
  if (o.answers && (o.recall || o.every_token > 0))
    throw SpecError("--answers excludes --recall and --every-token");
  const auto accelerator = accelerator_option(o.device);  // before LibTorch is asked for anything
  LoadedModel model = open_model(o.checkpoint, oracle, o.dtype);
  model.transformer->to(accelerator);
  EvaluateOptions options;
  options.lengths = lengths_of(o, model.config);
  options.windows = o.windows;
  json report = {{"schema", 1},
                 {"generator", {{"program", "evaluate-tsm"}, {"version", std::string(kVersion)}}},
                 {"checkpoint", o.checkpoint},
                 {"encoding", model.positions->name()},
                 {"iteration", model.iteration},
                 {"context", model.config.training.context},
                 {"parameters", model.transformer->parameters()},
                 {"dtype", model.config.training.dtype}};
  if (accelerator != nullptr) report["device"] = accelerator->name;
  report["keys"] = restrict(o, model, oracle);
  report["files"] = json::array();
  checks::ProgressLine line("evaluate-tsm");
  for (const std::string& name : o.files) {
    const TokenFile file(name);
    json entry = {{"file", name}, {"sha256", file.sha256() ? json(*file.sha256()) : json(nullptr)}};
    if (o.recall) {
      const AnswerKey key = read_answer_key(answer_key_file(name), file);
      entry["names"] = key.candidates.size();
      entry["recall"] =
          recall_json(recall(*model.transformer, file, key, [&](double part) { line.show(name, part); }));
    } else if (o.answers) {
      const TaskAnswers answers = read_task_answers(answer_key_file(name), file);
      entry["tasks"] = tasks_json(
          evaluate_tasks(*model.transformer, file, answers, [&](double part) { line.show(name, part); }));
    } else {
      options.progress = [&](double part) { line.show(name, part); };
      entry["series"] = json::array();
      if (o.every_token > 0) {
        entry["series"].push_back(
            series_json(every_token(*model.transformer, file, o.every_token, name, options.progress)));
      } else {
        for (const Series& series : evaluate(*model.transformer, file, name, options))
          entry["series"].push_back(series_json(series));
      }
    }
    report["files"].push_back(std::move(entry));
  }
  const std::string text = o.format == "json" ? report.dump(2) + "\n" : evaluation_text(report);
  checks::write_output(o.output, text);
  return checks::kDone;
}

}  // namespace

int run(int argc, char** argv) {
  return checks::program_main(
      {"evaluate-tsm",
       "Perplexity of a trained model by the length of the text it has "
       "read, names recalled by distance, and answers of tasks.",
       "Examples:\n"
       "  evaluate-tsm runs/ape data/tsm/val.bin data/tsm/long-0-5000.bin\n"
       "  evaluate-tsm runs/rope data/tsm/val.bin --window 64 --lengths 64..4096 --format json\n"
       "  evaluate-tsm runs/ape data/tsm/recall.bin --recall\n"
       "  evaluate-tsm runs/tasks data/tasks/far.bin --answers\n"
       "Exit: 0 done, 2 bad use or a wrong file, 1 anything else."},
      argc, argv, options, run);
}

}  // namespace gpe::model::evaluate_tsm_program
