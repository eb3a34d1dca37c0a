// The pictures of a report, one panel a head: entropies by length, scores by distance.
#pragma once

#include "probes/report/report_json.h"
#include "probes/report/svg_panels.h"

namespace gpe::probes {

/// Okabe and Ito's colours, told apart by colour-blind readers too; bands in pale ones.
struct PanelColors {
  std::string measured = "#0072b2";
  std::string predicted = "#d55e00";
  std::string one_row = "#000000";
  std::string ranges = "#bcdcf0";
  std::string bound = "#eeeeee";
};

/// Entropies by length, with bands and what was predicted, where the report has them.
PanelGrid entropy_panels(const Json& report, const PanelColors& colors = {});
/// Mean scores by distance, with their deviation, and the bias, where the report has it.
PanelGrid score_panels(const Json& report, const PanelColors& colors = {});

}  // namespace gpe::probes
