// train-tsm: trains a Tiny Story Maker with any encoding, or resumes a run.
// Tests: tests/model/train_resume_test.py
#include <sched.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <limits>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "checks/arb/expr_ball.h"
#include "checks/cli/file_inside.h"
#include "checks/cli/program.h"
#include "checks/cli/progress_line.h"
#include "checks/cli/version.h"
#include "checks/cli/write_file.h"
#include "model/programs/model_options.h"
#include "model/training/resume.h"
#include "model/training/run_folder.h"
#include "model/training/trainer.h"
#include "theory/source/spec_error.h"

namespace gpe::model::train_tsm_program {
namespace {

namespace fs = std::filesystem;

std::atomic<bool> stop = false;

void on_signal(int) { stop = true; }

// Every step takes tensors of the same sizes: memory that is given back to the system comes again as empty
// pages, one fault each.
void keep_memory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

struct Options {
  std::string config;
  std::string data;
  std::string output;
  std::string encoding;
  std::vector<std::string> set;
  std::string init;
  bool resume = false;
  std::int64_t iterations = -1;
  double data_fraction = 0;
  std::string device = "cpu";
  int threads = 0;
  bool log_entropy = false;
  bool quiet = false;
};

std::vector<checks::Option> options(Options& o) {
  return {
      {"config", &o.config, "CONFIG",
       "a TOML file (docs/training.md); default: the paper's model and protocol"},
      {"--data", &o.data, "DIR", "a folder of prepare-data with train.bin and val.bin (default: $GPE_DATA)",
       "Run"},
      {"--output", &o.output, "RUN", "the run's folder: checkpoint, log, learned encoding", "Run",
       checks::Required{}},
      {"--encoding", &o.encoding, "ENCODING", "a built-in name or a .toml file: position.encoding",
       "Configuration"},
      {"--set", &o.set, "KEY=VALUE", "override a key of the configuration", "Configuration"},
      {"--init", &o.init, "RUN", "start from the weights and the model of another run (fine-tuning)", "Run"},
      {"--resume", &o.resume, "", "resume the run in --output, bit for bit as if it had never stopped",
       "Run"},
      {"--iterations", &o.iterations, "N", "training.iterations", "Configuration",
       checks::WholeNumbers{0, 1000000000}},
      {"--data-fraction", &o.data_fraction, "F",
       "only the first part of the training tokens: training.data_fraction", "Configuration",
       checks::Numbers{1e-9, 1.0}},
      device_option(o.device, "Machine"),
      threads_option(o.threads, "Machine"),
      {"--log-entropy", &o.log_entropy, "",
       "entropies and largest scores by layer and head in the log, with each loss, or every "
       "output.entropy_every steps",
       "Log"},
      {"--quiet", &o.quiet, "", "no progress", "Log"}};
}

/// @param other  that of the run to begin with
TsmConfig configuration(const Options& o, const std::optional<TsmConfig>& other) {
  TsmConfig config = o.config.empty() ? TsmConfig() : load_config(o.config);
  if (other) {
    config.model = other->model;
    if (o.config.empty()) {
      config.training = other->training;
      config.output = other->output;
    }
    if (o.encoding.empty() && o.config.empty()) config.position = other->position;
  }
  if (!o.encoding.empty()) config.position.encoding = o.encoding;
  for (const std::string& assignment : o.set) override_config(config, assignment);
  if (o.iterations >= 0) config.training.iterations = o.iterations;
  if (o.data_fraction > 0) config.training.data_fraction = o.data_fraction;
  if (o.log_entropy && config.output.entropy_every == 0)
    config.output.entropy_every = config.output.log_every;
  check_config(config);
  return config;
}

// Whether model and position are the same, so that learned parameters of positions are kept, too.
bool same_network(const TsmConfig& one, const TsmConfig& other) {
  TsmConfig with_others = one;
  with_others.model = other.model;
  with_others.position = other.position;
  return to_toml(with_others) == to_toml(one);
}

// What a machine does not have is said before it is asked for.
void check_memory(const TsmConfig& config, bool on_cpu) {
  constexpr double kWeight = 16;  // bytes: itself, its gradient and two moments
  constexpr double kEntry = 32;   // of a token, by layer and width: no step keeps less until it goes back
  const TsmConfig::Training& t = config.training;
  double bytes = kWeight * weight_count(config);
  if (on_cpu)
    bytes += kEntry * static_cast<double>(t.batch * t.context) *
             static_cast<double>(config.model.layers * config.model.width);
  const double machine =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (bytes <= machine) return;
  constexpr double kGiB = 0x1p30;
  throw theory::SpecError("the configuration takes " + decimal(std::ceil(bytes / kGiB)) +
                          " GiB at least, this machine has " + decimal(std::floor(machine / kGiB)) +
                          "; expected a smaller model, or a smaller training.batch");
}

int available_cpus() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

// Among the ranks of this machine, as launchers tell it.
int local_rank() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"}) {
    if (const char* value = std::getenv(name)) return std::atoi(value);
  }
  return 0;
}

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds);
  char text[32];
  std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", static_cast<long>(whole / 3600),
                static_cast<long>(whole / 60 % 60), static_cast<long>(whole % 60));
  return text;
}

