// Reading values out of a report of probe-attention.
#pragma once

#include <limits>

#include "probes/report_json.h"

namespace gpe::probes {

/// The number, or NaN for null: what was not measured, or grows without bound.
inline double number(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace gpe::probes
