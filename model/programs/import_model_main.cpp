// import-model: a model of llama2.c as a checkpoint of the programs here.
// Tests: tests/model/import_model_test.py
#include "checks/arb/expr_ball.h"
#include "checks/cli/file_inside.h"
#include "checks/cli/program.h"
#include "checks/cli/write_file.h"
#include "model/interop/llama2c.h"
#include "model/training/run_folder.h"
#include "theory/source/printable.h"
#include "theory/source/spec_error.h"

namespace gpe::model::import_model_program {
namespace {

namespace fs = std::filesystem;
using theory::SpecError;

struct Options {
  std::string model;
  std::string tokenizer;
  std::string output;
};

std::vector<checks::Option> options(Options& o) {
  return {{"model", &o.model, "MODEL.bin", "a model file of llama2.c, version 0 (docs/data.md)", "",
           checks::Required{}},
          {"--tokenizer", &o.tokenizer, "FILE",
           "the tokenizer.bin that belongs to it (default: none is written)"},
          {"--output", &o.output, "DIR", "the folder that is written", "", checks::Required{}}};
}

int run(const Options& o) {
  const checks::BallOracle oracle;
  const fs::path output = o.output;
  checks::check_new_folder(output);
  const LoadedModel model = read_llama2c(o.model, oracle);
  const TsmConfig::Model& m = model.config.model;
  const std::string tokenizer = o.tokenizer.empty() ? "" : llama2c_tokenizer(o.tokenizer, m.vocabulary);
  fs::create_directories(output);
  if (!tokenizer.empty()) checks::write_file(checks::file_inside(output, "tokenizer.json"), tokenizer);
  checks::write_file(checks::file_inside(output, "config.toml"), to_toml(model.config));
  write_encoding_files(model.encoding, checks::file_inside(output, "encoding.toml"));
  write_model(checks::file_inside(output, kModelFile), model);
  checks::write_output("", theory::printable(o.output) + ": " + std::to_string(m.layers) + " layers, " +
                               std::to_string(m.heads) + " heads, width " + std::to_string(m.width) +
                               ", vocabulary " + std::to_string(m.vocabulary) + ", context " +
                               std::to_string(model.config.training.context) + "\n");
  return checks::kDone;
}

}  // namespace

int run(int argc, char** argv) {
  return checks::program_main({"import-model",
                               "A model that llama2.c trained, as a checkpoint for "
                               "evaluate-tsm, sample-tsm, probe-attention and train-tsm.",
                               "Example:\n"
                               "  import-model stories260K.bin --tokenizer tok512.bin --output imported\n"
                               "Exit: 0 done, 2 bad use or a wrong file, 1 anything else."},
                              argc, argv, options, run);
}

}  // namespace gpe::model::import_model_program
