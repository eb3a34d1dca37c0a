// Values to hold an implementation against: slopes by head, buckets by distance, frequencies by block,
// the factor of the content. Tests: tests/cli/report.cmake, tests/cli/configs.cmake
#pragma once

#include <string>
#include <vector>

#include "checks/report/report.h"

namespace gpe::checks {

enum class TableKind { slopes, buckets, frequencies, temperature };

/// - slopes: b(first) - b(first + 1) of each head, exact and in 17 digits;
/// - buckets: the distances where a bias that reads a table asks for another entry, or else where it takes a
///   new value, up to 4096, by head;
/// - frequencies: angle per token of each block (from the first step), in 17 digits, with its wavelength
///   2π/frequency; where it depends on L, at each of `lengths`. SpecError where an angle is not a multiple of
///   n (ReRoPE), which powers of 32 up to 2^40 show;
/// - temperature: what multiplies q'k/sqrt(d), the gain times the scale of the block, for the blocks from
///   which it changes; where it depends on L or n, at each of `lengths` (n = L = that length).
///
/// The tables of several encodings, each with its heads. As JSON: the one table, or {"schema": 1, "tables":
/// […]}.
std::string conformance_tables(TableKind kind, const std::vector<std::vector<EncodingReport>>& encodings,
                               bool json, const std::vector<theory::Rational>& lengths);
/// @throws theory::SpecError
TableKind table_kind(const std::string& name);

}  // namespace gpe::checks
