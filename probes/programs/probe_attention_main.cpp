// probe-attention: what a trained model's attention does, beside what theory says of it.
// Tests: tests/probes/probe_attention_test.py
#include "checks/cli/program.h"
#include "model/programs/model_options.h"
#include "probes/programs/probe_run.h"

namespace gpe::probes {
namespace {

std::vector<checks::Option> options(ProbeRun& o) {
  return {model::checkpoint_option(o.checkpoint),
          {"--tokens", &o.tokens, "NAME.bin", "a token file of prepare-data or make-stories", "Text",
           checks::Required{}},
          {"--lengths", &o.lengths, "T", "T, tokens read: 64..16384 (doubling; default), or a list", "Text"},
          {"--windows", &o.windows, "N", "number of windows of the greatest length (default 4)", "Text",
           checks::WholeNumbers{1, 1000000}},
          {"--buckets", &o.buckets, "doubling|exact|0,N,...",
           "classes of distances: doubling (0, 1, 2-3, 4-7, ...; default), exact, or where they begin",
           "What is measured"},
          {"--content-bound", &o.content_bound, "measured|weights|B",
           "B of |c(n)| <= B w(n). measured: of the rows tested (default); weights: what the weights "
           "allow, for every input; or a number, which is assumed",
           "What is measured"},
          {"--epsilon", &o.epsilon, "E", "mass beyond the window W(E) (default 1/1000)", "What is measured"},
          {"--weight", &o.weight, "P", "reach of this weight (default 1/2)", "What is measured"},
          {"--threshold", &o.threshold, "C1", "local range threshold C1 > 0 (default 1)", "What is measured"},
          {"--fit", &o.fit, "T", "predict greater lengths from windows of T tokens (default 256)",
           "Predictions", checks::WholeNumbers{2, 1 << 24}},
          {"--fit-windows", &o.fit_windows, "N",
           "number of these windows, from text outside the others (default 128); 0: predict nothing",
           "Predictions", checks::WholeNumbers{0, 1000000}},
          model::dtype_option(o.dtype, "Machine"),
          model::device_option(o.device, "Machine"),
          checks::format_option(o.format, "Output"),
          {"--audit", &o.audit, "NAME=FILE",
           "add the mean entropies to a result file of audit-claims, under NAME", "Output"},
          {"--serving-windows", &o.serving_windows, "FILE.json",
           "also the keys that each head needs, proved or seen, for a program that serves the model",
           "Output", checks::OutputFile{}},
          checks::output_option(o.output, "Output"),
          model::threads_option(o.threads, "Machine")};
}

}  // namespace
}  // namespace gpe::probes

int main(int argc, char** argv) {
  return gpe::checks::program_main(
      {"probe-attention",
       "Entropy, scores and weights of a trained model's heads, by "
       "length and distance, beside what theory predicts.",
       "Examples:\n"
       "  probe-attention runs/ape --tokens data/tsm/val.bin\n"
       "  probe-attention runs/rope --tokens data/tsm/val.bin --lengths 64..4096 --output rope.json\n"
       "Exit: 0 done, 2 bad use or a wrong file, 3 a head contradicts a theorem, 1 anything else."},
      argc, argv, gpe::probes::options, gpe::probes::run);
}
