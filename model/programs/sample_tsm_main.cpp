// sample-tsm: text from a trained model. Tests: tests/model/evaluate_sample_test.py
#include <algorithm>
#include <iomanip>
#include <sstream>

#include "checks/arb/expr_ball.h"
#include "checks/cli/program.h"
#include "model/evaluation/certified_window.h"
#include "model/evaluation/sample.h"
#include "model/interop/open_model.h"
#include "model/programs/model_options.h"
#include "theory/source/printable.h"
#include "theory/source/spec_error.h"

namespace gpe::model::sample_tsm_program {
namespace {

using theory::SpecError;

struct Options {
  std::string checkpoint;
  std::string prompt;
  std::string tokenizer;
  std::string epsilon;
  std::string content_bound = "weights";
  std::string dtype;
  SampleOptions sample;
  int threads = 0;
};

std::vector<checks::Option> options(Options& o) {
  return {
      checkpoint_option(o.checkpoint),
      {"--prompt", &o.prompt, "TEXT", "how the text begins (default: a new document)"},
      {"--tokens", &o.sample.tokens, "N", "greatest number of tokens (default 200)", "",
       checks::WholeNumbers{1, 1 << 24}},
      {"--temperature", &o.sample.temperature, "T",
       "divides the logits (default 0.8); 0: always the likeliest token", "", checks::Numbers{0.0, 100.0}},
      {"--top-k", &o.sample.top_k, "K", "only among the K likeliest (default 50); 0: all", "",
       checks::WholeNumbers{0, 65536}},
      {"--seed", &o.sample.seed, "N", "random seed (default 1)"},
      {"--epsilon", &o.epsilon, "E",
       "keep only the W + 1 newest keys; all others have at most the weight E in each head, with proof"},
      {"--content-bound", &o.content_bound, "weights|text|B",
       "the bound |q||k|/sqrt(d) <= B of --epsilon. weights: what the weights allow, for every input "
       "(default); "
       "text: what is seen, for this text; or a number, which is assumed"},
      {"--tokenizer", &o.tokenizer, "PATH",
       "tokenizer.json or its folder (default: that of the run, else bytes)"},
      dtype_option(o.dtype),
      threads_option(o.threads)};
}

Tokenizer tokenizer_of(const Options& o) {
  if (!o.tokenizer.empty()) return Tokenizer::load(o.tokenizer);
  std::filesystem::path folder = o.checkpoint;
  if (!std::filesystem::is_directory(folder)) folder = folder.parent_path();
  for (const char* file : {"tokenizer.json", "vocab.json"}) {
    if (std::filesystem::exists(folder / file)) return Tokenizer::load(folder);
  }
  return Tokenizer::bytes();
}

std::string bounds_text(const std::string& option) {
  if (option == "weights") return "from weights: for every input";
  return option == "text" ? "a posteriori: for this text" : "assumed, not proved";
}

// The text on standard output, up to its last whole character: a token may end within one.
class TextOutput {
 public:
  void write(const std::string& part) {
    held_ += part;
    const std::size_t whole = held_.size() - theory::unfinished(held_);
    checks::write_output("", theory::printable_lines(held_.substr(0, whole)));
    held_.erase(0, whole);
  }
  void end() { checks::write_output("", theory::printable_lines(held_) + "\n"); }

 private:
  std::string held_;
};

// What the bounded cache held back, and what that did.
void report(const Options& o, const BoundedReader& bounded, double difference) {
  double largest = 0;
  for (const auto& of_layer : bounded.bounds()) largest = std::max(largest, std::ranges::max(of_layer));
  std::ostringstream text;
  text
      << "at most " << bounded.most_keys() << " keys in the cache; no head has more than " << o.epsilon
      << " of its weight on others, so no head's output moves by more than twice that times its longest value"
      << std::setprecision(4) << "\n  content bound |q||k|/sqrt(d) <= " << largest << ", "
      << bounds_text(o.content_bound);
  if (bounded.times_read_again() > 0)
    text << "\n  read again " << bounded.times_read_again() << " times with greater bounds";
  text << std::setprecision(3) << "\n  measured: logits differ by at most " << difference
       << " from those with all keys (the bound is a head's)";
  checks::say("sample-tsm", text.str());
}

int run(const Options& o) {
  const checks::BallOracle oracle;
  if (o.threads > 0) at::set_num_threads(o.threads);
  LoadedModel model = open_model(o.checkpoint, oracle, o.dtype);
  const Tokenizer tokenizer = tokenizer_of(o);
  if (tokenizer.vocabulary_size() > model.config.model.vocabulary) {
    throw SpecError("the tokenizer has " + std::to_string(tokenizer.vocabulary_size()) +
                    " tokens, the model " + std::to_string(model.config.model.vocabulary) +
                    "; --tokenizer names the right one");
  }
  SampleOptions options = o.sample;
  options.end = tokenizer.added_token(kEndOfText);
  options.vocabulary = tokenizer.vocabulary_size();
  std::vector<Token> prompt;
  if (options.end) prompt.push_back(*options.end);
  const std::vector<Token> text = tokenizer.encode_ordinary(o.prompt);
  prompt.insert(prompt.end(), text.begin(), text.end());
  if (prompt.empty()) throw SpecError("--prompt is empty, and the tokenizer has no token to begin with");
  const std::int64_t table = model.config.model.position_table;
  if (table > 0 && static_cast<std::int64_t>(prompt.size()) + options.tokens - 1 > table) {
    throw SpecError("--tokens: " + std::to_string(options.tokens) + " after " +
                    std::to_string(prompt.size()) + " of the prompt are more than the " +
                    std::to_string(table) + " positions that the model has");
  }
  std::optional<BoundedReader> bounded;
  if (!o.epsilon.empty()) {
    std::optional<std::vector<std::vector<double>>> bounds;
    if (o.content_bound != "text") bounds = content_bounds_option(o.content_bound, model);
    bounded.emplace(model, open_model(o.checkpoint, oracle, o.dtype), epsilon_option(o.epsilon), bounds,
                    oracle);
  }
  TextOutput output;
  output.write(o.prompt);
  double difference = 0;
  sample(*model.transformer, bounded ? &*bounded : nullptr, prompt, options, [&](const SampleStep& step) {
    difference = std::max(difference, step.logits_difference.value_or(0));
    if (options.end && step.token == *options.end) return;
    output.write(tokenizer.decode(std::vector<Token>{step.token}));
  });
  output.end();
  if (bounded) report(o, *bounded, difference);
  return checks::kDone;
}

}  // namespace

int run(int argc, char** argv) {
  return checks::program_main(
      {"sample-tsm", "Text from a trained model.",
       "Examples:\n"
       "  sample-tsm runs/ape --prompt 'Once upon a time'\n"
       "  sample-tsm runs/ape --prompt 'Tom had a dog' --tokens 4000 --epsilon 1e-4 --content-bound text\n"
       "Exit: 0 done, 2 bad use or a wrong file, 1 anything else."},
      argc, argv, options, run);
}

}  // namespace gpe::model::sample_tsm_program
