// What makes a score a family of functions of n, in an encoding file: [score.path] and [score.query].
// Tests: tests/theory/properties/property_query_test.cpp, tests/theory/properties/path_test.cpp
#pragma once

#include <string>
#include <string_view>

#include "theory/score/encoding.h"
#include "theory/score/spec_expression.h"
#include "theory/source/toml_keys.h"

namespace gpe::theory {

/// "path" or "query", the table that a key belongs to; empty for other keys.
std::string_view family_of(std::string_view key);

/// Whether all weights are a softmax of functions of n (and L): no gates, no bias of the query, no other
/// normalizer.
bool is_softmax_of_n(const Encoding& encoding);

/// The names that their formulas may mention.
struct FamilyNames {
  const NameScope& of_n;
  const NameScope& constant;
};

/// Reads both tables. @pre the other keys of [score] are read
/// @throws SpecError  also for what theorems P1 and Q1 are not about
void read_families(const TomlSource& toml, const toml::table& score, const FamilyNames& names,
                   std::string (*place_of)(std::string_view), Encoding& encoding);

}  // namespace gpe::theory
