// The four properties and the readings of each (docs/readings.md), as types: a function that has to know
// them all switches over them without a default, so that a new reading which it forgets does not compile.
// Tests: tests/cli/require.cmake, tests/cli/gates.cmake
#pragma once

#include <string_view>
#include <variant>
#include <vector>

namespace gpe::theory {

enum class Property { convergent_normalization, entropy_boundedness, ldcp, gps };
enum class NormalizationReading { every_content, some_content, expected };
enum class EntropyReading { limit, some_content, uniform };
enum class CorrelationReading { literal, with_sign, probability, content, weight };
enum class GradientReading { scalar, norm, vector };
/// In the order of Property.
using ReadingOf = std::variant<NormalizationReading, EntropyReading, CorrelationReading, GradientReading>;

/// Of scores with gates along the path, or a bias linear in the query: whether a statement is about every
/// gate or query, or some; or about gates at random.
enum class Quantifier { none, every, some, random };
std::string_view name_of(Quantifier quantifier);  ///< "", "every", "some", "random"

/// One reading of one property.
struct Reading {
  ReadingOf which;
  Property property;
  std::string_view name;
  bool uses_content_bound;     ///< whether the statement speaks of B
  std::string_view statement;  ///< in words and symbols
};

/// All of them, in the order of reports.
const std::vector<Reading>& readings();
/// The reading called `name` ("limit") of a property; nullptr when there is none.
const Reading* find_reading(Property property, std::string_view name);
const Reading& reading(ReadingOf which);
/// The reading of each property that is meant where only the property is named.
inline constexpr ReadingOf kUsualReadings[] = {NormalizationReading::every_content, EntropyReading::limit,
                                               CorrelationReading::weight, GradientReading::vector};
const Reading& usual_reading(Property property);
/// Whether its statement speaks of the bias, and so of gates along the path, or of the query.
bool asks_for_bias(const Reading& reading);
/// "convergent-normalization", …
std::string_view name_of(Property property);
/// "cn", "eb", "ldcp", "gps".
std::string_view short_name_of(Property property);

}  // namespace gpe::theory
