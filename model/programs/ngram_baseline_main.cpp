// ngram-baseline: the validation loss of an n-gram model, beside which the loss of a network stands.
// Tests: tests/model/make_stories_test.py
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>

#include "checks/cli/program.h"
#include "checks/cli/progress_line.h"
#include "checks/cli/version.h"
#include "model/data/bootstrap.h"
#include "model/data/ngram.h"
#include "model/data/token_file.h"
#include "theory/source/spec_error.h"

namespace gpe::model::ngram_baseline_program {
namespace {

struct Options {
  std::string train;
  std::string validation;
  int order = 3;
  std::string format = "text";
};

struct Loss {
  double nats = 0;  ///< mean over the tokens
  std::size_t tokens = 0;
  std::size_t documents = 0;
  std::optional<ConfidenceInterval> interval;
};

std::int64_t vocabulary_of(const TokenFile& train, const TokenFile& validation) {
  if (train.vocabulary() && validation.vocabulary() && train.vocabulary() != validation.vocabulary()) {
    throw theory::SpecError("the two files have vocabularies of " + std::to_string(*train.vocabulary()) +
                            " and " + std::to_string(*validation.vocabulary()) +
                            " tokens; expected the same");
  }
  const auto named = train.vocabulary() ? train.vocabulary() : validation.vocabulary();
  if (named) {
    train.check(*named);
    validation.check(*named);
    return *named;
  }
  return std::max(*std::ranges::max_element(train.tokens()), *std::ranges::max_element(validation.tokens())) +
         1;
}

Loss validation_loss(const NgramModel& model, const TokenFile& file, int order) {
  const auto tokens = file.tokens();
  std::vector<Cluster> clusters;
  for (const Document& document : file.documents()) {
    Cluster cluster;
    for (std::size_t i = std::max<std::size_t>(document.begin, 1); i < document.end; ++i) {
      const std::size_t context = std::min(i, static_cast<std::size_t>(order) - 1);
      cluster.sum -= model.log_probability(tokens.subspan(i - context, context), tokens[i]);
      ++cluster.count;
    }
    if (cluster.count > 0) clusters.push_back(cluster);
  }
  return {.nats = cluster_mean(clusters),
          .tokens = tokens.size() - 1,
          .documents = clusters.size(),
          .interval = bootstrap_interval(clusters, 1, 0.95, 999)};
}

std::string text(const Options& o, const NgramModel& model, const TokenFile& train, const Loss& loss) {
  std::ostringstream out;
  out << "interpolated " << o.order << "-gram model, Kneser-Ney with three discounts, trained on "
      << train.tokens().size() << " tokens\n"
      << std::fixed << std::setprecision(4);
  for (int k = 1; k <= o.order; ++k) {
    const auto d = model.discounts(k);
    out << "  discounts of order " << k << "  " << d[0] << " " << d[1] << " " << d[2] << "\n";
  }
  out << "loss        " << loss.nats << " nats per token, over " << loss.tokens << " tokens\n";
  if (loss.interval) {
    out << "  95 %      " << loss.interval->lower << " to " << loss.interval->upper << ", bootstrap over "
        << loss.documents << " documents\n";
  }
  out << "perplexity  " << std::setprecision(3) << std::exp(loss.nats) << "\n";
  return out.str();
}

std::string json_text(const Options& o, const NgramModel& model, const TokenFile& train,
                      const TokenFile& validation, const Loss& loss) {
  nlohmann::ordered_json discounts = nlohmann::ordered_json::array();
  for (int k = 1; k <= o.order; ++k) discounts.push_back(model.discounts(k));
  const auto file = [](const TokenFile& tokens) {
    nlohmann::ordered_json result = {{"tokens", tokens.tokens().size()}, {"sha256", nullptr}};
    if (tokens.sha256()) result["sha256"] = *tokens.sha256();
    return result;
  };
  nlohmann::ordered_json interval = nullptr;
  if (loss.interval) interval = {loss.interval->lower, loss.interval->upper};
  const nlohmann::ordered_json report = {
      {"schema", 1},
      {"generator", {{"program", "ngram-baseline"}, {"version", kVersion}}},
      {"model", "interpolated Kneser-Ney, three discounts"},
      {"order", o.order},
      {"discounts", discounts},
      {"train", file(train)},
      {"validation", file(validation)},
      {"loss_nats", loss.nats},
      {"interval_95", interval},
      {"documents", loss.documents},
      {"tokens", loss.tokens},
      {"perplexity", std::exp(loss.nats)}};
  return report.dump(2) + "\n";
}

int run(const Options& o) {
  const TokenFile train(o.train);
  const TokenFile validation(o.validation);
  if (train.tokens().size() < static_cast<std::size_t>(o.order) || validation.tokens().size() < 2) {
    throw theory::SpecError("too few tokens: --order " + std::to_string(o.order) + " is trained on " +
                            std::to_string(train.tokens().size()) + " and validated on " +
                            std::to_string(validation.tokens().size()));
  }
  checks::ProgressLine line("ngram-baseline");
  line.show("counting");
  const NgramModel model(train.tokens(), o.order, vocabulary_of(train, validation));
  line.show("validating");
  const Loss loss = validation_loss(model, validation, o.order);
  line.clear();
  if (o.format == "json") {
    checks::write_output("", json_text(o, model, train, validation, loss));
  } else {
    checks::write_output("", text(o, model, train, loss));
  }
  return checks::kDone;
}

std::vector<checks::Option> options(Options& o) {
  return {{"train", &o.train, "TRAIN.bin", "the token file that the model counts", "", checks::Required{}},
          {"validation", &o.validation, "VAL.bin", "the token file of the loss", "", checks::Required{}},
          {"--order", &o.order, "N", "tokens of a gram (default 3)", "",
           checks::WholeNumbers{1, NgramModel::kMaxOrder}},
          checks::format_option(o.format)};
}

}  // namespace

int run(int argc, char** argv) {
  return checks::program_main({"ngram-baseline", "The validation loss of an n-gram model on token files.",
                               "Example:\n"
                               "  ngram-baseline data/tsm/train.bin data/tsm/val.bin\n"
                               "Exit: 0 done, 2 bad use or a wrong file, 1 anything else."},
                              argc, argv, options, run);
}

}  // namespace gpe::model::ngram_baseline_program
