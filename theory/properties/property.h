// The four properties, each in every reading (docs/readings.md), and what a decision about one needs.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "theory/asymptotics/limit.h"
#include "theory/exact/region.h"
#include "theory/score/law.h"

namespace gpe::theory {

enum class Property { convergent_normalization, entropy_boundedness, ldcp, gps };

/// One reading of one property.
struct Reading {
  Property property;
  std::string_view name;
  bool uses_content_bound;     ///< whether the statement speaks of B
  std::string_view statement;  ///< in words and symbols
};

/// All of them, in the order of reports.
const std::vector<Reading>& readings();
/// The reading called `name` ("limit") of a property; nullptr when there is none.
const Reading* find_reading(Property property, std::string_view name);
/// The reading of each that is meant where only the property is named.
inline constexpr std::pair<Property, std::string_view> kUsualReadings[] = {
    {Property::convergent_normalization, "every-content"},
    {Property::entropy_boundedness, "limit"},
    {Property::ldcp, "weight"},
    {Property::gps, "vector"}};
std::string_view usual_reading(Property property);
/// "convergent-normalization", …
std::string_view name_of(Property property);
/// "cn", "eb", "ldcp", "gps".
std::string_view short_name_of(Property property);

/// Decides one reading for a law whose parameters are closed or assumed about in `context`.
/// @param bound  the content bound B, a positive number or the symbol B
/// @throws SplitRequest, Undecided, Undefined (see explore)
Decision decide(const Reading& reading, const Law& law, const Expr& bound, const Context& context);

// The parts, one file each.
Decision decide_normalization(std::string_view reading, const Law& law, const Expr& bound,
                              const Context& context);
Decision decide_entropy(std::string_view reading, const Law& law, const Expr& bound, const Context& context);
Decision decide_ldcp(std::string_view reading, const Law& law, const Context& context);
Decision decide_gps(std::string_view reading, const Law& law, const Context& context);
/// For a law that mentions L: normalization and entropy, by bounds that hold for every n <= L.
Decision decide_with_length(const Reading& reading, const Law& law, const Expr& bound,
                            const Context& context);

/// Bounds of an expression of n and L over first <= n <= L, or over the window, as L tends to infinity: `low`
/// bounds its infimum from below, `high` its supremum from above.
LimitBounds length_bounds(const Expr& expression, const Law& law, const Context& context);

inline Decision holds(std::string reason) { return {Truth::holds, std::move(reason)}; }
inline Decision fails(std::string reason) { return {Truth::fails, std::move(reason)}; }
inline Decision decided(bool yes, std::string reason) {
  return {yes ? Truth::holds : Truth::fails, std::move(reason)};
}

/// Whether H_L stays bounded for the score A(n) alone.
struct EntropyGrowth {
  bool bounded;
  std::string reason;
};
EntropyGrowth decide_entropy_growth(const Expr& score, const Context& context);

/// The order of |gain(n)|·norm(n), the size of the gradient at distance n: its first term, as an expression.
Expr gradient_rate(const Law& law, const Context& context);

}  // namespace gpe::theory
