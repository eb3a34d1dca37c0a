#include "probes/report/report_plot.h"

#include <cmath>

#include "probes/report/read_report.h"
#include "probes/report/report_panels.h"

namespace gpe::probes {

namespace {

ShadedTable greatest_length(const Json& report) {
  ShadedTable table;
  const Json& length = report["lengths"].back();
  table.title = "entropy at T = " + length.dump() + ", nats; dark: near log T";
  const double most = std::log(length.get<double>());
  for (const Json& head : report["heads"]) {
    if (head["layer"].get<std::size_t>() > table.numbers.size()) {
      table.numbers.emplace_back();
      table.shares.emplace_back();
    }
    const double entropy = number(head["lengths"].back()["second_half"]["entropy"]["mean"]);
    table.numbers.back().push_back(entropy);
    table.shares.back().push_back(entropy / most);
  }
  return table;
}

}  // namespace

std::string report_plot(const Json& report) {
  const std::string title = report["encoding"].get<std::string>() + ", trained at " +
                            report["context"].dump() + " tokens, " + report["windows"].dump() +
                            " windows of " + report["lengths"].back().dump();
  return svg_page(title, greatest_length(report), {entropy_panels(report), score_panels(report)});
}

}  // namespace gpe::probes
