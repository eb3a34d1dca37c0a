// probe-attention: what a trained model's attention does, beside what theory says of it.
// Tests: tests/probes/probe_attention_test.py
#include "checks/program/program.h"
#include "model/programs/model_options.h"
#include "probes/programs/probe_run.h"

namespace gpe::probes {
namespace {

void describe(CLI::App& app, ProbeRun& o) {
  app.add_option("checkpoint", o.checkpoint,
                 "a run's folder or its model.safetensors, or a folder of transformers (docs/data.md)")
      ->required()
      ->type_name("CHECKPOINT");
  app.add_option("--tokens", o.tokens, "a token file of prepare-data or make-stories")
      ->required()
      ->type_name("NAME.bin");
  app.add_option("--lengths", o.lengths, "T, in tokens: 64..16384 (doubling; default), or a list")
      ->type_name("T");
  app.add_option("--windows", o.windows, "of the greatest length (default 4)")
      ->check(CLI::Range(1, 1000000))
      ->type_name("N");
  app.add_option("--buckets", o.buckets,
                 "classes of distances: doubling (0, 1, 2-3, 4-7, ...; default), exact, or where they begin")
      ->type_name("doubling|exact|0,N,...");
  app.add_option("--content-bound", o.content_bound,
                 "B of |c(n)| <= B w(n). measured: of the rows tested (default); weights: what the weights "
                 "allow, for every input; or a number, which is assumed")
      ->type_name("measured|weights|B");
  app.add_option("--epsilon", o.epsilon, "mass beyond the window W(E) (default 1/1000)")->type_name("E");
  app.add_option("--weight", o.weight, "reach of this weight (default 1/2)")->type_name("P");
  app.add_option("--threshold", o.threshold, "of the local range (default 1)")->type_name("C1");
  app.add_option("--fit", o.fit, "predict greater lengths from windows of T tokens (default 256)")
      ->check(CLI::Range(2, 1 << 24))
      ->type_name("T");
  app.add_option("--fit-windows", o.fit_windows,
                 "how many, from text outside of the others (default 128); 0: predict nothing")
      ->check(CLI::Range(0, 1000000))
      ->type_name("N");
  model::add_dtype(app, o.dtype);
  model::add_device(app, o.device);
  checks::add_format(app, o.format);
  app.add_option("--audit", o.audit, "add the mean entropies to a result file of audit-claims, under NAME")
      ->type_name("NAME=FILE");
  app.add_option("--plot", o.plot, "also a picture, .svg, .png or .pdf")
      ->check(checks::output_file())
      ->type_name("FILE");
  app.add_option("--report", o.report, "also a page: charts, tables, verdicts, what to do")
      ->check(checks::output_file())
      ->type_name("FILE.html");
  app.add_option("--serving-windows", o.serving_windows,
                 "also the keys that each head needs, proved or seen, for a program that serves the model")
      ->check(checks::output_file())
      ->type_name("FILE.json");
  checks::add_output(app, o.output);
  model::add_threads(app, o.threads);
  checks::add_heading(app, "Text", {"--tokens", "--lengths", "--windows"});
  checks::add_heading(app, "What is measured",
                      {"--buckets", "--content-bound", "--epsilon", "--weight", "--threshold"});
  checks::add_heading(app, "Predictions", {"--fit", "--fit-windows"});
  checks::add_heading(app, "Machine", {"--dtype", "--device", "--threads"});
  checks::add_heading(app, "Output",
                      {"--format", "--output", "--plot", "--report", "--serving-windows", "--audit"});
  app.footer(
      "Examples:\n"
      "  probe-attention runs/ape --tokens data/tsm/val.bin\n"
      "  probe-attention runs/rope --tokens data/tsm/val.bin --lengths 64..4096 --format json\n"
      "Exit: 0 done, 2 bad use or a wrong file, 3 a head contradicts a theorem, 1 anything else.");
}

}  // namespace
}  // namespace gpe::probes

int main(int argc, char** argv) {
  return gpe::checks::program_main(CLI::App{"Entropy, scores and weights of a trained model's heads, by "
                                            "length and distance, beside what theory predicts.",
                                            "probe-attention"},
                                   "probe-attention", argc, argv, gpe::probes::describe, gpe::probes::run);
}
