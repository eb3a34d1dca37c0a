// Counts and certified numbers as JSON values.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "checks/arb/big_count.h"
#include "checks/arb/decimal.h"
#include "checks/sums/sums.h"

namespace gpe::checks {

using Json = nlohmann::ordered_json;

/// A document; bytes from outside that are not UTF-8 are replaced.
std::string json_text(const Json& document);
/// null for an empty text.
Json json_text_or_null(const std::string& text);
/// Integers up to 2^53 as numbers, beyond as decimal strings.
Json json_integer(const theory::Rational& integer);
/// A number, a decimal string, {"log10": "…"}, "unbounded", or null.
Json json_count(const BigCount& count);
/// {"lower": "…", "upper": "…"} with `digits` significant digits, rounded outward; null for an unknown
/// number.
Json json_ends(const Ball& value, int digits);

}  // namespace gpe::checks
