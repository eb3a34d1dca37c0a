// render-report: the page of a report that probe-attention or gpe.probe wrote.
#include "checks/program.h"
#include "checks/version.h"
#include "probes/report_page.h"
#include "theory/spec_error.h"
#include "theory/spec_parse.h"

namespace gpe::probes {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;

struct Options {
  std::string report;
  std::string output;
};

std::string read(std::FILE* file, const std::string& source) {
  std::string text;
  char part[65536];
  for (std::size_t n; (n = std::fread(part, 1, sizeof part, file)) > 0;) {
    text.append(part, n);
    if (text.size() > kMostBytes) throw theory::SpecError(source + ": larger than 1 GiB");
  }
  return text;
}

std::string report_text(const std::string& what) {
  if (what == "-") return read(stdin, "standard input");
  std::FILE* file = std::fopen(what.c_str(), "rb");
  if (file == nullptr) throw theory::SpecError(what + ": cannot be read");
  std::string text;
  try {
    text = read(file, what);
  } catch (...) {
    std::fclose(file);
    throw;
  }
  std::fclose(file);
  return text;
}

int run(const Options& o) {
  const std::string source = o.report == "-" ? "standard input" : o.report;
  const Json report = Json::parse(report_text(o.report), nullptr, false);
  if (report.is_discarded()) throw theory::SpecError(source + ": not JSON");
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
