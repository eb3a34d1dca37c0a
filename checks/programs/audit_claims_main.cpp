// audit-claims: the claims of a paper, each settled by the engine. Tests: tests/cli/audit.cmake

#include "checks/arb/expr_ball.h"
#include "checks/audit/audit.h"
#include "checks/audit/audit_certificates.h"
#include "checks/audit/audit_output.h"
#include "checks/cli/program.h"
#include "checks/cli/progress_line.h"
#include "checks/halfline/definedness.h"
#include "checks/programs/ask_verifier.h"

namespace gpe::checks::audit_claims_program {
namespace {

struct Options {
  std::string file;
  std::string claim;
  bool list = false;
  std::vector<std::string> only;
  std::vector<std::string> explain;
  std::string results;
  std::string certificates;
  std::string format = "text";
  std::string output;
  double time_limit = 10;
};

std::vector<Option> options(Options& o) {
  return {{"file", &o.file, "FILE",
           "a built-in file of claims (default vetcha2025), or a .toml file; with --claim, an encoding"},
          {"--claim", &o.claim, "FORMULA",
           "one claim, about an encoding by its name: 'for all beta > 1: eb(mine)'; --explain claim: its "
           "whole reason"},
          {"--list", &o.list, "", "the built-in files, one per line"},
          {"--only", &o.only, "ID,...", "these claims alone", "", CommaList{}},
          {"--explain", &o.explain, "ID,...", "these claims in full: formulas, reasons, witnesses, repairs",
           "", CommaList{}},
          {"--results", &o.results, "DIR", "folder of measured results, *.json"},
          {"--certificates", &o.certificates, "DIR",
           "write what verify-certificate needs, a file for each reading that is settled, into this folder"},
          format_option(o.format, "", {"text", "json", "markdown", "latex"}),
          output_option(o.output),
          color_option(),
          time_limit_option(o.time_limit, "each decision and each number")};
}

std::string rendered(const Options& o, const AuditResult& result) {
  if (o.format == "json") return audit_json(result);
  if (o.format == "markdown") return audit_markdown(result);
  if (o.format == "latex") return audit_latex(result);
  const bool color = has_color(o.output);
  return o.explain.empty() ? audit_text(result, color) : audit_explanation(result, color);
}

int audit_claims(const Options& o) {
  std::string text;
  if (o.list) {
    for (const std::string& name : claim_file_names()) text += name + "\n";
  } else {
    AuditOptions options;
    options.results = o.results;
    const auto each = seconds_option(o.time_limit);
    const theory::Context context = ball_context(theory::Budget(each, 4 * each));
    std::vector<std::string> only = o.only;
    only.insert(only.end(), o.explain.begin(), o.explain.end());
    const std::string name = o.file.empty() ? "vetcha2025" : o.file;
    const ClaimFile file = o.claim.empty() ? find_claims(name) : one_claim(o.claim, o.file);
    const auto look = [&](const theory::ScoreFunction& law, const std::string& source) {
      say_each("audit-claims", source, require_defined(law, source, context));
    };
    for (const theory::Encoding& own : file.encodings)
      look(theory::instantiate(own, {}, {}, context), own.source);
    for (const ClaimFamily& family : file.families) {
      const std::string source = name + ": family " + family.name;
      theory::ScoreFunction law;
      for (const theory::Expr& term : family.terms) {
        law.bias = term;
        look(law, source);
      }
      law.bias = theory::Expr(0);
      for (const theory::Expr& gain : family.gains) {
        law.gain = gain;
        look(law, source);
      }
    }
    ProgressLine line("audit-claims");
    options.progress = [&](double part) { line.show("claims", part); };
    AuditResult result = audit(file, only, options, context);
    if (!o.certificates.empty()) line.show("certificates", 0);
    if (!o.certificates.empty()) write_certificates(o.certificates, result, context, ask_verifier);
    text = rendered(o, result);
  }
  write_output(o.output, text);
  return kDone;
}

}  // namespace

int run(int argc, char** argv) {
  return program_main(
      {"audit-claims",
       "Published claims about positional encodings, each settled by proof, counterexample or enclosure.",
       "Examples:\n"
       "  audit-claims                              the claims of Vetcha 2025, one line per reading\n"
       "  audit-claims vetcha2025 --explain T1.i    one claim: its formula, the counterexample, the repair\n"
       "  audit-claims --claim 'for all B > 0: eb(mine, B)' mine.toml\n"
       "  audit-claims published --format latex --output audit.tex\n"
       "  audit-claims --certificates DIR && verify-certificate DIR/*.json\n"
       "Exit: 0 done, 2 bad use or a wrong file, 1 anything else. Verdicts do not change the exit code."},
      argc, argv, options, audit_claims);
}

}  // namespace gpe::checks::audit_claims_program