int run(const Options& o, Ranks& ranks) {
  const checks::BallOracle oracle;
  const char* from_environment = std::getenv("GPE_DATA");
  std::string data_folder = o.data;
  if (data_folder.empty() && from_environment != nullptr) data_folder = from_environment;
  if (data_folder.empty())
    throw theory::SpecError("--data is missing: a folder with train.bin and val.bin, as of prepare-data");
  if (o.threads > 0) {
    at::set_num_threads(o.threads);
  } else if (ranks.size() > 1) {  // mpirun gives each rank CPUs of its own
    at::set_num_threads(available_cpus());
  }
  keep_memory();
  const auto accelerator = accelerator_option(o.device, local_rank());
  const fs::path folder = o.output;
  std::optional<RunLock> lock;
  if (ranks.leads()) lock.emplace(folder);
  LoadedModel model;
  if (o.resume) {
    if (!o.config.empty() || !o.init.empty() || !o.encoding.empty() || !o.set.empty() || o.iterations >= 0 ||
        o.data_fraction > 0 || o.log_entropy) {
      throw theory::SpecError(
          "--resume resumes with the configuration of the run; give only --output and --data");
    }
    model = load_run(folder, oracle);
  } else {
    if (fs::exists(folder / "model.safetensors")) {
      throw theory::SpecError(folder.string() + " holds a run already; --resume resumes it");
    }
    std::optional<TsmConfig> other;
    if (!o.init.empty()) other = load_model(o.init, oracle).config;
    TsmConfig config = configuration(o, other);
    settle_vocabulary(config, TokenFile(fs::path(data_folder) / "train.bin").vocabulary());
    check_memory(config, accelerator == nullptr);
    if (other && same_network(config, *other)) {
      model = begin_from(o.init, config, oracle);
    } else {
      model = new_model(config, oracle);
      if (other) take_weights(o.init, *model.transformer);
    }
  }
  check_table_names(model.encoding);
  model.transformer->to(accelerator);
  const TrainingData data =
      TrainingData::open(data_folder, model.config.model.vocabulary, model.config.training.answers_only);
  ranks.any(false);  // all have looked for a run before one begins to write
  if (!o.resume && ranks.leads()) {
    std::optional<std::string> tokenizer;  // so that the run can speak
    if (data.train.tokenizer()) tokenizer = data.train.tokenizer_text();
    checks::write_file(checks::file_inside(folder, "config.toml"), to_toml(model.config));
    if (tokenizer) checks::write_file(checks::file_inside(folder, "tokenizer.json"), *tokenizer);
  }
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  checks::ProgressLine line("train-tsm");
  Trainer trainer(model, data, folder, ranks, [&](const std::string& what) {
    line.clear();
    if (ranks.leads() && !o.quiet) checks::say("train-tsm", what);
  });
  const bool finished = trainer.run(stop, [&](const Progress& p) {
    if (o.quiet || !ranks.leads()) return;
    std::string text = "iteration " + std::to_string(p.iteration) + "/" + std::to_string(p.iterations);
    char numbers[128];
    std::snprintf(numbers, sizeof numbers, "  loss %.4f  %.0f tokens/s  %s left", p.loss, p.tokens_per_second,
                  duration(p.seconds_left).c_str());
    text += numbers;
    if (p.validation_loss) {
      std::snprintf(numbers, sizeof numbers, "  validation %.4f", *p.validation_loss);
      text += numbers;
    }
    line.show(text);
  });
  line.clear();
  if (finished || !ranks.leads()) return finished ? checks::kDone : checks::kFailed;
  checks::say("train-tsm", "stopped at iteration " + std::to_string(model.iteration) + " of " +
                               std::to_string(model.config.training.iterations) +
                               "; checkpoint saved; continue with --resume");
  return checks::kFailed;
}

}  // namespace

int run(int argc, char** argv) {
  Options o;
  std::unique_ptr<Ranks> ranks;
  bool together = true;  // until one of them fails
  const int code = checks::run_program(
      {"train-tsm", "Trains a Tiny Story Maker, a small GPT-2, with any positional encoding.",
       "Examples:\n"
       "  train-tsm --data data/gpt2 --encoding rope --output runs/rope\n"
       "  train-tsm small.toml --data data/tsm --set training.context=128 --output runs/small\n"
       "  train-tsm --resume --data data/tsm --output runs/small\n"
       "  train-tsm --data data/tasks --encoding alibi --set training.answers_only=true --output runs/tasks\n"
       "  train-tsm --init runs/rope --encoding ape --iterations 500 --data-fraction 0.01 --data data/gpt2 "
       "--output runs/tuned\n"
       "  mpirun -n 2 train-tsm --data data/gpt2 --output runs/two    each rank takes training.batch rows of "
       "a step\n"
       "Exit: 0 trained to the end, 1 stopped by a signal (the run is saved) or failed, 2 bad use or a wrong "
       "file."},
      argc, argv, options(o), [&] {
        ranks = Ranks::begin();
        together = false;
        const int result = run(o, *ranks);
        together = true;
        return result;
      });
  if (!together) ranks->abandon(code);
  return code;
}

}  // namespace gpe::model::train_tsm_program
