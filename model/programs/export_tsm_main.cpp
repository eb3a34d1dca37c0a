// export-tsm: a model as a folder that other programs open. Tests: tests/model/interop_export_test.py
#include <string_view>
#include <vector>

#include "checks/arb/expr_ball.h"
#include "checks/cli/file_inside.h"
#include "checks/cli/program.h"
#include "checks/cli/write_file.h"
#include "model/data/mapped_file.h"
#include "model/data/tokenizer.h"
#include "model/interop/export_model.h"
#include "model/interop/open_model.h"
#include "model/programs/model_options.h"
#include "theory/source/printable.h"
#include "theory/source/spec_error.h"

namespace gpe::model::export_tsm_program {
namespace {

namespace fs = std::filesystem;
using theory::SpecError;

struct Options {
  std::string checkpoint;
  std::string output;
  ExportOptions how;
};

std::vector<checks::Option> options(Options& o) {
  return {checkpoint_option(o.checkpoint),
          {"--output", &o.output, "DIR", "the folder that is written", "", checks::Required{}},
          {"--layout", &o.how.layout, "L",
           "gpt2, gpt_neox, or tsm: a class in Python beside the weights (default: the first that fits)", "",
           checks::OneOf{{"gpt2", "gpt_neox", "tsm"}}},
          {"--positions", &o.how.positions, "N",
           "tokens that the written model takes (default: 2048, or the training context if greater)", "",
           checks::WholeNumbers{1, 1 << 24}}};
}

// The token that ends a text, or -1: also for a tokenizer of a kind that is not read here.
std::int64_t end_token(const fs::path& folder) {
  try {
    if (const auto token = Tokenizer::load(folder).added_token(kEndOfText)) return *token;
  } catch (const SpecError&) {
  }
  return -1;
}

// A file of the model's folder, or where one leads: to the folder itself, or to the store of a download,
// which keeps files in blobs/ and links to them in snapshots/REVISION/. A link from a stranger could lead
// anywhere.
fs::path source_file(const fs::path& folder, const char* name) {
  const fs::path file = fs::canonical(folder / name);
  const fs::path here = fs::canonical(folder);
  if (file.parent_path() != here && file.parent_path() != here.parent_path().parent_path() / "blobs")
    throw SpecError((folder / name).string() + ": is a link that leads out of the folder; expected a file");
  return file;
}

struct TokenizerFile {
  const char* name;
  MappedFile file;
};

// Read before anything is written.
std::vector<TokenizerFile> tokenizer_files(const fs::path& from) {
  std::vector<TokenizerFile> files;
  if (!fs::exists(from / "tokenizer.json") && !fs::exists(from / "vocab.json")) return files;
  for (const char* name : {"tokenizer.json", "vocab.json", "merges.txt"}) {
    if (fs::exists(from / name)) files.push_back({name, MappedFile(source_file(from, name))});
  }
  return files;
}

// Beside the model, so that AutoTokenizer finds it.
void write_tokenizer(const std::vector<TokenizerFile>& files, std::int64_t end, const fs::path& to) {
  if (files.empty()) return;
  for (const auto& [name, file] : files) {
    checks::write_file(checks::file_inside(to, name),
                       {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()});
  }
  const std::string token = end >= 0 ? "\"" + std::string(kEndOfText) + "\"" : "null";
  const bool is_one_file = files.front().name == std::string_view("tokenizer.json");
  checks::write_file(checks::file_inside(to, "tokenizer_config.json"),
                     "{\n  \"tokenizer_class\": \"" +
                         std::string(is_one_file ? "PreTrainedTokenizerFast" : "GPT2Tokenizer") +
                         "\",\n  \"bos_token\": " + token + ",\n  \"eos_token\": " + token + "\n}\n");
}

int run(const Options& o) {
  const checks::BallOracle oracle;
  const fs::path output = o.output;
  checks::check_new_folder(output);
  const LoadedModel model = open_model(o.checkpoint, oracle);
  const fs::path source =
      fs::is_directory(o.checkpoint) ? fs::path(o.checkpoint) : fs::path(o.checkpoint).parent_path();
  const std::vector<TokenizerFile> tokenizer = tokenizer_files(source);
  ExportOptions how = o.how;
  if (!tokenizer.empty()) how.end_token = end_token(source);
  const std::string layout = export_model(model, how, output);
  write_tokenizer(tokenizer, how.end_token, output);
  checks::write_output("", theory::printable(o.output) + ": " + layout + "\n");
  return checks::kDone;
}

}  // namespace

int run(int argc, char** argv) {
  return checks::program_main(
      {"export-tsm",
       "A trained model as a folder that AutoModelForCausalLM.from_pretrained of transformers opens.",
       "Examples:\n"
       "  export-tsm runs/rope --output hf/rope\n"
       "  export-tsm runs/ape --output hf/ape --positions 4096\n"
       "Exit: 0 done, 2 bad use or a wrong file, 1 anything else."},
      argc, argv, options, run);
}

}  // namespace gpe::model::export_tsm_program
