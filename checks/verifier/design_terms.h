// What a certificate of a design speaks of: laws at corners of its box, and requirements.
#pragma once
// Tests: tests/certificates/design_test.cpp, tests/certificates/forged_designs.py
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "checks/verifier/numbers.h"

namespace gpe::verifier {

using Point = std::map<std::string, Q>;

struct Corner {
  ScoreFunction law;
  Numbers numbers{law};
  bool infinite = false;
  std::map<std::pair<const Corner*, int>, std::vector<Interval>> with;  // Σ e^(b ± a), a at another corner
  explicit Corner(const ScoreFunction& at) : law(at) {}
  bool ends_before(long n) const { return law.windowed && law.first + law.keys() - 1 < n; }
  long kept(long n) const { return ends_before(n) ? law.first + law.keys() - 1 : n; }
  const Sums& up_to(long n) { return numbers.up_to(kept(n)); }
};

struct Requirement {  // quantity >= value (above), or <= value; strict: > or <
  std::string quantity, parameter;
  bool counts, above, strict;
  std::optional<Q> at;
  Q value;
  Requirement contrary() const {
    Requirement r = *this;
    r.above = !above;
    r.strict = !strict && !counts;
    if (counts) r.value += above ? -1 : 1;
    return r;
  }
};

}  // namespace gpe::verifier
