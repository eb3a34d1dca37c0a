// render-report: the page of a report that probe-attention or gpe.probe wrote.
#include "checks/program/program.h"
#include "checks/program/read_json.h"
#include "checks/program/version.h"
#include "probes/report/report_page.h"
#include "theory/expression/spec_error.h"
#include "theory/expression/text_file.h"

namespace gpe::probes {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 27;

struct Options {
  std::string report;
  std::string output;
};

std::string standard_input() {
  std::string text;
  char part[65536];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, stdin)) > 0;) {
    text.append(part, n);
    if (text.size() > kMostBytes) throw theory::SpecError("standard input: larger than 128 MiB");
  }
  return text;
}

int run(const Options& o) {
  const std::string source = o.report == "-" ? "standard input" : o.report;
  const std::string text =
      o.report == "-" ? standard_input() : theory::read_regular_file(o.report, kMostBytes);
  const Json report = checks::read_json<Json>(text, source);
  checks::write_output(o.output, report_page(report, source));
  return checks::kDone;
}

}  // namespace
}  // namespace gpe::probes

int main(int argc, char** argv) {
  CLI::App app("A report of probe-attention or gpe.probe as one page of HTML.", "render-report");
  gpe::probes::Options options;
  app.add_option("report", options.report,
                 "what probe-attention --format json wrote, or - for standard input")
      ->required()
      ->type_name("REPORT.json");
  gpe::checks::add_output(app, options.output);
  app.set_version_flag("--version", std::string("render-report ") + gpe::kVersion);
  app.footer(
      "Example:\n"
      "  render-report report.json --output report.html\n"
      "Exit: 0 done, 2 bad use or a wrong file, 1 anything else.");
  return gpe::checks::run_program(app, "render-report", argc, argv,
                                  [&] { return gpe::probes::run(options); });
}
