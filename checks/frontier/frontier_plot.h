// The points of a frontier as a picture.
#pragma once

#include "checks/frontier/frontier_output.h"
#include "checks/report/svg_plot.h"

namespace gpe::checks {

/// Entropy against the gain, a series for each encoding and head; filled marks are on the frontier. Against
/// the range also the least entropy (F1). Points without a finite number are left out.
Plot frontier_plot(const FrontierReport& report);

}  // namespace gpe::checks
