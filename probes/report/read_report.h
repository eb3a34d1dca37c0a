// Reading values out of a report of probe-attention.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "probes/report/report_json.h"

namespace gpe::probes {

/// The number, or NaN for null: what was not measured, or grows without bound.
inline double number(const Json& value) {
  return value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

/// Mean entropy of even weights over rows T/2 … T - 1, which see i + 1 keys: the largest that they can have.
inline double even_entropy(std::int64_t length) {
  const auto rows = static_cast<double>(length - length / 2);
  return (std::lgamma(static_cast<double>(length) + 1) - std::lgamma(static_cast<double>(length / 2) + 1)) /
         rows;
}

}  // namespace gpe::probes
