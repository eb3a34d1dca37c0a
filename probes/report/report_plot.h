// The report of a probe as a picture.
#pragma once

#include <string>

#include "probes/report/report_json.h"

namespace gpe::probes {

/// Layers × heads: the entropy at the greatest length; entropies by length with bands and what was predicted;
/// scores by distance. SVG.
std::string report_plot(const Json& report);

}  // namespace gpe::probes
