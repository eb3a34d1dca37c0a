// A verdict: one reading decided at the given values, and the region of parameters where it holds.
// Tests: tests/theory/exact/region_test.cpp, tests/theory/properties/instances_test.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "theory/properties/property.h"

namespace gpe::theory {

enum class Verdict { holds, fails, depends, undecided };
std::string_view name_of(Verdict verdict);

struct Finding {
  const Reading* reading = nullptr;
  Quantifier quantifier = Quantifier::none;
  std::optional<Rational>
      content_bound;  ///< the B it holds under; nothing where none matters or B is symbolic
  Verdict verdict = Verdict::undecided;
  std::string region;  ///< where it holds, over the free parameters: "m > 0", "always", "never"
  std::string reason;
  CaseTree cases;  ///< how the region was found
};

/// For what a reading is decided: for every gate, query or law of the content, and for some; `cn` and `eb`
/// also for gates at random, where the file says something of them.
std::vector<Quantifier> quantifiers(const Reading& reading, const ScoreFunction& law);
/// Of what "every" and "some" are said: "law", "query" or "gate".
std::string_view quantified(const ScoreFunction& law);

/// @param bound     the content bound; ignored when "B" is symbolic
/// @param symbolic  parameters (or "B") left free; empty: the region is over all of them
Finding find(const Reading& reading, const ScoreFunction& law, const Rational& bound, const Context& context,
             const std::vector<std::string>& symbolic = {}, Quantifier quantifier = Quantifier::none);

/// Every reading, once for each bound where the bound matters, and for each of `quantifiers`.
std::vector<Finding> find_all(const ScoreFunction& law, const std::vector<Rational>& bounds,
                              const Context& context, const std::vector<std::string>& symbolic = {});

}  // namespace gpe::theory
