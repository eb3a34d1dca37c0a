#include "checks/programs/missing_properties.h"

#include "checks/cli/command_line.h"
#include "checks/report/explain.h"

namespace gpe::checks {

std::vector<std::string> missing_properties(const std::string& require,
                                            const std::vector<EncodingReport>& reports) {
  std::vector<std::string> result;
  if (require.empty()) return result;
  for (const std::string& part : split_commas(require)) {
    Selected selected = select_property(part, "--require");
    if (selected.reading.empty())
      selected.reading = std::string(theory::usual_reading(selected.property).name);
    for (const EncodingReport& report : reports) {
      for (const theory::Finding& finding : report.findings) {
        if (finding.reading->property != selected.property || finding.reading->name != selected.reading ||
            finding.quantifier == theory::Quantifier::some ||
            finding.quantifier == theory::Quantifier::random)
          continue;
        if (finding.verdict == theory::Verdict::holds) continue;
        std::string what = report.name;
        if (report.one_head_of_several) what += " head " + std::to_string(report.setting.head);
        what += ": " + std::string(theory::name_of(selected.property)) + " (" + selected.reading + ")";
        if (finding.content_bound) what += " at B = " + finding.content_bound->str();
        result.push_back(what + " " + std::string(theory::name_of(finding.verdict)) + ": " + finding.reason);
      }
    }
  }
  return result;
}

}  // namespace gpe::checks
