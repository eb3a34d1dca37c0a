// evaluate-tsm: perplexity by length, names recalled by distance, and answers of tasks.
// Tests: tests/model/evaluate_sample_test.py
#include <nlohmann/json.hpp>

#include "checks/arb/expr_ball.h"
#include "checks/program/program.h"
#include "checks/program/progress_line.h"
#include "checks/program/version.h"
#include "model/evaluation/certified_window.h"
#include "model/evaluation/evaluate_report.h"
#include "model/interop/open_model.h"
#include "model/programs/model_options.h"
#include "theory/expression/spec_error.h"

namespace gpe::model {
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

void describe(CLI::App& app, Options& o) {
  app.add_option("checkpoint", o.checkpoint,
                 "a run's folder or its model.safetensors, or a folder of transformers (docs/data.md)")
      ->required()
      ->type_name("CHECKPOINT");
  app.add_option("files", o.files, "token files of prepare-data, make-stories or make-tasks")
      ->required()
      ->type_name("NAME.bin");
  app.add_option("--lengths", o.lengths,
                 "in tokens: 64..16384 (doubling; default, as far as the model has positions), or a list")
      ->type_name("T");
  app.add_option("--windows", o.windows, "of the greatest length (default 16)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  app.add_flag("--recall", o.recall,
               "how often names asked for are known, by distance: NAME.answers.json beside NAME.bin");
  app.add_flag("--answers", o.answers,
               "how often answers are known, and their loss, by task and length: NAME.answers.json of "
               "make-tasks beside NAME.bin");
  app.add_option("--every-token", o.every_token,
                 "instead, the mean loss over all tokens, read in pieces of T: beside that of ngram-baseline")
      ->check(CLI::Range(1, 1 << 24))
      ->type_name("T");
  app.add_option("--window", o.window, "no head sees more than this many keys")
      ->check(CLI::Range(1, 1 << 30))
      ->type_name("KEYS");
  app.add_option("--epsilon", o.epsilon,
                 "each head sees the W + 1 keys outside of which its weight is at most E, with proof")
      ->type_name("E");
  app.add_option(
         "--content-bound", o.content_bound,
         "of --epsilon: |q||k|/sqrt(d) <= B. weights: what the weights allow, for every input (default); or "
         "a number, which is assumed")
      ->type_name("weights|B");
  add_dtype(app, o.dtype);
  checks::add_format(app, o.format);
  checks::add_output(app, o.output);
  add_device(app, o.device);
  add_threads(app, o.threads);
  checks::add_heading(app, "What is measured",
                      {"--lengths", "--windows", "--recall", "--answers", "--every-token"});
  checks::add_heading(app, "Keys that heads see", {"--window", "--epsilon", "--content-bound"});
  checks::add_heading(app, "Machine", {"--dtype", "--device", "--threads"});
  checks::add_heading(app, "Output", {"--format", "--output"});
  app.footer(
      "Examples:\n"
      "  evaluate-tsm runs/ape data/tsm/val.bin data/tsm/long-0-5000.bin\n"
      "  evaluate-tsm runs/rope data/tsm/val.bin --window 64 --lengths 64..4096 --format json\n"
      "  evaluate-tsm runs/ape data/tsm/recall.bin --recall\n"
      "  evaluate-tsm runs/tasks data/tasks/far.bin --answers\n"
      "Exit: 0 done, 2 bad use or a wrong file, 1 anything else.");
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
}  // namespace gpe::model

int main(int argc, char** argv) {
  return gpe::checks::program_main(CLI::App{"Perplexity of a trained model by the length of the text it has "
                                            "read, names recalled by distance, and answers of tasks.",
                                            "evaluate-tsm"},
                                   "evaluate-tsm", argc, argv, gpe::model::describe, gpe::model::run);
}
