// Values to hold an implementation against: slopes by head, buckets by distance, frequencies by block.
#pragma once

#include <string>
#include <vector>

#include "checks/report.h"

namespace gpe::checks {

enum class TableKind { slopes, buckets, frequencies };

/// slopes: b(first) - b(first + 1) of each head, exact and in 17 digits.
/// buckets: the distances where the bias takes a new value, up to `farthest`, for one head.
/// frequencies: angle per token of each block (from the first step), in 17 digits, with its wavelength
/// 2π/frequency.
std::string conformance_table(TableKind kind, const std::vector<EncodingReport>& heads, bool json,
                              std::int64_t farthest = 4096);
/// @throws theory::SpecError
TableKind table_kind(const std::string& name);

}  // namespace gpe::checks
